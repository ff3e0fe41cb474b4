import { MASK } from '../../contract/basics.ts';
import { invalid } from '../../contract/codes/faults.ts';
import { storedCertificates } from '../../domain/net/certificates.ts';
import { hostBinding, staysBound } from '../../domain/net/url.ts';
import type { SecretChange } from '../../domain/secrets/secrets.ts';
import { tokenEnd } from '../../domain/secrets/tokenExpiry.ts';
import type { FamilyFields, MergeContext } from '../../resources/kind.ts';
import type { McpStored, McpUpdate } from './definition.ts';
import { canRefresh } from './tokens/refreshDue.ts';

/** The body of a create, an update or a test. */
export type McpFields = Partial<McpUpdate>;

export function mergeMcp(
  base: McpStored | undefined,
  { type }: McpFields,
  _context: MergeContext,
  { details, tools_allowed }: FamilyFields<McpStored>,
): Partial<FamilyFields<McpStored>> {
  if (base && type !== undefined && type !== base.type) {
    throw invalid([{ field: 'type', message: `cannot be changed; it is ${base.type}` }]);
  }
  const { ca_certificate: ca } = details;
  // Rules also run on bodies that fail their schema.
  const isText = typeof ca === 'string';
  return {
    details: {
      ...{ ...details, url: String(details.url ?? '') },
      ...(isText && { ca_certificate: storedCertificates(ca, base?.details.ca_certificate) }),
    },
    ...(!Array.isArray(tools_allowed) && { tools_allowed: undefined }),
  };
}

/** Secrets that go to the token endpoint. */
const OAUTH_SECRETS = ['details/client_secret', 'details/refresh_token'];

/** Drops fields that were discovered for an old server or old credentials. */
export function carryOverDiscovered(
  next: FamilyFields<McpStored>,
  record: McpStored | undefined,
  { submitted, keep }: SecretChange,
  now: number,
): FamilyFields<McpStored> {
  const result = { ...next };
  if (submitted['details/token'] && submitted['details/token'] !== MASK) {
    result.token_obtained_at = now;
    result.token_expires_at = tokenEnd(submitted['details/token']);
  }
  if (!record) return result;
  const [before, after] = [record.details, next.details];
  const credentials = Object.values(submitted).some((value) => value !== null && value !== MASK);
  const moved = before.url !== after.url || before.token_url !== after.token_url;
  if (moved) result.transport_detected = undefined;
  if (!staysBound(hostBinding(before.url), hostBinding(after.url))) {
    result.acceptance = undefined;
    result.accepted_tools = undefined;
  }
  if (!keep.some((path) => OAUTH_SECRETS.includes(path))) {
    result.token_url_detected = undefined;
    result.discovery_url = undefined;
  } else if (result.token_url_detected === undefined && result.discovery_url === undefined) {
    // Another path of the host may have another owner, who must not redirect the stored secrets.
    const old = pathOf(before.url);
    if (old !== pathOf(after.url)) result.discovery_url = new URL(old, after.url).href;
  }
  // A refusal without refresh, or of another client, does not apply to a refresh that is possible now.
  const refreshable = canRefresh({ ...record, ...result }) && !canRefresh(record);
  const isOtherClient = before.client_id !== after.client_id || before.scope !== after.scope;
  if (moved || credentials || refreshable || isOtherClient) result.auth_state = 'unknown';
  return result;
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}
