import type { AuditEntry, AuditedCall } from '../contract/audit.ts';
import type { Caller } from '../contract/caller.ts';
import type { Problem } from '../contract/codes/faults.ts';
import type { CompiledRow } from '../contract/rows/compiled.ts';
import type { AnyHandler } from '../contract/rows/handlers.ts';
import type { Sessions } from '../ports/platform/session.ts';
import type { Settings } from '../ports/stores/settings.ts';

/** Asked by rows that look at access lists, and by no others: it costs calls to the platform. */
export interface AccessLists {
  /** The caller with all that their roles import. */
  callerWithRoles(caller: Caller): Promise<Caller>;
  /** What is wrong with the roles that a body names, as far as it can be told before a record is read. */
  problems(kind: 'new' | 'stored', caller: Caller, body: unknown): Promise<Problem[]>;
}

/** What is needed to serve one request; built for each request, since tokens and addresses come with it. */
export interface RequestScope {
  sessions: Sessions;
  settings: Settings;
  accessLists: AccessLists;
  /** Before anything is read from the store or written to it. @throws Fault `newer_schema` */
  assertCurrentSchema(): Promise<void>;
  /** Once for each row that is carried out. */
  work(): Work;
}

/** What carries out one row. */
export interface Work {
  handler(row: CompiledRow): Promise<AnyHandler>;
  /** The entry of the audit trail that takes note of what the handler changes. Written by nobody yet. */
  record(call: AuditedCall): AuditEntry;
}
