import { Fault } from '../../../contract/codes/faults.ts';
import { type SplunkdClient, unexpectedReply } from '../client.ts';

interface Listing {
  entry?: { content?: { clear_password?: string } }[];
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
  const clear = (JSON.parse(reply.text) as Listing).entry?.[0]?.content?.clear_password;
  if (clear !== undefined && !/^\*+$/.test(clear)) return clear;
  const message = 'The platform masks the passwords of its storage, see view_cleartext_allowlist in limits.conf';
  throw new Fault('store_unavailable', message, { reason: 'password_masked' });
}
