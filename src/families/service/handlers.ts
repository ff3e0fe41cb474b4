import type { Handlers } from '../../contract/handlers.ts';
import type { RecordStore } from '../../ports/recordStore.ts';
import type { SecretStore } from '../../ports/secretStore.ts';
import type { service } from './endpoints.ts';

export interface ServiceParts {
  records: RecordStore;
  secrets: SecretStore;
  version: string;
  /** The process that answers. */
  driver(): { pid: number; runtime: string; uptime_s: number; memory_bytes: number; requests: number };
  openApi(): Promise<Record<string, unknown>>;
}

export function serviceHandlers(parts: ServiceParts): Handlers<typeof service> {
  return {
    async getHealth() {
      const [store, secrets] = await Promise.all([word(parts.records.status()), word(parts.secrets.status())]);
      const ready = store === 'ready' && secrets === 'ready';
      return {
        message: ready ? 'Everything is ready' : 'Something that the app stands on is not ready',
        version: parts.version,
        store,
        secrets,
        drivers: [parts.driver()],
      };
    },
    getOpenApi: () => parts.openApi(),
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
