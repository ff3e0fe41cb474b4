import type { Json } from '../basics.ts';
import type { Problem } from '../codes/faults.ts';
import type { ResourceFamily } from '../families/resourceFamilies.ts';

/** Input of a call from one endpoint to another. */
export interface InternalCall {
  params?: Json;
  query?: Readonly<Record<string, string>>;
  /** Without the `payload` wrapper of the container families. */
  body?: Json;
  /** Required version of the record. */
  condition?: number | undefined;
  /** Whether the record comes from a document that is imported. */
  isImport?: boolean | undefined;
}

/** Whether an import will create this record. @param name as in the imported document, or a reference */
export type IsPlanned = (family: ResourceFamily, name: string) => boolean;

/** Calls endpoints as the caller of this request, with gate, flag, validation and pruning. */
export interface InternalCalls {
  /** Checks the capabilities of the caller alone. @throws Fault `missing_capability` */
  assertGate(id: string): void;
  /** Returns the body of the 200 reply. @throws Fault */
  perform(id: string, call: InternalCall): Promise<Json>;
  /**
   * Returns the record that a create or update would leave. Writes nothing, reads no stored secret and calls no server.
   * @throws Fault
   */
  draft(id: string, call: InternalCall, isPlanned: IsPlanned): Promise<{ config: Json; warnings: string[] }>;
  /** Splits a body into the declared keys and the paths of unknown ones. */
  known(id: string, body: Json): { body: Json; unknown: string[] };
  /** Validates a body against the schema of an endpoint. */
  problems(id: string, body: Json): Promise<Problem[]>;
}
