import type { CompiledContract } from '../../contract/rows/compiled.ts';
import { version } from '../../contract/version.ts';
import { secretSchemas, table } from '../../table.ts';
import { compileRows, plain } from './compile.ts';
import { secretPaths } from './schemas.ts';

/** `#contract` outside the bundle, compiled at import. The build replaces it with generated code. */
export const contract: CompiledContract = {
  rows: compileRows(table),
  secrets: Object.fromEntries(
    Object.entries(secretSchemas).map(([family, schema]) => [family, secretPaths(plain(schema))]),
  ),
  version,
};
