import { OutboundError } from '../../contract/codes/outbound.ts';
import { displayUrl, plainHost } from '../../domain/net/url.ts';
import { type AddressPolicy, checkByName } from './guard.ts';

export interface Redirect {
  status: number;
  location: string | string[] | undefined;
  /** Whom we called. */
  from: URL;
}

/** How much of its `Location` a server may make us repeat. */
const MAX_LOCATION_LENGTH = 200;

/**
 * No redirect is ever followed: it would carry what the caller sends to wherever the server points.
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
      ? `${answered} and points ${whereTo(target)}; redirects are not followed.`
      : `${answered} and points to another address on the same host: use ${better} (redirects are not followed).`,
    more,
  );
}

function whereTo(target: URL | null): string {
  if (target === null || target.host === '' || target.host.length > MAX_LOCATION_LENGTH) return 'elsewhere';
  return `to ${target.host}`;
}

/** For redirects where the only mistake was a surplus slash, a missing path, or http. */
function addressToUse(from: URL, target: URL): string | undefined {
  if (!['http:', 'https:'].includes(target.protocol) || plainHost(target) !== plainHost(from)) return undefined;
  const better = new URL(target);
  // A server behind a TLS proxy often does not know that it is reached by https, and would send the token in the open.
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    better.protocol = from.protocol;
    better.port = from.port;
  }
  const corrected = displayUrl(better.href);
  return corrected === displayUrl(from.href) || corrected.length > MAX_LOCATION_LENGTH ? undefined : corrected;
}
