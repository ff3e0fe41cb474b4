import type { Random } from '../../support/random.ts';
import type { People } from './access.ts';
import type { Action, Event, Outcome, State } from './events.ts';
import { type Maybe, step } from './model.ts';

export const PEOPLE: People = {
  anna: { roles: ['ml_admin', 'ml_user', 'user'] },
  carl: { roles: ['readers', 'user'] },
};
export const PRIVATE = { sharing: 'user', read: [], write: [] } as const;
export const SHARED = { sharing: 'app', read: ['user'], write: [] } as const;

export type Fault = 'none' | 'lost update' | 'stale read' | 'torn write' | 'second winner' | 'ignored condition';

const CALLS = 60;
const FAULTY = 0.25;

/**
 * One record of a store in memory and clients whose calls overlap: each call takes effect at one moment between its
 * beginning and its end, and some are never answered. A fault breaks that now and then.
 */
export function simulate(random: Random, fault: Fault): Event[] {
  const calls = Array.from({ length: CALLS }, (_, id) => {
    const from = random.next() * CALLS * 4;
    const to = from + 1 + random.next() * 12;
    return { id, from, to, at: from + random.next() * (to - from), action: anyAction(random, id) };
  }).sort((a, b) => a.at - b.at);
  let state: Maybe;
  let before: Maybe;
  return calls.map(({ id, from, to, action }): Event => {
    const dies = random.chance(0.1);
    const bad = fault !== 'none' && random.chance(FAULTY);
    const asked = bad && fault === 'ignored condition' ? { ...action, condition: undefined } : action;
    const seen = bad && (fault === 'stale read' || fault === 'lost update') ? before : state;
    const start = bad && fault === 'second winner' && action.kind === 'create' ? undefined : seen;
    const { next, outcome } = carryOut(start, asked as Action);
    if (dies && random.chance(0.5)) return make(id, from, action, undefined);
    const isRead = ['read', 'test', 'list'].includes(action.kind);
    if (!isRead && outcome.kind === 'ok') [before, state] = [state, next];
    if (bad && fault === 'torn write' && state && action.kind === 'update') state = { ...state, mark: 'torn' };
    return make(id, from, action, dies ? undefined : outcome, to);
  });
}

function make(id: number, from: number, action: Action, outcome: Outcome | undefined, to = 0): Event {
  const rest = outcome ? { outcome, to } : { outcome: UNKNOWN, to: Number.POSITIVE_INFINITY };
  return { id, client: `c${id}`, via: 0, user: 'anna', family: 'mcp', key: 'k', action, from, ...rest };
}
const UNKNOWN: Outcome = { kind: 'unknown', because: 'no answer' };

function anyAction(random: Random, id: number): Action {
  const host = random.pick(['a', 'b']);
  const condition = random.chance(0.3) ? { condition: 1 + random.below(3) } : {};
  const kind = random.pick([
    'create',
    'create',
    'update',
    'update',
    'update',
    'move',
    'delete',
    'read',
    'read',
    'test',
  ]);
  if (kind === 'create')
    return { kind, fields: { mark: `m${id}`, host, secret: `key-for-${host}-${id}`, acl: PRIVATE } };
  if (kind === 'update') return { kind, fields: { mark: `m${id}` }, ...condition };
  if (kind === 'move') return { kind: 'update', fields: { host, secret: `key-for-${host}-${id}` }, ...condition };
  if (kind === 'delete') return { kind, ...condition };
  return { kind: kind as 'read' | 'test' };
}

/** The answer that the contract demands, found by trying: the model says which answers it allows. */
function carryOut(state: Maybe, action: Action): { next: Maybe; outcome: Outcome } {
  const event = make(0, 0, action, undefined);
  const refusals = ['taken', 'missing', 'denied', 'bound'] as const;
  const conflict = { why: 'conflict', current: state?.version ?? 0 } as const;
  for (const refusal of [...refusals.map((why) => ({ why })), conflict]) {
    const outcome: Outcome = { kind: 'fail', refusal };
    if (step(PEOPLE, state, { ...event, outcome }) !== 'illegal') return { next: state, outcome };
  }
  const done = step(PEOPLE, state, event);
  const next = done === 'illegal' ? state : done.next;
  if (action.kind === 'delete' || !next) return { next, outcome: { kind: 'ok' } };
  return { next, outcome: action.kind === 'test' ? metBy(next) : shownBy(next) };
}

const metBy = ({ host, secret }: State): Outcome => ({ kind: 'ok', met: { host, secret: secret ?? '' } });
const shownBy = ({ version, mark, host, secret }: State): Outcome => ({
  kind: 'ok',
  observed: { version, mark, host, hasSecret: secret !== null },
});
