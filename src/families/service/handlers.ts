import type { Handlers } from '../../contract/handlers.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { AppInfo } from '../../ports/appInfo.ts';
import type { service } from './endpoints.ts';

export function serviceHandlers(stores: Pick<Stores, 'records' | 'secrets'>, app: AppInfo): Handlers<typeof service> {
  return {
    async getHealth() {
      const [store, secrets] = await Promise.all([word(stores.records.status()), word(stores.secrets.status())]);
      const ready = store === 'ready' && secrets === 'ready';
      return {
        message: ready ? 'Everything is ready' : 'Something that the app depends on is not ready',
        version: app.version,
        store,
        secrets,
        drivers: [app.driver()],
      };
    },
    getOpenApi: () => app.openApi(),
  };
}

/** A store that cannot be asked is news for this endpoint, not a reason to fail. */
async function word(status: Promise<string>): Promise<string> {
  try {
    return await status;
  } catch {
    return 'unavailable';
  }
}
