import type { CompiledContract } from '../../contract/rows/compiled.ts';
import { version } from '../../contract/version.ts';
import { table } from '../../table.ts';
import { compileRows } from './compile.ts';
import { recordPlans } from './recordPlans.ts';
import { compileStored } from './storedShapes.ts';

const plans = recordPlans();
const stored = compileStored();
const contractOf = (prefix: string): CompiledContract => ({
  rows: compileRows(table.filter(({ path }) => `${path}/`.startsWith(`${prefix}/`))),
  plans,
  stored,
  version,
});

/** `#contract` and `#gateway-contract` outside the bundle, compiled at import. The build replaces them with generated code. */
export const contract = contractOf('/ml');
export const gatewayContract = contractOf('/ai_gateway');
