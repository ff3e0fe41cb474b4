import { Fault } from '../../../contract/codes/faults.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';

/** The saved connection whose processes share a token. */
export interface TokenSharing {
  stores: Stores;
  /** Key of the connection. */
  key: string;
  /** For the audit trail. */
  name: string;
  /** Reference of the secrets with which tokens are asked for; changes with every write of them. */
  secretRef: string | null;
}

/** Key of the token of a connection. */
export const tokenKey = (connection: string): string => `llm-providers.${connection}`;

/** Removes the token of a connection that no longer needs it. A failure leaves one that nobody uses. */
export async function dropToken(stores: Stores, connection: string): Promise<void> {
  const { SharedToken } = await import('../../../domain/records/sharedToken.ts');
  await SharedToken.drop(stores, tokenKey(connection)).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    stores.log.warn('token_not_removed', { key: connection });
  });
}
