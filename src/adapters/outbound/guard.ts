import { lookup } from 'node:dns';
import { lookup as lookupAsync } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { OutboundError } from '../../contract/outbound.ts';
import { unlessAborted } from '../../domain/deadline.ts';
import { assertPlainUrl, plainHost, UrlProblem } from '../../domain/url.ts';
import { judgeAddress } from './addresses.ts';

export interface AddressPolicy {
  allowPrivate: boolean;
}

/** What an agent is told when every address of a name is closed. Carries our code through axios to `classify`. */
function refusal(host: string, verdict: 'forbidden' | 'private'): OutboundError {
  const why =
    verdict === 'private'
      ? 'private addresses are closed by the administrator ([outbound] allow_private = 0)'
      : 'link-local and metadata addresses are never called';
  return new OutboundError('blocked_by_policy', `The address of ${host} is not allowed: ${why}.`);
}

/** Parses an address that is about to be called: an unplain one is the configuration's fault. */
export function callableUrl(address: string): URL {
  try {
    return assertPlainUrl(address);
  } catch (error) {
    if (error instanceof UrlProblem) throw new OutboundError('configuration_invalid', error.message);
    throw error;
  }
}

/** Literal addresses never reach `lookup`, so they are judged here. */
export function checkLiteral(url: URL, policy: AddressPolicy): void {
  const host = plainHost(url);
  if (isIP(host) === 0) return;
  const verdict = judgeAddress(host, policy.allowPrivate);
  if (verdict !== 'allowed') throw refusal(host, verdict);
}

/**
 * The `lookup` of our agents: the system's answer without what the policy closes. The check sits here, and not before
 * the request, because a name may resolve differently the second time (DNS rebinding).
 */
export function guardedLookup(policy: AddressPolicy): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) {
        done(error, '', 0);
        return;
      }
      const open = found.filter((entry) => judgeAddress(entry.address, policy.allowPrivate) === 'allowed');
      const [first] = open;
      if (first === undefined) {
        const closed = found.some((entry) => judgeAddress(entry.address, policy.allowPrivate) === 'forbidden');
        done(refusal(host, closed ? 'forbidden' : 'private') as NodeJS.ErrnoException, '', 0);
      } else if (options.all) {
        done(null, open);
      } else {
        done(null, first.address, first.family);
      }
    });
  };
}

/**
 * Best effort where somebody else connects (a proxy) or nobody does (the target of a redirect): a name that this
 * machine can resolve to a closed address is refused; one it cannot resolve is left to the one who connects.
 */
export async function checkByName(url: URL, policy: AddressPolicy, signal: AbortSignal): Promise<void> {
  checkLiteral(url, policy);
  const host = plainHost(url);
  if (isIP(host) !== 0) return;
  // A resolver cannot be interrupted, only left behind.
  const found = await unlessAborted(
    lookupAsync(host, { all: true }).catch(() => []),
    signal,
  );
  for (const entry of found) {
    const verdict = judgeAddress(entry.address, policy.allowPrivate);
    if (verdict !== 'allowed') throw refusal(host, verdict);
  }
}
