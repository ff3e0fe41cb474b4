import { Fault } from '../../../contract/codes/faults.ts';
import { objectOf, type SplunkdClient, type SplunkdReply, unexpectedReply } from '../client.ts';
import { stateFault } from '../storeStates.ts';

interface Listing {
  entry?: { content?: { clear_password?: unknown } }[];
}

/** Realm and name must not contain `:` or a backslash. */
export const passwordPath = (realm: string, name: string): string =>
  `storage/passwords/${encodeURIComponent(`${realm}:${name}:`)}`;

/** The clear value of an entry in the app's namespace; undefined if missing. @throws Fault `store_unavailable` if it is masked */
export async function readPassword(
  client: SplunkdClient,
  token: string,
  realm: string,
  name: string,
): Promise<string | undefined> {
  const reply = await client.call({ method: 'GET', endpoint: passwordPath(realm, name), token, namespace: 'app' });
  if (reply.status === 404) return undefined;
  if (reply.status !== 200) throw unexpectedReply('a read of the password storage', reply);
  const clear = clearPassword(reply);
  if (clear === undefined)
    throw new Fault('store_unavailable', 'The platform returned no entry of its password storage');
  return clear;
}

/** Clear value of the first entry of a listing; undefined if it has none. @throws Fault `store_unavailable` if it is masked */
export function clearPassword(reply: Pick<SplunkdReply, 'text'>): string | undefined {
  const [entry] = (objectOf(reply) as Listing).entry ?? [];
  if (!entry) return undefined;
  const clear = entry.content?.clear_password;
  if (typeof clear === 'string' && !/^\*+$/.test(clear)) return clear;
  throw stateFault('password_masked');
}
