import { type SplunkdClient, unexpectedReply } from '../client.ts';

interface Listing {
  entry?: { content?: { clear_password?: string } }[];
}

/** Path of an entry of the password storage. Realm and name hold neither `:` nor a backslash. */
export const passwordPath = (realm: string, name: string): string =>
  `storage/passwords/${encodeURIComponent(`${realm}:${name}:`)}`;

/** The clear value of an entry in the app's namespace; undefined when there is none. */
export async function readPassword(
  client: SplunkdClient,
  token: string,
  realm: string,
  name: string,
): Promise<string | undefined> {
  const reply = await client.call({ method: 'GET', endpoint: passwordPath(realm, name), token, namespace: 'app' });
  if (reply.status === 404) return undefined;
  if (reply.status !== 200) throw unexpectedReply('a read of the password storage', reply);
  return (JSON.parse(reply.text) as Listing).entry?.[0]?.content?.clear_password;
}
