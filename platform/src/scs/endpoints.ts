import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { systemAcl } from '../eai/entry.ts';
import { eaiReply, requestBase } from '../eai/feed.ts';
import { PlatformError } from '../http/reply.ts';
import type { Route } from '../http/route.ts';

/** The tenant in Splunk's cloud that the platform says it has. */
export interface ScsTenant {
  tenant: string;
  /** Host of the tenant's services, with a port where it has one. */
  host: string;
}

const LIFE_S = 3600;
const INFO = '/server/scs/tenantinfo';
const TOKENS = '/authorization/scs_tokens';

/** The tenant information and the tokens for its services that Splunk Cloud has. None on premises, where both are 404. */
export function scsRoutes(scs: ScsTenant | undefined): Route[] {
  if (scs === undefined) return [];
  const key = randomBytes(32);
  const { tenant, host } = scs;
  const info = {
    cloudStack: tenant,
    ecRegion: 'region-embedded',
    globalHostname: host,
    legacyAppHostname: host,
    regionHostname: host,
    tenant,
    tenantHostname: host,
  };
  return [
    {
      method: 'GET',
      pattern: INFO,
      handle: (req) =>
        eaiReply(req, {
          title: 'tenantinfo',
          base: requestBase(req, INFO),
          entries: [{ name: 'tenantinfo', acl: systemAcl(false), content: info }],
        }),
    },
    {
      method: 'GET',
      pattern: TOKENS,
      handle(req) {
        if (req.caller?.system !== true) throw new PlatformError(403, 'Forbidden');
        const [principal, scope] = ['principalId', 'scope'].map((name) => {
          const value = req.arg(name) ?? '';
          if (value === '') throw new PlatformError(400, `The following required arguments are missing: ${name}.`);
          return value;
        });
        const now = Math.floor(Date.now() / 1000);
        const token = signed({ aud: principal, scope, tenant, iat: now, exp: now + LIFE_S, jti: randomUUID() }, key);
        return eaiReply(req, {
          title: 'scs_tokens',
          base: requestBase(req, TOKENS),
          entries: [{ name: 'scs_token', acl: systemAcl(false), content: { scs_token: token } }],
        });
      },
    },
  ];
}

/** A JWT. */
function signed(claims: object, key: Buffer): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}
