import type { Caller } from '../../contract/caller.ts';
import { invalid } from '../../contract/faults.ts';
import { awsAccess, mergeFields, splitPasted } from '../../domain/awsKeys.ts';
import { recordKey } from '../../domain/keys.ts';
import { decide, type Secrets } from '../../domain/secrets.ts';
import type { CloudAccess } from '../../ports/cloudAccess.ts';
import { assertValid, keysOf, SECRET, type StoreDetails, type StoreStored, type StoreType } from './records.ts';
import type { VectorStoreTestInput } from './schemas.ts';
import type { VectorStores } from './service.ts';

/** What a test is aimed at. Secrets are in the clear: it lives as long as the call. */
export interface Aim {
  type: StoreType;
  details: StoreDetails;
  access: CloudAccess;
  /** The saved record that is aimed at as it is; undefined for given details, after which nothing is written. */
  saved: StoreStored | undefined;
}

/**
 * `{name}` aims at the saved record; details aim at themselves, with masked and absent secrets from the record of that
 * name where there is one that the caller may write.
 * @throws Fault `not_found`, `acl_denied`, `validation_failed` and the faults of secrets
 */
export async function aim(stores: VectorStores, caller: Caller, input: VectorStoreTestInput): Promise<Aim> {
  const { name, type = 'CLOUD_KB', details } = input;
  if (name !== undefined && details === undefined) {
    const { record: saved, secrets } = await stores.unsealed(caller, recordKey(name));
    return aimed(saved.type, saved.details, secrets, saved);
  }
  const { open, given } = splitPasted({ details: details ?? {} }, stores.secretPaths);
  const isWhole = details?.cloud_region !== undefined && details.kb_id !== undefined;
  const lender = name === undefined ? undefined : await stores.lender(caller, recordKey(name), isWhole);
  if (lender) {
    const changed = (now: StoreStored): StoreStored => {
      const merged = mergeFields<StoreDetails>(now.details, open.details);
      assertValid(merged, given, now.secret_fields);
      return { ...now, details: merged };
    };
    const mayWrite = (now: StoreStored) => stores.assertMay(caller, 'write', now);
    const { record, secrets } = await stores.sealed.preview(lender, changed, given, mayWrite);
    return aimed(record.type, record.details, secrets, undefined);
  }
  if (!isWhole) throw invalid(missingFields(details));
  const merged = mergeFields<StoreDetails>({}, open.details);
  assertValid(merged, given, []);
  return aimed(type, merged, decide(given, []).set, undefined);
}

function aimed(
  type: StoreType,
  details: StoreDetails,
  secrets: Readonly<Secrets>,
  saved: StoreStored | undefined,
): Aim {
  return { type, details, access: awsAccess(keysOf(details), secrets[SECRET]), saved };
}

function missingFields(details: VectorStoreTestInput['details']) {
  return (['cloud_region', 'kb_id'] as const)
    .filter((field) => details?.[field] === undefined)
    .map((field) => ({
      field: `details.${field}`,
      message: 'is required; or give the name of a saved vector store alone',
    }));
}
