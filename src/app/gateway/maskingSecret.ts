import { randomBytes } from 'node:crypto';
import { Fault } from '../../contract/codes/faults.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { type Doc, InsertUnclear } from '../../ports/stores/recordStore.ts';

const COLLECTION = 'ml_masking_secret';
const KEY = 'secret';
const BYTES = 32;
/** Passwords reach the other members of a cluster later than documents, but never by so much. */
const LOST_AFTER_MS = 3_600_000;

interface SecretDoc extends Doc {
  /** In the secret store. */
  ref: string;
  created_at: number;
}

type SecretStores = Pick<Stores, 'records' | 'secrets' | 'clock'>;

/**
 * The secret that placeholders are derived from, one in the whole cluster, kept once it is read. Of several processes that make it at
 * once the first insert wins: the document names a secret that is already written.
 * @throws Fault `store_unavailable`
 */
export function maskingSecret(): (stores: SecretStores) => Promise<Uint8Array> {
  let kept: Promise<Uint8Array> | undefined;
  return (stores) => {
    kept ??= readOrMade(stores).catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

async function readOrMade(stores: SecretStores): Promise<Uint8Array> {
  const { records, secrets, clock } = stores;
  const doc = (await records.get<SecretDoc>(COLLECTION, KEY)) ?? (await made(stores));
  const value = await secrets.get(doc.ref);
  if (value !== undefined) return new Uint8Array(Buffer.from(value, 'base64'));
  if (clock.now() - doc.created_at > LOST_AFTER_MS) await records.remove(COLLECTION, KEY, { ref: doc.ref });
  throw new Fault('store_unavailable', 'The secret for masking is not in the password storage. Try again.');
}

async function made({ records, secrets, clock }: SecretStores): Promise<SecretDoc> {
  const value = randomBytes(BYTES).toString('base64');
  const ref = secrets.reference('masking', value);
  await secrets.put(ref, value);
  const doc = { _key: KEY, ref, created_at: clock.now() };
  if (await inserted({ records }, doc)) return doc;
  await secrets.remove(ref);
  const winner = await records.get<SecretDoc>(COLLECTION, KEY);
  if (winner) return winner;
  throw new Fault('store_unavailable', 'The secret for masking was replaced meanwhile. Try again.');
}

/** An insert whose outcome is unknown may still take effect, so its secret stays. */
async function inserted({ records }: Pick<SecretStores, 'records'>, doc: SecretDoc): Promise<boolean> {
  try {
    return await records.insert(COLLECTION, doc);
  } catch (error) {
    if (!(error instanceof InsertUnclear)) throw error;
    const winner = await records.get<SecretDoc>(COLLECTION, KEY);
    if (winner?.ref === doc.ref) return true;
    throw error;
  }
}
