import type { Problem } from '../../contract/codes/faults.ts';

/** Checks values against JSON schemas of callers and servers. */
export interface SchemaChecks {
  /**
   * @param field of the request that has the schema
   * @throws Fault `validation_failed` for a schema that cannot be compiled in time
   */
  assertUsable(schema: Record<string, unknown>, field: string): Promise<void>;
  /** Problems of a value. None if the schema cannot be compiled, or checked in time. */
  problems(schema: Record<string, unknown>, value: unknown): Promise<Problem[]>;
}
