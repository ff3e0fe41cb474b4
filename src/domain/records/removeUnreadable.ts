import type { UnreadableRecord } from '../../contract/unreadable.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';
import { SecretKeeper } from '../secrets/secretKeeper.ts';
import type { SiteStores } from './sealedRecord.ts';

/**
 * Removes an unreadable document and its secret.
 * @param stores with the unchecked records
 * @param family of the secret
 */
export async function removeUnreadable(
  stores: SiteStores,
  family: string,
  { collection, key }: UnreadableRecord,
): Promise<void> {
  const { records } = stores;
  const doc = await records.get<Doc & { secret_ref?: unknown }>(collection, key);
  const ref = typeof doc?.secret_ref === 'string' ? doc.secret_ref : null;
  // A damaged document may name the secret of another record.
  const users =
    ref === null ? [] : await records.find(collection, { query: { secret_ref: ref }, fields: [], limit: 2 });
  const keeper = new SecretKeeper(family, collection, stores);
  const staged = await keeper.stageRemoval(users.length > 1 ? null : ref);
  await records.remove(collection, key);
  await keeper.commit(staged);
}
