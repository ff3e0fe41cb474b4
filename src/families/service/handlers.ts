import { Fault } from '../../contract/codes/faults.ts';
import { reasonOfStatus, STORE_REASONS, type StoreReason, storeReasonOf } from '../../contract/codes/reasons.ts';
import type { Handlers } from '../../contract/rows/handlers.ts';
import { isAdmin } from '../../domain/access/acl.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { StoreSchema } from '../../domain/records/storeSchema.ts';
import type { PassageFiles } from '../../ports/knowledge/passageFiles.ts';
import type { AppInfo } from '../../ports/platform/appInfo.ts';
import { UnreadableDoc } from '../../ports/stores/recordStore.ts';
import type { service } from './endpoints.ts';

interface UnreadableKey {
  collection: string;
  key: string;
}

const MAX_UNREADABLE = 100;
/** The reply must not take longer, however much is stored. */
const SEARCH_MS = 2000;

export function serviceHandlers(
  { records, secrets: passwords, clock }: Pick<Stores, 'records' | 'secrets' | 'clock'>,
  schema: Pick<StoreSchema, 'isNewer'>,
  app: AppInfo,
  passages: Pick<PassageFiles, 'missing'>,
  collections: readonly string[],
): Handlers<typeof service> {
  const storeStatus = async () => {
    const status = await records.status();
    return status === 'ready' && (await schema.isNewer(records)) ? 'newer_schema' : status;
  };
  const findUnreadable = async (): Promise<UnreadableKey[]> => {
    const endsAt = clock.monotonic() + SEARCH_MS;
    const docs: UnreadableKey[] = [];
    for (const collection of collections) {
      for await (const chunk of records.chunks(collection, { keepsUnreadable: true })) {
        for (const doc of chunk) if (doc instanceof UnreadableDoc) docs.push({ collection, key: doc._key });
        if (docs.length >= MAX_UNREADABLE || clock.monotonic() >= endsAt) return docs.slice(0, MAX_UNREADABLE);
      }
    }
    return docs;
  };
  return {
    async getHealth({ caller }) {
      const [store, secrets] = await Promise.all([dependency(storeStatus()), dependency(passwords.status())]);
      const reason = store.reason ?? secrets.reason;
      const unreadable =
        store.status === 'ready' && isAdmin(caller) ? await findUnreadable().catch(() => []) : undefined;
      return {
        message: messageOf(reason, store, secrets),
        version: app.version,
        store: store.status,
        secrets: secrets.status,
        ...(reason && { reason, remedy: STORE_REASONS[reason].remedy }),
        drivers: [app.driver()],
        knowledge: (await passages.missing().catch((error: Error) => error.message)) ?? 'ready',
        ...(unreadable === undefined ? {} : { unreadable }),
      };
    },
    getOpenApi: () => app.openApi(),
  };
}

interface Dependency {
  status: string;
  reason?: StoreReason | undefined;
}

function messageOf(reason: StoreReason | undefined, ...dependencies: Dependency[]): string {
  if (dependencies.every(({ status }) => status === 'ready')) return 'Everything is ready';
  return reason ? STORE_REASONS[reason].message : 'A dependency is not ready. See store and secrets.';
}

/** An unreachable store must not fail this endpoint. */
async function dependency(asked: Promise<string>): Promise<Dependency> {
  try {
    const status = await asked;
    return { status, reason: reasonOfStatus(status) };
  } catch (error) {
    const reason = error instanceof Fault ? storeReasonOf(error.extra.reason) : undefined;
    return { status: 'unavailable', reason };
  }
}
