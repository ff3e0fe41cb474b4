import type { SiteCredentials } from '../../ports/siteCredentials.ts';
import { type SplunkdClient, unexpected } from './client.ts';

const REALM = 'ml_extension_cloud_services';

interface Listing {
  entry?: { content?: { clear_password?: string } }[];
}

/** Read with the system token, in the app's namespace. */
export function splunkdSiteCredentials(client: SplunkdClient, token: string): SiteCredentials {
  return {
    async read(kind) {
      const endpoint = `storage/passwords/${encodeURIComponent(`${REALM}:${kind}:`)}`;
      const reply = await client.call({ method: 'GET', endpoint, token, namespace: 'app' });
      if (reply.status === 404) return undefined;
      if (reply.status !== 200) throw unexpected('a read of the password storage', reply);
      const text = (JSON.parse(reply.text) as Listing).entry?.[0]?.content?.clear_password;
      return text === undefined ? undefined : textsOf(text);
    },
  };
}

/** The parser's own message would quote the secret. */
function textsOf(text: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).filter((entry) => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}
