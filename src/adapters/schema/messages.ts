import type { Problem } from '../../contract/codes/faults.ts';
import type { SchemaOwner } from '../../ports/platform/schemaChecks.ts';

/** Order to a thread. */
export interface CheckOrder {
  schema: string;
  owner: SchemaOwner;
  /** JSON; without one the schema is only compiled. */
  value: string | undefined;
}

export interface CheckAnswer {
  /** Whether the schema can be compiled. */
  isUsable: boolean;
  /** Whether the value was checked. */
  isChecked: boolean;
  problems: Problem[];
}
