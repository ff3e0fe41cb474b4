import type { Fault, Problem } from './faults.ts';
import type { Json } from './json.ts';

/** What a call of one of the app's own rows sends. */
export interface OwnCall {
  params?: Json;
  query?: Readonly<Record<string, string>>;
  /** As a client sends it, but without the wrapper of the container families. */
  body?: Json;
  /** The version that the record must have. */
  condition?: number | undefined;
}

/** Calls of the app's own rows, each as the caller of this request would make it: gate, flag, checks, handler, pruned reply. */
export interface OwnCalls {
  /** The reply of status 200. @throws Fault */
  perform(id: string, call: OwnCall): Promise<Json>;
  /** Takes a refusal down in the audit trail as if the call had been made; only a rehearsal has met it. Never fails. */
  refused(id: string, call: OwnCall, fault: Fault): Promise<void>;
  /** The keys of a body that a row declares, and the paths of those that it would ignore. */
  known(id: string, body: Json): { body: Json; unknown: string[] };
  /** What the schema of a row finds wrong with a body. */
  problems(id: string, body: Json): Promise<Problem[]>;
  /** The same calls on stores that keep to themselves what they are given, and without calls to other servers. */
  rehearsal(): Rehearsal;
}

/** What calls would do. They see what those before them would have written. */
export interface Rehearsal extends OwnCalls {
  /** Reads records ahead, so that many calls cost few readings; only as many as are sure to fit into memory. */
  readAhead(collection: string, keys: readonly string[]): Promise<void>;
  /** The same for the secrets of records. */
  readSecretsAhead(collection: string, keys: readonly string[]): Promise<void>;
  /** Marks a moment, and forgets the one before. */
  begin(): void;
  /** Paths of the secrets that the calls since that moment would have set, replaced by others or removed. */
  changedSecrets(): Promise<string[]>;
  /** As if the calls since that moment had never been made. */
  undo(): void;
}
