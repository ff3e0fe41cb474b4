/** What the app knows of a field of a body. */
export interface FieldFacts {
  /** Dotted, from the body. */
  path: string;
  kind: 'text' | 'number' | 'integer' | 'switch' | 'choice' | 'texts' | 'map' | 'list' | 'json';
  /** Of a choice. */
  options?: readonly string[];
  /** Of a list of objects: their fields. */
  fields?: readonly FieldFacts[];
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  default?: unknown;
  about?: string;
  required?: true;
  /** `null` empties it. */
  nullable?: true;
  /** It is never shown again: what is stored stays as long as it is left out. */
  secret?: true;
}

/** Dotted path of a field -> what is in it. A secret that is stored is `STORED` until somebody touches it. */
export type Values = Readonly<Record<string, unknown>>;
