import { jsonReply } from '../eai/replies.ts';
import { PlatformError } from '../http/reply.ts';
import type { Route } from '../http/route.ts';

export type FaultName = 'kvstore' | 'passwords';
export type Fault =
  | { mode: 'ok' | 'down' | 'read_only' }
  /** Only the KV store has these. */
  | { mode: 'disabled' | 'starting' }
  | { mode: 'slow'; ms: number }
  /** Percentage of calls whose connection is reset, before or after the work. */
  | { mode: 'reset' | 'reset_after'; percent: number };

const NAMES: FaultName[] = ['kvstore', 'passwords'];

/** Maximum delay: a longer one that is forgotten looks like a hang. */
const MAX_SLOW_MS = 600_000;

/** The fault switch for tests. Kept in memory, so a restart clears it. */
export class Faults {
  readonly #state: Record<FaultName, Fault> = { kvstore: { mode: 'ok' }, passwords: { mode: 'ok' } };

  get(name: FaultName): Fault {
    return this.#state[name];
  }

  set(name: FaultName, fault: Fault): void {
    this.#state[name] = fault;
  }
}

function parseFault(name: FaultName, text: string): Fault | undefined {
  if (name === 'kvstore' && (text === 'disabled' || text === 'starting')) return { mode: text };
  if (text === 'ok' || text === 'down' || text === 'read_only') return { mode: text };
  const slow = /^slow:(\d{1,6})$/.exec(text);
  const ms = Number(slow?.[1]);
  if (slow !== null) return ms <= MAX_SLOW_MS ? { mode: 'slow', ms } : undefined;
  const [, mode, digits] = /^(reset|reset_after):(\d{1,3})$/.exec(text) ?? [];
  const percent = Number(digits);
  if (mode !== 'reset' && mode !== 'reset_after') return undefined;
  return percent <= 100 ? { mode, percent } : undefined;
}

function show(fault: Fault): string {
  if (fault.mode === 'slow') return `slow:${fault.ms}`;
  return 'percent' in fault ? `${fault.mode}:${fault.percent}` : fault.mode;
}

/** Not an EAI endpoint: the real platform has none here. */
export function faultRoutes(faults: Faults): Route[] {
  const reply = () => jsonReply(200, Object.fromEntries(NAMES.map((name) => [name, show(faults.get(name))])));
  return [
    {
      method: ['GET', 'POST'],
      pattern: '/embedded/faults',
      handle: (req) => {
        if (!req.caller?.roles.includes('admin') && req.caller?.system !== true) {
          throw new PlatformError(403, 'insufficient permission to access this resource', 'WARN');
        }
        if (req.method === 'GET') return reply();
        const requested: [FaultName, Fault][] = [];
        for (const [name, text] of [...req.form, ...req.query]) {
          if (name === 'output_mode') continue;
          const supported = NAMES.find((candidate) => candidate === name);
          if (supported === undefined)
            throw new PlatformError(400, `Argument "${name}" is not supported by this handler.`);
          const fault = parseFault(supported, text);
          if (fault === undefined) {
            throw new PlatformError(
              400,
              `Invalid value for argument "${name}": must be ok, down, read_only, ${supported === 'kvstore' ? 'disabled, starting, ' : ''}slow:<ms> (at most ${MAX_SLOW_MS}), reset:<percent> or reset_after:<percent>.`,
            );
          }
          requested.push([supported, fault]);
        }
        if (requested.length === 0)
          throw new PlatformError(400, 'One of the arguments "kvstore" and "passwords" is required.');
        for (const [name, fault] of requested) faults.set(name, fault);
        return reply();
      },
    },
  ];
}
