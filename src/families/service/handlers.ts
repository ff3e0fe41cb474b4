import type { Handlers } from '../../contract/rows/handlers.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { StoreSchema } from '../../domain/records/storeSchema.ts';
import type { AppInfo } from '../../ports/platform/appInfo.ts';
import type { service } from './endpoints.ts';

export function serviceHandlers(
  { records, secrets: passwords }: Pick<Stores, 'records' | 'secrets'>,
  schema: Pick<StoreSchema, 'isNewer'>,
  app: AppInfo,
): Handlers<typeof service> {
  const storeStatus = async () => {
    const status = await records.status();
    return status === 'ready' && (await schema.isNewer(records)) ? 'newer_schema' : status;
  };
  return {
    async getHealth() {
      const [store, secrets] = await Promise.all([
        statusOrUnavailable(storeStatus()),
        statusOrUnavailable(passwords.status()),
      ]);
      const ready = store === 'ready' && secrets === 'ready';
      return {
        message: ready ? 'Everything is ready' : 'A dependency is not ready. See store and secrets.',
        version: app.version,
        store,
        secrets,
        drivers: [app.driver()],
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
