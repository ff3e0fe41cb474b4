import type { CompiledContract } from '../../contract/rows/compiled.ts';
import { version } from '../../contract/version.ts';
import { secretSchemas, table } from '../../table.ts';
import { compileRows, plain } from './compile.ts';
import { secretPaths } from './schemas.ts';

/** `#contract` outside the bundle: compiled from the table at import. The build puts generated code in its place. */
export const contract: CompiledContract = {
  rows: compileRows(table),
  secrets: Object.fromEntries(
    Object.entries(secretSchemas).map(([family, schema]) => [family, secretPaths(plain(schema))]),
  ),
  version,
};
