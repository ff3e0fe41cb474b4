/** Calls and their outcomes. The checker knows nothing else of the product. */

export interface Acl {
  owner: string;
  sharing: 'user' | 'app' | 'global';
  read: readonly string[];
  write: readonly string[];
}

/** A record as the model has it. `secret` null: none is stored. */
export interface State {
  version: number;
  mark: string;
  host: string;
  secret: string | null;
  acl: Acl | null;
}

/** Fields of a write; absent fields keep their values. */
export interface Fields {
  mark?: string;
  host?: string;
  /** null deletes. */
  secret?: string | null;
  acl?: Omit<Acl, 'owner'>;
}

export type Action =
  | { kind: 'create'; fields: Fields & { mark: string; host: string } }
  | { kind: 'update'; fields: Fields; condition?: number }
  /** Creates or updates: families that have one call for both. */
  | { kind: 'save'; fields: Fields & { mark: string; host: string }; condition?: number }
  | { kind: 'delete'; condition?: number }
  | { kind: 'read' }
  /** One record's part of a list. */
  | { kind: 'list' }
  /** A test of the saved record: its secret travels to its host. */
  | { kind: 'test' };

/** Why a call was refused, as far as the model has a rule for it. */
export type Refusal =
  | { why: 'taken' }
  | { why: 'missing' }
  | { why: 'denied' }
  | { why: 'conflict'; current: number }
  | { why: 'bound' };

/** The record in an answer; `hasSecret` and `acl` if the family shows them. */
export interface ObservedState {
  version: number;
  mark: string;
  host?: string;
  hasSecret?: boolean;
  acl?: Acl;
}

export type Outcome =
  | { kind: 'ok'; observed?: ObservedState; met?: { host: string; secret: string } }
  | { kind: 'fail'; refusal: Refusal }
  /** Nobody knows whether it was done: no answer, a killed process, a store that failed. */
  | { kind: 'unknown'; because: string };

export interface Event {
  id: number;
  client: string;
  /** Through which member or base address. */
  via: number;
  user: string;
  family: string;
  key: string;
  action: Action;
  outcome: Outcome;
  /** Monotonic milliseconds; calls of unknown outcome never end. */
  from: number;
  to: number;
}

export const isWrite = ({ action }: Event): boolean => !['read', 'list', 'test'].includes(action.kind);
