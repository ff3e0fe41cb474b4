import type { CompiledContract } from '../../contract/rows/compiled.ts';
import { version } from '../../contract/version.ts';
import { secretSchemas, table } from '../../table.ts';
import { compileRows, plain } from './compile.ts';
import { secretPaths } from './schemas.ts';
import { compileStored } from './storedShapes.ts';

const secrets = Object.fromEntries(
  Object.entries(secretSchemas).map(([family, schema]) => [family, secretPaths(plain(schema))]),
);
const stored = compileStored();
const contractOf = (prefix: string): CompiledContract => ({
  rows: compileRows(table.filter(({ path }) => path.startsWith(prefix))),
  secrets,
  stored,
  version,
});

/** `#contract` and `#gateway-contract` outside the bundle, compiled at import. The build replaces them with generated code. */
export const contract = contractOf('/ml/');
export const gatewayContract = contractOf('/ai_gateway/');
