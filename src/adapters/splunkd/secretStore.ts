import type { SecretStore } from '../../ports/secretStore.ts';
import { type SplunkdClient, unexpected } from './client.ts';

const REALM = 'ml_extension';
/** What every version of the storage takes in one entry. */
const PART_BYTES = 255;

/**
 * Secrets in the platform's password storage, with the system token. A value is cut into parts of at most 255 bytes; the
 * reference carries their number (`mcp-connections.6f…~3`), so that a value of which a part is missing is none.
 */
export function splunkdSecrets(client: SplunkdClient, token: string): SecretStore {
  const call = (
    method: 'GET' | 'POST' | 'DELETE',
    path = '',
    form?: Record<string, string>,
    query?: Record<string, string>,
  ) =>
    client.call({
      method,
      endpoint: `storage/passwords${path}`,
      token,
      namespace: 'app',
      ...(form ? { form } : {}),
      ...(query ? { query } : {}),
    });
  const entry = (name: string) => `/${encodeURIComponent(`${REALM}:${name}:`)}`;

  async function readPart(name: string): Promise<string | undefined> {
    const reply = await call('GET', entry(name));
    if (reply.status === 404) return undefined;
    if (reply.status !== 200) throw unexpected('a read of the password storage', reply);
    const body = JSON.parse(reply.text) as { entry?: { content?: { clear_password?: string } }[] };
    return body.entry?.[0]?.content?.clear_password;
  }

  return {
    reference: (family, value) => `${family}.${globalThis.crypto.randomUUID()}~${cut(value).length}`,
    async put(ref, value) {
      const parts = cut(value);
      for (const [index, name] of partNames(ref).entries()) {
        const reply = await call('POST', '', { name, realm: REALM, password: parts[index] ?? '' });
        if (reply.status !== 201) throw unexpected('a write to the password storage', reply);
      }
    },
    async get(ref) {
      const parts = await Promise.all(partNames(ref).map(readPart));
      if (parts.length === 0 || parts.includes(undefined)) return undefined;
      return Buffer.from(parts.join(''), 'base64').toString('utf8');
    },
    async remove(ref) {
      for (const name of partNames(ref)) {
        const reply = await call('DELETE', entry(name));
        if (reply.status !== 200 && reply.status !== 404)
          throw unexpected('a removal from the password storage', reply);
      }
    },
    async status() {
      const reply = await call('GET', '', undefined, { count: '1' });
      return reply.status === 200 ? 'ready' : `unavailable (${reply.status})`;
    },
  };
}

/** Base64, so that a cut never falls inside a character and no value meets an escaping rule. */
function cut(value: string): string[] {
  const text = Buffer.from(value, 'utf8').toString('base64');
  return text.match(new RegExp(`.{1,${PART_BYTES}}`, 'g')) ?? [];
}

function partNames(ref: string): string[] {
  const [name, count] = [ref.slice(0, ref.lastIndexOf('~')), Number(ref.slice(ref.lastIndexOf('~') + 1))];
  if (!name || !Number.isInteger(count) || count < 1) return [];
  return Array.from({ length: count }, (_, index) => `${name}.${index + 1}`);
}
