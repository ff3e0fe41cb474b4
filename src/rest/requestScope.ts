import type { AuditEntry, AuditedCall } from '../contract/audit.ts';
import type { Caller } from '../contract/caller.ts';
import type { Problem } from '../contract/codes/faults.ts';
import type { CompiledRow } from '../contract/rows/compiled.ts';
import type { AnyHandler } from '../contract/rows/handlers.ts';
import type { UnreadableRecord } from '../contract/unreadable.ts';
import type { Sessions } from '../ports/platform/session.ts';
import type { Settings } from '../ports/stores/settings.ts';

/** Only for endpoints that check access lists, since it calls the platform. */
export interface AccessLists {
  /** Adds imported roles. @param always for administrators too, who pass every access list */
  callerWithRoles(caller: Caller, always: boolean): Promise<Caller>;
  /** Problems with roles in a body that can be found without reading the record. */
  problems(kind: 'new' | 'stored', caller: Caller, body: unknown): Promise<Problem[]>;
}

/** Permission of one request to wait for upstreams. */
export interface Admission {
  /** Takes a slot at the first call. @throws Fault `busy` */
  enter(): Promise<void>;
  /** At the end of the request. */
  leave(): void;
}

/** Services for one request, since tokens and addresses come with it. */
export interface RequestScope {
  sessions: Sessions;
  settings: Settings;
  accessLists: AccessLists;
  /** Must be called before any access to the store. @throws Fault `newer_schema` */
  assertCurrentSchema(): Promise<void>;
  admission: Admission;
  /** The stored records that lists left out so far. */
  leftOut(): readonly UnreadableRecord[];
  /** The record that a request could not read; undefined for another error. */
  unreadable(thrown: unknown): UnreadableRecord | undefined;
  /** Removes such a record and its secret. @param family of the endpoint */
  removeUnreadable(family: string, record: UnreadableRecord): Promise<void>;
  /** One per call of an endpoint. */
  work(): Work;
}

export interface Work {
  handler(row: CompiledRow): Promise<AnyHandler>;
  /** Creates (but does not write) the audit entry for the handler's changes. */
  record(call: AuditedCall): AuditEntry;
}
