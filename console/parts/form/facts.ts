/** The type and limits of a field. */
export interface FieldFacts {
  /** Dotted path in the body. */
  path: string;
  kind: 'text' | 'number' | 'integer' | 'switch' | 'choice' | 'texts' | 'map' | 'list' | 'json';
  options?: readonly string[];
  /** Facts about the fields of the objects of a list. */
  fields?: readonly FieldFacts[];
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  default?: unknown;
  about?: string;
  required?: true;
  /** `null` clears it. */
  nullable?: true;
  /** Never shown; kept unless sent. */
  secret?: true;
}

/** Dotted path -> value. An unchanged stored secret is `STORED`. */
export type Values = Readonly<Record<string, unknown>>;
