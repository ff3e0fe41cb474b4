import type { LlmDependencies } from '../../../ports/llm/llmDependencies.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import { type LlmClient, type Target, testChat } from '../providers/provider.ts';
import type { OAuthSettings } from '../settingFields.ts';
import { askWithToken, type TokenSource } from '../tokens/askWithToken.ts';
import { type TokenSharing, tokenKey } from '../tokens/sharing.ts';

const UNKNOWN_LIFE_S = 20 * 60;

/** A client that asks for a token in place of a key, with the credentials of the configuration (RFC 6749 section 4.4). */
export function clientWithTokens(
  target: Target,
  oauth: OAuthSettings,
  deps: LlmDependencies,
  open: (target: Target) => LlmClient,
): LlmClient {
  const { sharing, settings } = target;
  /** A refused token is hidden as well: the server may quote it later. */
  const hidden = new Set(target.hidden);
  const sourceFor = sharing ? sharedSource(sharing) : ownSource();

  function ask<T>(source: TokenSource, call: (client: LlmClient) => Promise<T>): Promise<T> {
    return askWithToken(source, (bearer) => {
      hidden.add(bearer);
      return call(open({ ...target, bearer, hidden: [...hidden] }));
    });
  }

  /** Asks as a part of a use: a failure of the token server is one of its attempts. */
  function use<T>(upstream: Upstream, call: (client: LlmClient) => Promise<T>): Promise<T> {
    const source = sourceFor(upstream);
    const prepare = <V>(send: () => Promise<V>) => upstream.request(send, { isCounted: false });
    return ask({ get: () => prepare(source.get), renewed: (refused) => prepare(() => source.renewed(refused)) }, call);
  }

  return {
    chat: (model, request, upstream) => use(upstream, (client) => client.chat(model, request, upstream)),
    embed: (model, request, upstream) => use(upstream, (client) => client.embed(model, request, upstream)),
    list: (deadline) => ask(sourceFor(deadline), (client) => client.list(deadline)),
    test: (model, upstream) => use(upstream, (client) => testChat(client, model, upstream)),
  };

  async function issue(deadline: Deadline) {
    const { token_url: url = '', client_id: clientId = '', client_secret: clientSecret, scope } = oauth;
    const { verify_tls: verifyTls, ca_certificate: caCertificate } = settings;
    const endpoint = { url, clientAuthentication: 'client_secret_post' } as const;
    const credentials = { endpoint, clientId, clientSecret, scope, verifyTls, caCertificate, secrets: target.hidden };
    const { accessToken: token, expiresIn: life } = await deps.tokens.issue(credentials, deadline);
    return { token, life };
  }

  /** The token of a configuration that is not saved belongs to this call alone. */
  function ownSource(): (deadline: Deadline) => TokenSource {
    let issued: string | undefined;
    return (deadline) => ({
      async get() {
        issued ??= (await issue(deadline)).token;
        return issued;
      },
      renewed: async () => undefined,
    });
  }

  function sharedSource(connection: TokenSharing): (deadline: Deadline) => TokenSource {
    const { stores, key, name, secretRef } = connection;
    const holder = JSON.stringify([oauth.token_url, oauth.client_id, oauth.scope ?? '', secretRef]);
    return (deadline) => {
      // Most connections have a key.
      const shared = async () => {
        const { SharedToken } = await import('../../../domain/records/sharedToken.ts');
        return new SharedToken(stores, {
          key: tokenKey(key),
          holder,
          issue: () => issue(deadline),
          unknownLife: UNKNOWN_LIFE_S,
          spared: 0,
          label: 'the token of this connection',
          recorded: (write) =>
            stores.audit.runAsSystem({ action: 'token_refresh', family: 'llm-providers', name }, write),
        });
      };
      return {
        get: async () => (await (await shared()).get(deadline)).token,
        renewed: async (refused) => (await (await shared()).renewed(refused, deadline))?.token,
      };
    };
  }
}
