import { StateBadge, type Tone } from '../../parts/text/Badge.tsx';
import type { Running } from './data.ts';

export const WAITING = 'Waiting for Url to start';

/** Status -> in words, and how it is to be taken. */
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
  creating: 'the engine makes it',
  pulling: 'pulling the image',
  scheduling: 'looking for a node',
  unschedulable: 'no node has room for it',
  volume_pending: 'waiting for its volume',
  volume_unbound: 'its volume cannot be had',
  lb_pending: 'waiting for the load balancer',
  starting: 'the application is starting',
  crashed: 'it has crashed',
  crash_loop: 'it crashes again and again',
  oom_killed: 'it ran out of memory',
  exited: 'it has ended by itself',
  stopped: 'it was stopped',
  removed_externally: 'it was removed from the engine by somebody else',
  image_not_found: 'there is no such image',
  image_pull_failed: 'the image could not be pulled',
  image_pull_interrupted: 'the pull of the image was broken off',
  quota_exceeded: 'a limit of the engine is reached',
};

const PROBES: Readonly<Record<string, string>> = {
  token_rejected: 'the application refuses the token',
  wrong_application: 'another application answers',
  timeout: 'no answer in time',
  refused: 'the connection is refused',
  dns: 'the host is not known',
  tls_error: 'the certificate is not trusted',
  plain_http_on_https: 'the application speaks no https',
  engine_unreachable: 'the engine does not answer',
};

const worded = (words: Readonly<Record<string, string>>, code: string): string =>
  words[code] ?? code.replaceAll('_', ' ');

/** The state, why it is so, and how far it is. */
export function State({ container }: { container: Running }) {
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

/** Why the application was not reached the last time; nothing if it was. */
export const probeWords = (code: string): string => (code ? worded(PROBES, code) : '');
