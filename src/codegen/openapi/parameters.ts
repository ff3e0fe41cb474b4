import { plain, type TableRow } from '../bundle/compile.ts';
import { type Components, partName, pascal } from './components.ts';
import type { Operation, Parameter } from './document.ts';
import { exampleOf } from './examples.ts';

export function parametersOf(row: TableRow, components: Components): Parameter[] {
  return [...declared(row, 'path', components), ...declared(row, 'query', components), ...condition(row)];
}

function declared(row: TableRow, location: 'path' | 'query', components: Components): Parameter[] {
  const object = location === 'path' ? row.params : row.query;
  const { required = [], properties = {} } = object ? plain(object) : {};
  const needed = required as string[];
  const example = exampleOf(row.id)?.[location === 'path' ? 'params' : 'query'];
  return Object.entries(properties).map(([name, inner]) => {
    const { description, ...schema } = components.of(inner, partName(row, `_${name}`));
    return {
      name,
      in: location,
      required: location === 'path' || needed.includes(name),
      ...(typeof description === 'string' ? { description } : {}),
      schema,
      ...(example?.[name] === undefined ? {} : { example: example[name] }),
    };
  });
}

function condition(row: TableRow): Parameter[] {
  if (!row.conditional) return [];
  const description = 'Make the change only if the record has this version';
  const schema = { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 };
  return [
    { name: 'version', in: 'query', required: false, description, schema },
    {
      name: 'If-Match',
      in: 'header',
      required: false,
      description: `${description}: \`3\` or \`"3"\`; \`*\` is no condition`,
      schema: { type: 'string', pattern: '^([0-9]{1,15}|"[0-9]{1,15}"|[*])$' },
    },
  ];
}

/**
 * Replaces parameters shared by several operations by references.
 * @param taken names of schemas and responses, which share a namespace in generated clients
 * @returns the shared parameters by name
 */
export function shareParameters(operations: readonly Operation[], taken: readonly string[]): Record<string, Parameter> {
  const uses = new Map<string, Operation[]>();
  for (const operation of operations) {
    for (const parameter of operation.parameters ?? []) {
      const text = JSON.stringify(parameter);
      uses.set(text, [...(uses.get(text) ?? []), operation]);
    }
  }
  const shared: Record<string, Parameter> = {};
  const names = new Map<string, string>();
  const byUse = [...uses].filter(([, users]) => users.length > 1).sort(([, a], [, b]) => b.length - a.length);
  for (const [text, [first]] of byUse) {
    const parameter = JSON.parse(text) as Parameter;
    const name = freeName(parameter, pascal(first?.tags[0] ?? ''), [...taken, ...Object.keys(shared)]);
    shared[name] = parameter;
    names.set(text, name);
  }
  for (const operation of operations) {
    if (!operation.parameters) continue;
    operation.parameters = operation.parameters.map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
  }
  return shared;
}

/** The most frequent parameter gets the shortest name. */
function freeName({ name, in: location }: Parameter, family: string, taken: readonly string[]): string {
  const short = pascal(name);
  const free = [short, family + short, family + pascal(location) + short].find(
    (candidate) => !taken.includes(candidate),
  );
  if (free === undefined) throw new Error(`no name is left for the parameter ${name} of ${family}`);
  return free;
}
