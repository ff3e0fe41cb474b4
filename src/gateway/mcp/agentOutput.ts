import { isObject, type Json } from '../../contract/basics.ts';
import { RUN_STATES } from '../../contract/families/runs.ts';

/** Where the schema of the answers stands in that of the tool. */
const PLACE = '#/properties/output';
/** Keywords whose values are data, and those whose keys are names. */
const DATA = ['const', 'enum', 'default', 'examples'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];

/** The schema of what the tool of an agent answers, whether its run succeeded, failed or goes on. @param schema of its answers */
export function agentOutputSchema({ $schema, ...schema }: Json): Json {
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: 'object',
    properties: {
      run_id: { type: 'string', description: 'Id of the run' },
      state: { enum: [...RUN_STATES], description: 'State of the run' },
      // References that begin at an id of its own stay what they are.
      output: schema.$id === undefined ? moved(schema) : schema,
      error_code: { type: 'string', description: 'Why the run failed' },
      message: { type: 'string', description: 'What happened' },
    },
    required: ['run_id', 'state'],
  };
}

/** A schema whose references from its root begin at its new place. */
function moved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moved);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (DATA.includes(keyword)) return [keyword, value];
      if (NAMED.includes(keyword) && isObject(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, moved(inner)]))];
      }
      const isRoot = (keyword === '$ref' || keyword === '$dynamicRef') && typeof value === 'string';
      return [keyword, isRoot ? value.replace(/^#(?=\/|$)/, PLACE) : moved(value)];
    }),
  );
}
