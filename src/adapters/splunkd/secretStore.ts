import type { SecretStore } from '../../ports/secretStore.ts';
import { type SplunkdCall, type SplunkdClient, unexpected } from './client.ts';
import { passwordPath, readPassword } from './passwordEntry.ts';

const REALM = 'ml_extension';
const ALL = 'storage/passwords';
/** What every version of the storage takes in one entry. */
const PART_BYTES = 255;

/**
 * Secrets in the platform's password storage, with the system token. A value is cut into parts of at most 255 bytes; the
 * reference carries their number (`mcp-connections.6f…~3`), so that a value of which a part is missing is none.
 */
export function splunkdSecrets(client: SplunkdClient, token: string): SecretStore {
  const call = (method: 'GET' | 'POST' | 'DELETE', endpoint: string, more: Pick<SplunkdCall, 'form' | 'query'> = {}) =>
    client.call({ method, endpoint, token, namespace: 'app', ...more });

  return {
    reference: (family, value) => `${family}.${globalThis.crypto.randomUUID()}~${cut(value).length}`,
    async put(ref, value) {
      const parts = cut(value);
      for (const [index, name] of partNames(ref).entries()) {
        const reply = await call('POST', ALL, { form: { name, realm: REALM, password: parts[index] ?? '' } });
        if (reply.status !== 201) throw unexpected('a write to the password storage', reply);
      }
    },
    async get(ref) {
      const parts = await Promise.all(partNames(ref).map((name) => readPassword(client, token, REALM, name)));
      if (parts.length === 0 || parts.includes(undefined)) return undefined;
      return Buffer.from(parts.join(''), 'base64').toString('utf8');
    },
    async remove(ref) {
      for (const name of partNames(ref)) {
        const reply = await call('DELETE', passwordPath(REALM, name));
        if (reply.status !== 200 && reply.status !== 404)
          throw unexpected('a removal from the password storage', reply);
      }
    },
    async status() {
      const reply = await call('GET', ALL, { query: { count: '1' } });
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
