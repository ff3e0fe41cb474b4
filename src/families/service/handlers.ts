import type { Handlers } from '../../contract/rows/handlers.ts';
import { isAdmin } from '../../domain/access/acl.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { StoreSchema } from '../../domain/records/storeSchema.ts';
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
      const [store, secrets] = await Promise.all([
        statusOrUnavailable(storeStatus()),
        statusOrUnavailable(passwords.status()),
      ]);
      const ready = store === 'ready' && secrets === 'ready';
      const unreadable = store === 'ready' && isAdmin(caller) ? await findUnreadable().catch(() => []) : undefined;
      return {
        message: ready ? 'Everything is ready' : 'A dependency is not ready. See store and secrets.',
        version: app.version,
        store,
        secrets,
        drivers: [app.driver()],
        ...(unreadable === undefined ? {} : { unreadable }),
      };
    },
    getOpenApi: () => app.openApi(),
  };
}

/** An unreachable store must not fail this endpoint. */
async function statusOrUnavailable(status: Promise<string>): Promise<string> {
  try {
    return await status;
  } catch {
    return 'unavailable';
  }
}
