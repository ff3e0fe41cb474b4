import { mayRead, mayShare, mayWrite, type People, sameAcl } from './access.ts';
import type { Acl, Action, Event, Fields, ObservedState, Outcome, Refusal, State } from './events.ts';

/** One record as the contract describes it: the effect of each call and the answers it allows. Undefined: absent. */
export type Maybe = State | undefined;

type Verdict = { next: Maybe } | 'illegal';

/** The record after an event, or `illegal` when its answer cannot come from this state. */
export function step(people: People, state: Maybe, event: Event): Verdict {
  const { action, outcome, user } = event;
  if (outcome.kind === 'unknown') return { next: effect(people, state, event) };
  if (outcome.kind === 'fail')
    return allows(people, state, action, user, outcome.refusal) ? { next: state } : 'illegal';
  if (refusalOf(people, state, action, user) !== undefined) return 'illegal';
  const next = effect(people, state, event);
  const isConsistent = action.kind === 'delete' ? true : matches(action, next, outcome);
  return isConsistent ? { next } : 'illegal';
}

/** The effect of a write; none if it must be refused. */
function effect(people: People, state: Maybe, { action, user }: Event): Maybe {
  if (refusalOf(people, state, action, user) !== undefined) return state;
  switch (action.kind) {
    case 'create':
      return created(action.fields, user);
    case 'save':
      return state ? changed(state, action.fields) : created(action.fields, user);
    case 'update':
      return state && changed(state, action.fields);
    case 'delete':
      return undefined;
    default:
      return state;
  }
}

function created(fields: Fields, user: string): State {
  const acl: Acl | null = fields.acl ? { owner: user, ...fields.acl } : null;
  return { version: 1, mark: fields.mark ?? '', host: fields.host ?? '', secret: fields.secret ?? null, acl };
}

function changed(state: State, fields: Fields): State {
  return {
    version: state.version + 1,
    mark: fields.mark ?? state.mark,
    host: fields.host ?? state.host,
    secret: fields.secret === undefined ? state.secret : fields.secret,
    acl: fields.acl ? { owner: state.acl?.owner ?? '', ...fields.acl } : state.acl,
  };
}

/** The refusal that the contract demands, if any. */
function refusalOf(people: People, state: Maybe, action: Action, user: string): Refusal['why'] | undefined {
  if (action.kind === 'create') return state ? 'taken' : undefined;
  if (action.kind === 'save' && !state) return action.condition === undefined ? undefined : 'conflict';
  if (!state || !mayRead(people, user, state.acl)) return 'missing';
  if (action.kind === 'read' || action.kind === 'list' || action.kind === 'test') return undefined;
  if (!mayWrite(people, user, state.acl)) return 'denied';
  if (action.condition !== undefined && action.condition !== state.version) return 'conflict';
  if (action.kind === 'delete') return undefined;
  const { acl, host, secret } = action.fields;
  const isMoved = host !== undefined && host !== state.host;
  if (isMoved && state.secret !== null && secret === undefined) return 'bound';
  if (acl && state.acl && !sameAcl({ ...acl, owner: state.acl.owner }, state.acl) && !mayShare(people, user, state.acl))
    return 'denied';
  return undefined;
}

/** Of several reasons to refuse a call the product may name any. */
function allows(people: People, state: Maybe, action: Action, user: string, refusal: Refusal): boolean {
  const first = refusalOf(people, state, action, user);
  if (first === undefined) return false;
  if (refusal.why !== 'conflict') return refusal.why === first || alsoBound(state, action, refusal);
  const condition = 'condition' in action ? action.condition : undefined;
  const current = state?.version ?? 0;
  // The version is shown only to users with write access.
  if (state && !mayWrite(people, user, state.acl)) return false;
  return condition !== undefined && condition !== current && refusal.current === current;
}

function alsoBound(state: Maybe, action: Action, refusal: Refusal): boolean {
  if (refusal.why !== 'bound' || !state || !('fields' in action)) return false;
  const { host, secret } = action.fields;
  return host !== undefined && host !== state.host && state.secret !== null && secret === undefined;
}

function matches(action: Action, next: Maybe, outcome: Outcome & { kind: 'ok' }): boolean {
  if (!next) return false;
  if (action.kind === 'test' && outcome.met)
    return outcome.met.host === next.host && outcome.met.secret === (next.secret ?? '');
  return outcome.observed === undefined || shows(next, outcome.observed);
}

function shows(state: State, observed: ObservedState): boolean {
  if (observed.version !== state.version || observed.mark !== state.mark) return false;
  if (observed.host !== undefined && observed.host !== state.host) return false;
  if (observed.hasSecret !== undefined && observed.hasSecret !== (state.secret !== null)) return false;
  return observed.acl === undefined || (state.acl !== null && sameAcl(observed.acl, state.acl));
}
