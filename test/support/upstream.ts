import { unmetered } from '../../src/domain/async/unmetered.ts';
import type { Deadline } from '../../src/ports/platform/clock.ts';
import type { Upstream } from '../../src/ports/platform/upstream.ts';

/** An upstream that counts the requests that a test makes through it, and repeats none. */
export function countedUpstream(deadline: Deadline): Upstream & { attempts: number } {
  const upstream = {
    ...unmetered(deadline),
    attempts: 0,
    request<T>(send: () => Promise<T>): Promise<T> {
      upstream.attempts += 1;
      return send();
    },
  };
  return upstream;
}

/** What a call through an upstream answers, and how many requests that took; a failure tells them as well. */
export async function counted<T extends object>(
  deadline: Deadline,
  call: (upstream: Upstream) => Promise<T>,
): Promise<T & { attempts: number }> {
  const upstream = countedUpstream(deadline);
  try {
    return { ...(await call(upstream)), attempts: upstream.attempts };
  } catch (error) {
    throw Object.assign(error as Error, { attempts: upstream.attempts });
  }
}
