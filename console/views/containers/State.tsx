import { StateBadge, type Tone } from '../../parts/text/Badge.tsx';
import type { ModelContainer } from './data.ts';

export const WAITING = 'Waiting for Url to start';

/** Status -> label and tone. */
const STATES: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  [WAITING]: ['Waiting', 'info'],
  Active: ['Active', 'success'],
  Unreachable: ['Unreachable', 'warning'],
  Failed: ['Failed', 'error'],
  Stopped: ['Stopped', 'outline'],
};

export const STATUSES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(STATES).map(([status, [words]]) => [status, words]),
);

const REASONS: Readonly<Record<string, string>> = {
  pulling: 'pulling the image',
  unschedulable: 'no node has room',
  volume_pending: 'waiting for the volume',
  volume_unbound: 'volume unavailable',
  lb_pending: 'waiting for the load balancer',
  starting: 'the application is starting',
  oom_killed: 'out of memory',
  removed_externally: 'removed outside the app',
};

const PROBES: Readonly<Record<string, string>> = {
  timeout: 'no answer in time',
  refused: 'connection refused',
  dns: 'unknown host',
  tls_error: 'untrusted certificate',
  plain_http_on_https: 'no HTTPS',
};

const worded = (words: Readonly<Record<string, string>>, code: string): string =>
  words[code] ?? code.replaceAll('_', ' ');

/** The state with its reason and progress. */
export function State({ container }: { container: ModelContainer }) {
  const { status, status_reason, status_message } = container;
  const [words, tone] = STATES[status] ?? [status, 'outline'];
  return (
    <>
      <StateBadge tone={tone}>{status_reason ? `${words}: ${worded(REASONS, status_reason)}` : words}</StateBadge>
      {status_message && (
        <div>
          <small>{status_message}</small>
        </div>
      )}
    </>
  );
}

/** The reason that the last probe failed; empty if it succeeded. */
export const probeWords = (code: string): string => (code ? worded(PROBES, code) : '');
