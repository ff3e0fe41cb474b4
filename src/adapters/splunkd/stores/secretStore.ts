import { parallel } from '../../../domain/async/parallel.ts';
import type { SecretStore } from '../../../ports/stores/secretStore.ts';
import { type SplunkdCall, type SplunkdClient, unexpectedReply } from '../client.ts';
import { clearPassword, passwordPath, readPassword } from './passwordEntry.ts';

const REALM = 'ml_extension';
const ALL = 'storage/passwords';
/** Accepted by every version of the platform. */
const PART_BYTES = 255;
/** Parallel calls; a certificate has dozens of parts. */
const AT_ONCE = 16;

/**
 * Secrets in the platform's password storage. A value is split into parts of at most 255 bytes; the reference ends with
 * their number (`mcp-connections.6f…~3`), so that an incomplete value counts as missing.
 */
export function splunkdSecrets(client: SplunkdClient, token: string): SecretStore {
  const call = (
    method: 'GET' | 'POST' | 'DELETE',
    endpoint: string,
    more: Pick<SplunkdCall, 'form' | 'query' | 'repeatable'> = {},
  ) => client.call({ method, endpoint, token, namespace: 'app', ...more });

  /** Names are unique, so an existing entry comes from an attempt whose reply was lost. */
  const write = async (name: string, password: string): Promise<void> => {
    const reply = await call('POST', ALL, { form: { name, realm: REALM, password }, repeatable: true });
    if (reply.status === 201) return;
    const again = { form: { password }, repeatable: true };
    const last = reply.status === 409 ? await call('POST', passwordPath(REALM, name), again) : reply;
    if (last.status !== 200) throw unexpectedReply('a write to the password storage', last);
  };

  return {
    reference: (family, value) => `${family}.${globalThis.crypto.randomUUID()}~${cut(value).length}`,
    async put(ref, value) {
      const parts = cut(value);
      await parallel(partNames(ref), AT_ONCE, (name, index) => write(name, parts[index] ?? ''));
    },
    async get(ref) {
      const parts = await parallel(partNames(ref), AT_ONCE, (name) => readPassword(client, token, REALM, name));
      if (parts.length === 0 || parts.includes(undefined)) return undefined;
      return Buffer.from(parts.join(''), 'base64').toString('utf8');
    },
    async remove(ref, isOver) {
      let missing = 0;
      const drop = async (name: string) => {
        const reply = await call('DELETE', passwordPath(REALM, name));
        // A part that is gone at the second attempt was deleted by the first, whose reply was lost.
        if (reply.status === 404 && !reply.repeated) missing += 1;
        else if (reply.status !== 200 && reply.status !== 404)
          throw unexpectedReply('a removal from the password storage', reply);
      };
      await parallel(partNames(ref), AT_ONCE, drop, isOver);
      return missing === 0;
    },
    async status() {
      const reply = await call('GET', ALL, { query: { count: '1', search: `realm=${REALM}` } });
      if (reply.status !== 200) throw unexpectedReply('a listing of the password storage', reply);
      clearPassword(reply);
      return 'ready';
    },
  };
}

/** Base64, so that a part never splits a character or needs escaping. */
function cut(value: string): string[] {
  const text = Buffer.from(value, 'utf8').toString('base64');
  return text.match(new RegExp(`.{1,${PART_BYTES}}`, 'g')) ?? [];
}

function partNames(ref: string): string[] {
  const [name, count] = [ref.slice(0, ref.lastIndexOf('~')), Number(ref.slice(ref.lastIndexOf('~') + 1))];
  if (!name || !Number.isInteger(count) || count < 1) return [];
  return Array.from({ length: count }, (_, index) => `${name}.${index + 1}`);
}
