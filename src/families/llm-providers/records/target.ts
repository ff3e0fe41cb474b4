import { Fault } from '../../../contract/codes/faults.ts';
import type { Provider } from '../../../contract/families/llmProviders.ts';
import { headersIn } from '../../../domain/secrets/secretHeaders.ts';
import type { ResourceRecords } from '../../../resources/records.ts';
import type { Target as ResourceTarget } from '../../../resources/target.ts';
import { HEADERS } from '../credentials/credentials.ts';
import type { ApiMemory, Target } from '../providers/provider.ts';
import { FIELD_NAMES } from '../settingFields.ts';
import { CLIENT_SECRET, readSettings, secretPath } from '../settings.ts';
import { type LlmConnection, serviceSettingsOf } from './connection.ts';

/** The target of a test or a refresh. Holds secrets in the clear: it lives as long as the call. */
export interface LlmTarget {
  provider: Provider;
  model: string | undefined;
  target: Target;
  /** As it is stored or was sent. */
  connectionName: string | undefined;
  /** Key of the connection if it is tested as it is stored; otherwise nothing is written. */
  savedKey: string | undefined;
}

export const endpointOf = (connection: Pick<LlmConnection, 'servicesettings'>): string | undefined =>
  readSettings(serviceSettingsOf(connection)).endpoint;

export const hasOAuth = (connection: Pick<LlmConnection, 'servicesettings'>): boolean =>
  readSettings(serviceSettingsOf(connection)).oauth !== undefined;

export function toLlmTarget(
  { sealed, stores }: Pick<ResourceRecords<LlmConnection>, 'sealed' | 'stores'>,
  { record, secrets, hidden, saved }: ResourceTarget<LlmConnection>,
  model: string | undefined,
): LlmTarget {
  const clear = FIELD_NAMES.map((field) => [field, secrets[secretPath(field)]] as const);
  const settings = Object.fromEntries(clear.filter(([, secret]) => secret !== undefined));
  const headers = headersIn(HEADERS, secrets);
  const open = readSettings(serviceSettingsOf(record));
  return {
    provider: record.service,
    model,
    target: {
      settings: {
        ...open,
        ...settings,
        headers: Object.keys(headers).length === 0 ? undefined : headers,
        oauth: open.oauth && { ...open.oauth, client_secret: secrets[CLIENT_SECRET] },
      },
      hidden,
      memory: saved && memoryOf(saved),
      sharing: saved && {
        stores,
        key: saved._key,
        name: `${saved.service}/${saved.connection_name}`,
        secretRef: saved.secret_ref,
      },
    },
    connectionName: record.connection_name || undefined,
    savedKey: saved?._key,
  };

  function memoryOf(connection: LlmConnection): ApiMemory {
    return {
      api: connection.api,
      async keep(api) {
        const isNews = (now: LlmConnection) => now.api !== api && endpointOf(now) === endpointOf(connection);
        await sealed
          .amend(connection._key, async (now) => (isNews(now) ? { open: { api } } : undefined))
          .catch((error: unknown) => {
            if (!(error instanceof Fault)) throw error;
            // The answer counts, and the next call finds the API again.
            stores.log.warn('llm_api_not_kept', { key: connection._key });
          });
      },
    };
  }
}
