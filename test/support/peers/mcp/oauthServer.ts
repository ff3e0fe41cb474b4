import type Provider from 'oidc-provider';
import { type Peer, startHttp } from '../listen.ts';

export interface MintedTokens {
  client_id: string;
  client_secret: string;
  refresh_token: string;
  access_token: string;
}

export interface OAuthServer extends Peer {
  /** The issuer, as metadata name it. */
  issuer: string;
  tokenUrl: string;
  /** Calls to the token endpoint so far. */
  tokenCalls(): number;
  /** Refresh tokens that were presented after they had been rotated away. */
  reuses(): number;
  /** Did this server issue this access token, and is it still good? */
  accepts(accessToken: string): Promise<boolean>;
  /** A signed-in user's tokens, without the browser. */
  mint(): Promise<MintedTokens>;
  /** Makes the next token calls wait, for races. */
  delay(ms: number): void;
}

const CLIENT = { client_id: 'mlx-client', client_secret: 'mlx-client-secret-0123456789abcdef0123456789' };
const SCOPE = 'openid offline_access';
const ACCOUNT = 'somebody';

/** A real authorization server with rotating refresh tokens; presenting a used one revokes the whole grant. */
export async function startOAuthServer(
  options: { accessTokenLife?: number; onlyBasic?: boolean } = {},
): Promise<OAuthServer> {
  let calls = 0;
  let reuses = 0;
  let delay = 0;
  let provider: Provider | undefined;

  const peer = await startHttp(async (request, response) => {
    if (request.url === '/token') {
      calls += 1;
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    }
    provider?.callback()(request, response);
  });
  provider = await quietly(() => createProvider(peer.url, options));
  provider.on('grant.error', (_context, error) => {
    if (/refresh token already used/.test(String((error as { error_detail?: string }).error_detail))) reuses += 1;
  });
  const running = provider;

  return {
    url: peer.url,
    issuer: peer.url,
    tokenUrl: `${peer.url}/token`,
    close: peer.close,
    tokenCalls: () => calls,
    reuses: () => reuses,
    delay(ms) {
      delay = ms;
    },
    async accepts(accessToken) {
      const found = await running.AccessToken.find(accessToken);
      return found?.isValid ?? false;
    },
    async mint() {
      const client = await running.Client.find(CLIENT.client_id);
      const grant = new running.Grant({ accountId: ACCOUNT, clientId: CLIENT.client_id });
      grant.addOIDCScope(SCOPE);
      const grantId = await grant.save();
      const common = { accountId: ACCOUNT, client, grantId, scope: SCOPE, gty: 'authorization_code' };
      const refresh = new running.RefreshToken({ ...common, authTime: 1, rotations: 0, expiresWithSession: false });
      const access = new running.AccessToken({ ...common });
      return { ...CLIENT, refresh_token: await refresh.save(), access_token: await access.save() };
    },
  };
}

async function createProvider(issuer: string, options: { accessTokenLife?: number; onlyBasic?: boolean }) {
  const { default: OidcProvider } = await import('oidc-provider');
  const method = options.onlyBasic ? 'client_secret_basic' : 'client_secret_post';
  return new OidcProvider(issuer, {
    clients: [
      {
        ...CLIENT,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['https://client.example/callback'],
        token_endpoint_auth_method: method,
      },
    ],
    clientAuthMethods: [method],
    cookies: { keys: ['only-for-tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    rotateRefreshToken: true,
    scopes: ['openid', 'offline_access'],
    ttl: { AccessToken: options.accessTokenLife ?? 3600, RefreshToken: 86_400, Grant: 86_400, IdToken: 3600 },
  });
}

/** The provider warns on the console about its development keys. */
async function quietly<T>(make: () => Promise<T>): Promise<T> {
  const { warn, info } = console;
  console.warn = () => {};
  console.info = () => {};
  try {
    return await make();
  } finally {
    Object.assign(console, { warn, info });
  }
}
