/** Feature flags: all on unless `ml_extension.conf [feature_flags]` says otherwise. */
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
} as const;

type Stanzas = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type FeatureFlag = keyof typeof FEATURE_FLAGS;
export const FEATURE_FLAG_NAMES = Object.keys(FEATURE_FLAGS) as FeatureFlag[];

const YES = new Set(['1', 'true', 't', 'yes', 'y', 'on', 'enabled']);
const NO = new Set(['0', 'false', 'f', 'no', 'n', 'off', 'disabled']);

/** A conf value as the platform reads booleans; undefined when it is neither. */
export function confBoolean(text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase() ?? '';
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

/** How the documents write a boolean that is a text. */
export const FLAG_TEXTS = ['true', 'false', '1', '0'] as const;

/** Whether a feature is switched on. @param stanzas of ml_extension.conf */
const isFlagOn = (flag: FeatureFlag, { feature_flags }: Stanzas): boolean =>
  confBoolean(feature_flags?.[flag]) ?? FEATURE_FLAGS[flag];

/** Whether it is on now. Most calls ask: only a refusal is worth a call to the platform. */
export const isFlagOnNow = async (
  flag: FeatureFlag,
  settings: { recent(): Promise<Stanzas>; read(): Promise<Stanzas> },
): Promise<boolean> => isFlagOn(flag, await settings.recent()) || isFlagOn(flag, await settings.read());

/** Whether a setting or a field says yes; anything that is not a boolean says no. */
export const isOn = (text: string | undefined): boolean => confBoolean(text) ?? false;
