import type { MaskedOperation } from '../../../src/contract/families/masking.ts';
import type { MaskingPolicy } from '../../../src/masking/masking.ts';
import type { MemoryApp } from '../../support/memory/app.ts';

export interface TestPolicy extends MaskingPolicy {
  operations: readonly MaskedOperation[];
}

/** Everything that rules find. */
export const ALL: MaskingPolicy['kinds'] = Object.fromEntries(
  [
    ...['pem', 'jwt', 'key', 'url_secret', 'password', 'card', 'iban', 'us_ssn', 'ipv4', 'ipv6', 'mac', 'sid'],
    ...['email', 'win_user', 'host', 'user', 'phone', 'field'],
  ].map((kind) => [kind, 'mask']),
);

/** Lets these policies apply to the operations that they name, whatever is stored. */
export function applyPolicies(app: MemoryApp, ...policies: TestPolicy[]): void {
  const applying = async (_records: unknown, { operation }: { operation: MaskedOperation }) => ({
    policies: policies.filter(({ operations }) => operations.includes(operation)),
    refusesImages: false,
  });
  app.gateway.masking.policies = { applying } as unknown as typeof app.gateway.masking.policies;
}
