/** The providers by the names of interface 2.6, in its order: what `service` holds in bodies, addresses and records. */
export const PROVIDER_NAMES = [
  'General_Chat',
  'Enterprise_Cloud_Chat',
  'Assistant_Family',
  'Cloud_Model_Hub',
  'Fast_Inference',
  'Search_Vendor_Models',
  'Local_Runtime',
  'Platform_Hosted_Models',
] as const;
export type Provider = (typeof PROVIDER_NAMES)[number];

/** What the catalogue tells and the validation enforces. */
export const LIMITS = {
  request_timeout: { minimum: 1, maximum: 600, default: 30 },
  response_variability: { minimum: 0, maximum: 1 },
  max_tokens: { minimum: 1 },
  name_length: 256,
  /** Levels of objects and lists in one configuration. */
  depth: 32,
  /** Credentials in one configuration, known and unknown ones, and their characters together. */
  credentials: 100,
  credential_characters: 65_536,
  /** Bytes of one connection's document, all models together: the store takes documents of 16 MB. */
  connection_bytes: 12_000_000,
} as const;
