/** Feature flags with their defaults, overridden by `ml_extension.conf [feature_flags]`. */
export const FEATURE_FLAGS = {
  agent_builder: true,
  ctsm: true,
  vector_stores: true,
  mcp_connections: true,
  containers: true,
  experiments: true,
  llm_providers: true,
  model_upload: true,
  model_registration: true,
  search_tools: true,
} as const;

type Stanzas = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type FeatureFlag = keyof typeof FEATURE_FLAGS;
export const FEATURE_FLAG_NAMES = Object.keys(FEATURE_FLAGS) as FeatureFlag[];

const YES = new Set(['1', 'true', 't', 'yes', 'y', 'on', 'enabled']);
const NO = new Set(['0', 'false', 'f', 'no', 'n', 'off', 'disabled']);

/** Parses a boolean like the platform; undefined for other values. */
export function confBoolean(text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase() ?? '';
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

/** Documented values of a boolean sent as a string. */
export const FLAG_TEXTS = ['true', 'false', '1', '0'] as const;

const isFlagOn = (flag: FeatureFlag, { feature_flags }: Stanzas): boolean =>
  confBoolean(feature_flags?.[flag]) ?? FEATURE_FLAGS[flag];

/** Reads the settings again only before refusing, since most calls find the flag on. */
export const isFlagOnNow = async (
  flag: FeatureFlag,
  settings: { recent(): Promise<Stanzas>; read(): Promise<Stanzas> },
): Promise<boolean> => isFlagOn(flag, await settings.recent()) || isFlagOn(flag, await settings.read());

/** Values that are not a boolean count as off. */
export const isOn = (text: string | undefined): boolean => confBoolean(text) ?? false;
