import type { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { TSchema } from 'typebox';
import { version } from '../contract/version.ts';
import { secretSchemas } from '../table.ts';
import { bodyAjv, plain, rowData, type TableRow, textAjv } from './compile.ts';
import { checkable, messagesOf, secretPaths } from './schemas.ts';

const standaloneCode = standalone as unknown as (ajv: Ajv, refs: Record<string, string>) => string;
const PARTS = { params: 'texts', query: 'texts', body: 'bodies' } as const;

/**
 * `build/`: the contract as code without a schema library or a compiler, so that the driver's start pays for neither.
 * The validators of a row are a module of their own, loaded when the row is first called.
 * @returns file name -> text
 */
export function contractModule(rows: readonly TableRow[]): Record<string, string> {
  const secrets = Object.entries(secretSchemas).map(([family, schema]) => [family, secretPaths(plain(schema))]);
  const lines = rows.map(
    (row) => `  { ...${JSON.stringify(rowData(row))}, checks: () => import('./${row.id}.js').then((m) => m.checks) },`,
  );
  const contract = [
    'export const contract = {',
    ` version: ${JSON.stringify(version)},`,
    ` secrets: ${JSON.stringify(Object.fromEntries(secrets))},`,
    ` rows: [\n${lines.join('\n')}\n ],`,
    '};',
    '',
  ].join('\n');
  return Object.assign({ 'contract.js': contract }, ...rows.map(rowModules));
}

function rowModules(row: TableRow): Record<string, string> {
  const files: Record<string, string> = {};
  const imports = ["import { problemsOf } from '../src/contract/problems.ts';"];
  const checks = Object.entries(PARTS).map(([part, kind]) => {
    const schema = row[part as keyof typeof PARTS] as TSchema | undefined;
    if (!schema) return `${part}: null`;
    const ajv = kind === 'bodies' ? bodyAjv(true) : textAjv(true);
    const json = plain(schema);
    ajv.addSchema(checkable(json), part);
    const file = `${row.id}.${part}.js`;
    files[file] = standaloneCode(ajv, { [part]: part });
    imports.push(`import { ${part} } from './${file}';`);
    return `${part}: check(${part}, ${JSON.stringify(messagesOf(json))})`;
  });
  files[`${row.id}.js`] = [
    ...imports,
    'const check = (validate, messages) => (value) => (validate(value) ? [] : problemsOf(validate.errors ?? [], messages));',
    `export const checks = { ${checks.join(', ')} };`,
    '',
  ].join('\n');
  return files;
}
