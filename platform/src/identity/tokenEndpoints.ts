import { type EaiEntry, systemAcl } from '../eai/entry.ts';
import { eaiRoutes, onlyArguments, requireCapability } from '../eai/routes.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import type { Identity } from './identity.ts';
import type { TokenRecord } from './tokens.ts';

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 };

/** JWT tokens. An entity is named by the token's id, or by its user with the argument `id`, as on splunkd. */
export function tokenRoutes(identity: Identity): Route[] {
  const list = (req: PlatformRequest): EaiEntry[] => {
    const mayListAll = req.caller?.system === true || req.caller?.capabilities.has('list_tokens_all') === true;
    if (!mayListAll) requireCapability(req, 'list_tokens_own');
    const user = req.arg('username');
    return identity.tokens
      .list()
      .filter((token) => (mayListAll || token.user === req.caller?.user) && (user === undefined || token.user === user))
      .map((token) => tokenEntry(token));
  };
  const mayEdit = (req: PlatformRequest, user: string): void => {
    if (req.caller?.user === user) requireCapability(req, 'edit_tokens_own', 'edit_tokens_all');
    else requireCapability(req, 'edit_tokens_all');
  };
  return eaiRoutes({
    path: '/authorization/tokens',
    title: 'tokens',
    reading: ['id', 'status', 'username'],
    blank: {
      fields: { required: ['name', 'audience'], optional: ['expires_on', 'not_before', 'type'], wildcard: [] },
      content: {},
    },
    list,
    find: (req, name) => {
      const id = req.arg('id') ?? name;
      return list(req).find((entry) => entry.name === id);
    },
    create: (req, name) => {
      const user = name.toLowerCase();
      mayEdit(req, user);
      onlyArguments(req, ['name', 'audience', 'expires_on', 'not_before', 'type']);
      if (identity.users.get(user) === undefined) throw new PlatformError(400, `User does not exist: ${user}`);
      const audience = req.arg('audience');
      if (audience === undefined || audience === '') {
        throw new PlatformError(400, 'The following required arguments are missing: audience.');
      }
      const now = Math.floor(Date.now() / 1000);
      const notBefore = time(req, 'not_before', now);
      const expires = time(req, 'expires_on', now);
      if (expires !== 0 && expires <= now)
        throw new PlatformError(400, 'Invalid value for argument "expires_on": it is in the past.');
      if (expires !== 0 && expires <= notBefore) {
        throw new PlatformError(400, 'Invalid value for argument "not_before": it is not before "expires_on".');
      }
      const issuer = `${req.caller?.user} from ${req.headers.host ?? 'localhost'}`;
      const { record, token } = identity.tokens.create({ user, audience, expires, notBefore, issuer });
      const entry = tokenEntry(record);
      return { ...entry, content: { ...entry.content, id: record.id, token } };
    },
    update: (req, entry) => {
      mayEdit(req, String(entry.content.user));
      onlyArguments(req, ['id', 'status']);
      const status = req.arg('status');
      if (status !== 'enabled' && status !== 'disabled') {
        throw new PlatformError(400, 'Invalid value for argument "status": must be enabled or disabled.');
      }
      identity.tokens.enable(entry.name, status === 'enabled');
      return undefined;
    },
    remove: (req, entry) => {
      mayEdit(req, String(entry.content.user));
      identity.tokens.remove(entry.name);
      return [];
    },
  });
}

/** Epoch seconds, an ISO time, or `+90d` from now; 0 if absent. */
function time(req: PlatformRequest, name: string, now: number): number {
  const text = req.arg(name)?.trim();
  if (text === undefined || text === '' || text === '0') return 0;
  const relative = /^\+(\d{1,6})([smhdwy])$/.exec(text);
  if (relative !== null) return now + Number(relative[1]) * (UNITS[relative[2] ?? ''] ?? 0);
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1000);
  if (Number.isFinite(value) && value > 0) return value;
  throw new PlatformError(
    400,
    `Invalid value for argument "${name}": must be epoch seconds, an ISO 8601 time or a span such as +90d.`,
  );
}

function tokenEntry(token: TokenRecord): EaiEntry {
  return {
    name: token.id,
    acl: systemAcl(true, true),
    content: {
      claims: {
        aud: token.audience,
        exp: token.expires,
        iat: token.issued,
        idp: 'Splunk',
        iss: token.issuer,
        jti: token.id,
        nbr: token.notBefore,
        sub: token.user,
      },
      lastUsed: Math.floor(token.lastUsed),
      status: token.enabled ? 'enabled' : 'disabled',
      user: token.user,
    },
  };
}
