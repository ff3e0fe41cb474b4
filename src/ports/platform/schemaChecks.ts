import type { Problem } from '../../contract/codes/faults.ts';

/** Whose schema it is; compiled schemas of one owner do not push out those of the other. */
export type SchemaOwner = 'caller' | 'server';

export interface SchemaCheck {
  /** Problems of the value. None if it was not checked. */
  problems: Problem[];
  /** Why it was not checked: the schema cannot be compiled, or this check exceeded a limit of time or size. */
  unchecked?: 'schema' | 'limit' | undefined;
}

/** Checks values against JSON schemas of callers and servers. */
export interface SchemaChecks {
  /**
   * @param field of the request that has the schema
   * @throws Fault `validation_failed` for a schema that is too large or cannot be compiled in time
   */
  assertUsable(schema: Record<string, unknown>, field: string): Promise<void>;
  /** @param json the value as JSON */
  check(schema: Record<string, unknown>, json: string, owner: SchemaOwner): Promise<SchemaCheck>;
}
