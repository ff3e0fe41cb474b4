import { OutboundError } from '../../contract/codes/outbound.ts';
import { displayUrl, plainHost } from '../../domain/net/url.ts';
import { type AddressPolicy, checkByName } from './guard.ts';

export interface Redirect {
  status: number;
  location: string | string[] | undefined;
  from: URL;
}

/** Limit for a `Location` in a message. */
const MAX_LOCATION_LENGTH = 200;

/** These keep the method and the body. */
const KEEPS_BODY = [307, 308];

/** The address to which a request may be repeated with its body and secrets: another path of the same scheme, host and port. */
export function sameOriginTarget({ status, location, from }: Redirect): URL | undefined {
  const target = KEEPS_BODY.includes(status) && typeof location === 'string' ? URL.parse(location, from) : null;
  if (target === null || target.origin !== from.origin || target.username !== '' || target.password !== '')
    return undefined;
  return target;
}

/**
 * Redirects are not followed, since they would send the caller's data to another server.
 * @throws OutboundError for a 3xx, naming the other host, or on the same host the address to use
 */
export async function refuseRedirect(redirect: Redirect, policy: AddressPolicy, signal: AbortSignal): Promise<void> {
  const { status, location, from } = redirect;
  if (status < 300 || status > 399) return;
  const more = { httpStatus: status };
  const target = typeof location === 'string' ? URL.parse(location, from) : null;
  const blocked = target === null ? undefined : await checkByName(target, policy, signal).catch((error) => error);
  if (blocked instanceof OutboundError) throw new OutboundError(blocked.code, blocked.message, more);
  const answered = `${from.host} answered ${status}`;
  const better = target === null ? undefined : addressToUse(from, target);
  throw new OutboundError(
    'upstream_error',
    better === undefined
      ? `${answered} and points ${whereTo(target)}; redirects are not followed`
      : `${answered} and points to another address on the same host: use ${better} (redirects are not followed)`,
    more,
  );
}

function whereTo(target: URL | null): string {
  if (target === null || target.host === '' || target.host.length > MAX_LOCATION_LENGTH) return 'elsewhere';
  return `to ${target.host}`;
}

/** The URL to configure if the redirect only corrects a slash, a path or http. */
function addressToUse(from: URL, target: URL): string | undefined {
  if (!['http:', 'https:'].includes(target.protocol) || plainHost(target) !== plainHost(from)) return undefined;
  const better = new URL(target);
  // A server behind a TLS proxy may redirect to http, which would send the token unencrypted.
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    better.protocol = from.protocol;
    better.port = from.port;
  }
  const corrected = displayUrl(better.href);
  return corrected === displayUrl(from.href) || corrected.length > MAX_LOCATION_LENGTH ? undefined : corrected;
}
