/** Shown by the catalogue, enforced by validation. */
export const LIMITS = {
  request_timeout: { minimum: 1, maximum: 600, default: 30 },
  response_variability: { minimum: 0, maximum: 1 },
  max_tokens: { minimum: 1 },
  name_length: 256,
  /** How deep objects and lists may be nested in a configuration. */
  depth: 32,
  /** How many fields and entries of lists a configuration may have in all. */
  fields: 10_000,
  /** How many credentials a configuration may hold, declared or not, and how many characters in all of them. */
  credentials: 100,
  credential_characters: 65_536,
  /** Size of a connection's document with all its models: the store takes documents of up to 16 MB. */
  connection_bytes: 12_000_000,
} as const;

/** `api-version` of Azure OpenAI, or its version without one. */
export const API_VERSION_PATTERN = '^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(-preview)?|v1)$';
