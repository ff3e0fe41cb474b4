import type { SiteCredentials } from '../../../ports/stores/settings.ts';
import type { SplunkdClient } from '../client.ts';
import { readPassword } from './passwordEntry.ts';

export const CLOUD_SERVICES = 'ml_extension_cloud_services';
export const PROXY = 'ml_extension_proxy';

export function splunkdSiteCredentials(client: SplunkdClient, token: string, realm: string): SiteCredentials {
  return {
    async read(kind) {
      const text = await readPassword(client, token, realm, kind);
      return text === undefined ? undefined : textsOf(text);
    },
  };
}

/** The parser's message would quote the secret. */
function textsOf(text: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).filter((entry) => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}
