import type { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { TSchema } from 'typebox';
import { version } from '../../contract/version.ts';
import { drivers } from '../../driver/table.ts';
import { bodyAjv, plain, rowData, type TableRow, textAjv } from './compile.ts';
import { recordPlans } from './recordPlans.ts';
import { checkable, messagesOf } from './schemas.ts';
import { storedModules } from './storedShapes.ts';

const standaloneCode = standalone as unknown as (ajv: Ajv, refs: Record<string, string>) => string;
const PARTS = { params: 'texts', query: 'texts', body: 'bodies' } as const;

/**
 * Generates `build/`: precompiled validators, so that the driver starts without schema library and compiler. Each row's
 * validators are loaded with its first call.
 * @returns file name -> text
 */
export function contractModule(rows: readonly TableRow[]): Record<string, string> {
  const { members: stored, files: storedFiles } = storedModules();
  const contracts = drivers.map(({ match, contract }) => {
    const lines = rows
      .filter(({ path }) => `${path}/`.startsWith(`${match}/`))
      .map((row) => {
        const { bodyPlan, replyPlan, ...data } = rowData(row);
        return `  row(${text(data)}, ${text(bodyPlan)}, ${text(replyPlan)}, () => import('./${row.id}.js')),`;
      });
    const module = [
      "import { row } from '../src/contract/rows/compiled.ts';",
      `export const ${contract} = {`,
      ` version: ${JSON.stringify(version)},`,
      ` plans: ${JSON.stringify(recordPlans())},`,
      ` stored: {\n${stored}\n },`,
      ` rows: [\n${lines.join('\n')}\n ],`,
      '};',
      '',
    ].join('\n');
    return [`${contract}.js`, module];
  });
  return Object.assign(Object.fromEntries(contracts), storedFiles, ...rows.map(rowModules));
}

/** JSON.parse of a string is faster than compiling the same literal, and can be deferred. */
const text = (value: unknown): string => JSON.stringify(JSON.stringify(value));

function rowModules(row: TableRow): Record<string, string> {
  const files: Record<string, string> = {};
  const imports = ["import { problemsOf } from '../src/contract/codes/problems.ts';"];
  const checks = Object.entries(PARTS).map(([part, kind]) => {
    const schema = row[part as keyof typeof PARTS] as TSchema | undefined;
    if (!schema || (part === 'body' && row.rawBody)) return `${part}: null`;
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
