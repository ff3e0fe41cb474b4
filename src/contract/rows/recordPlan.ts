/** How the app merges, shows and completes a field of a record; the build derives it from the definition of the record. */
export interface FieldPlan {
  /**
   * How a body changes the field. fixed: only a create sets it. value: it is replaced, null restores the default. set: as value, without
   * repetition. members: its members are merged, null removes all. own: no body has it, the app sets it.
   */
  merge: 'fixed' | 'value' | 'set' | 'members' | 'own';
  /** The value of a record without the field; absent: the field may be absent. */
  default?: unknown;
  isShown: boolean;
  /** Stored as JSON text, since the store restricts the names of fields. */
  isJson: boolean;
}

/** The part of a definition of records that the app needs, without the schema library. */
export interface RecordPlan {
  /** Paths (`details/token`) of all secrets; `*` stands for keys chosen by the caller. */
  secrets: readonly string[];
  fields: Readonly<Record<string, FieldPlan>>;
}

type PlannedFamily =
  | 'mcp-connections'
  | 'llm-providers'
  | 'vector-stores'
  | 'model-registrations'
  | 'containers'
  | 'model_aliases'
  | 'usage_limits'
  | 'search_tools'
  | 'masking_policies'
  | 'agents';

export type RecordPlans = Readonly<Record<PlannedFamily, RecordPlan>>;
