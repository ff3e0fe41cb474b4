import type { Json } from '../basics.ts';
import type { Fault, Problem } from '../codes/faults.ts';
import type { ResourceFamily } from '../families/resourceFamilies.ts';

/** What a call of one of the app's own rows sends. */
export interface InternalCall {
  params?: Json;
  query?: Readonly<Record<string, string>>;
  /** As a client sends it, but without the wrapper of the container families. */
  body?: Json;
  /** The version that the record must have. */
  condition?: number | undefined;
}

/** Whether an import is to make a record, which others of the document may name. @param name as the document names it */
export type IsPlanned = (family: ResourceFamily, name: string) => boolean;

/** Calls of the app's own rows, each as the caller of this request would make it: gate, flag, checks, handler, pruned reply. */
export interface InternalCalls {
  /** The reply of status 200. @throws Fault */
  perform(id: string, call: InternalCall): Promise<Json>;
  /**
   * What a create or an update would leave, as its row shows it: gate, flag, checks and the row's draft. Nothing is written, no
   * stored secret is read, and no other server is called. @throws Fault
   */
  draft(id: string, call: InternalCall, isPlanned: IsPlanned): Promise<{ config: Json; warnings: string[] }>;
  /** Records in the audit trail that a draft was refused, as if the call had been made. Never fails. */
  refused(id: string, call: InternalCall, fault: Fault): Promise<void>;
  /** The keys of a body that a row declares, and the paths of those that it would ignore. */
  known(id: string, body: Json): { body: Json; unknown: string[] };
  /** What the schema of a row finds wrong with a body. */
  problems(id: string, body: Json): Promise<Problem[]>;
}
