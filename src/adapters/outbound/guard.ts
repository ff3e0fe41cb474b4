import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { lookup as lookupAsync } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import { assertPlainUrl, isLoopbackName, plainHost, UrlProblem } from '../../domain/net/url.ts';
import { isLoopbackAddress, judgeAddress } from './addresses.ts';

export interface AddressPolicy {
  allowPrivate: boolean;
}

/** Passes through axios to `classify`, which keeps the code. */
function refusal(host: string, why: keyof typeof REASONS): OutboundError {
  return new OutboundError('blocked_by_policy', `The address of ${host} is not allowed: ${REASONS[why]}`);
}

const REASONS = {
  private: 'the administrator does not allow private addresses ([outbound] allow_private = 0)',
  forbidden: 'link-local and metadata addresses are never called',
  elsewhere: 'this name stands for this machine, but it resolves to another one',
} as const;

type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** @throws OutboundError `configuration_invalid` */
export function callableUrl(address: string): URL {
  try {
    return assertPlainUrl(address);
  } catch (error) {
    if (error instanceof UrlProblem) throw new OutboundError('configuration_invalid', error.message);
    throw error;
  }
}

/** Literal addresses are not passed to `lookup`, so they are checked here. */
export function checkLiteral(url: URL, policy: AddressPolicy): void {
  const host = plainHost(url);
  if (isIP(host) === 0) return;
  const verdict = judgeAddress(host, policy.allowPrivate);
  if (verdict !== 'allowed') throw refusal(host, verdict);
}

/**
 * The agents' `lookup`: the system's addresses that the policy allows. Checked here rather than before the request, since
 * a name may resolve differently the second time (DNS rebinding).
 */
export function guardedLookup(policy: AddressPolicy, resolve: Resolve = lookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, answer) => {
      if (error) {
        done(error, '', 0);
        return;
      }
      // Loopback names bypass proxies and TLS, so they must resolve to this machine.
      const addresses = isLoopbackName(host.toLowerCase().replace(/\.$/, ''))
        ? answer.filter((entry) => isLoopbackAddress(entry.address))
        : answer;
      const open = addresses.filter((entry) => judgeAddress(entry.address, policy.allowPrivate) === 'allowed');
      const [first] = open;
      if (first === undefined) {
        done(refusal(host, refusalReason(addresses, policy)) as NodeJS.ErrnoException, '', 0);
      } else if (options.all) {
        done(null, open);
      } else {
        done(null, first.address, first.family);
      }
    });
  };
}

function refusalReason(addresses: readonly LookupAddress[], policy: AddressPolicy): keyof typeof REASONS {
  if (addresses.length === 0) return 'elsewhere';
  const isForbidden = addresses.some((entry) => judgeAddress(entry.address, policy.allowPrivate) === 'forbidden');
  return isForbidden ? 'forbidden' : 'private';
}

/**
 * Best effort if a proxy connects, or for the target of a redirect: a name that resolves to a blocked address here is
 * refused; a name that does not resolve here is left to the proxy.
 */
export async function checkByName(url: URL, policy: AddressPolicy, signal: AbortSignal): Promise<void> {
  checkLiteral(url, policy);
  const host = plainHost(url);
  if (isIP(host) !== 0) return;
  // A lookup cannot be cancelled.
  const addresses = await unlessAborted(
    lookupAsync(host, { all: true }).catch(() => []),
    signal,
  );
  for (const entry of addresses) {
    const verdict = judgeAddress(entry.address, policy.allowPrivate);
    if (verdict !== 'allowed') throw refusal(host, verdict);
  }
}
