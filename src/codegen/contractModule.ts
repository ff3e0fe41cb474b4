import type { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { TSchema } from 'typebox';
import { version } from '../contract/version.ts';
import { secretSchemas } from '../table.ts';
import { bodyAjv, plain, rowData, type TableRow, textAjv } from './compile.ts';
import { messagesOf, secretPaths } from './schemas.ts';

const standaloneCode = standalone as unknown as (ajv: Ajv, refs: Record<string, string>) => string;
const PARTS = { params: 'texts', query: 'texts', body: 'bodies' } as const;

/**
 * `build/`: the contract as code without a schema library or a compiler, so that the driver's start pays for neither.
 * The validators of a family are a module of their own, loaded when one of its endpoints is called.
 * @returns file name -> text
 */
export function contractModule(rows: readonly TableRow[]): Record<string, string> {
  const families = [...new Set(rows.map((row) => row.family))];
  const secrets = Object.entries(secretSchemas).map(([family, schema]) => [family, secretPaths(plain(schema))]);
  const lines = rows.map(
    (row) =>
      `  { ...${JSON.stringify(rowData(row))}, checks: () => import('./checks-${row.family}.js').then((m) => m.${row.id}) },`,
  );
  const contract = [
    'export const contract = {',
    ` version: ${JSON.stringify(version)},`,
    ` secrets: ${JSON.stringify(Object.fromEntries(secrets))},`,
    ` rows: [\n${lines.join('\n')}\n ],`,
    '};',
    '',
  ].join('\n');
  return Object.assign({ 'contract.js': contract }, ...families.map((family) => familyModules(rows, family)));
}

function familyModules(rows: readonly TableRow[], family: string): Record<string, string> {
  const ajv = { bodies: bodyAjv(true), texts: textAjv(true) };
  const refs = { bodies: {} as Record<string, string>, texts: {} as Record<string, string> };
  const lines = rows
    .filter((row) => row.family === family)
    .map((row) => {
      const checks = Object.entries(PARTS).map(([part, kind]) => {
        const schema = row[part as keyof typeof PARTS] as TSchema | undefined;
        if (!schema) return `${part}: null`;
        const name = `${row.id}_${part}`;
        const json = plain(schema);
        ajv[kind].addSchema(json, name);
        refs[kind][name] = name;
        return `${part}: check(${kind}.${name}, ${JSON.stringify(messagesOf(json))})`;
      });
      return `export const ${row.id} = { ${checks.join(', ')} };`;
    });
  return {
    [`bodies-${family}.js`]: standaloneCode(ajv.bodies, refs.bodies),
    [`texts-${family}.js`]: standaloneCode(ajv.texts, refs.texts),
    [`checks-${family}.js`]: [
      "import { problemsOf } from '../src/contract/problems.ts';",
      `import * as bodies from './bodies-${family}.js';`,
      `import * as texts from './texts-${family}.js';`,
      'const check = (validate, messages) => (value) => (validate(value) ? [] : problemsOf(validate.errors ?? [], messages));',
      ...lines,
      '',
    ].join('\n'),
  };
}
