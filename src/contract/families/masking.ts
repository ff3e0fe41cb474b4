import { PROVIDER_NAMES } from './llmProviders.ts';
import { USAGE_OPERATIONS, type UsageOperation } from './usage.ts';

/** Operations that a masking policy can name: all but searches, which stay on the platform. */
export type MaskedOperation = Exclude<UsageOperation, 'search'>;
export const MASKED_OPERATIONS = USAGE_OPERATIONS.filter((name): name is MaskedOperation => name !== 'search');

export const SECRET_KINDS = ['pem', 'jwt', 'key', 'url_secret', 'password'] as const;

/** Kinds of values that rules find, in the order in which the first wins of equal spans. */
export const MASKED_KINDS = [
  ...SECRET_KINDS,
  ...(['card', 'iban', 'us_ssn', 'ipv4', 'ipv6', 'mac', 'sid', 'email', 'win_user', 'host', 'user', 'phone'] as const),
] as const;

/** The kind of a named value that no rule finds. */
export const FIELD_KIND = 'field';

/** Kinds that a policy can name besides its own labels. */
export const POLICY_KINDS = [...MASKED_KINDS, FIELD_KIND] as const;
export type PolicyKind = (typeof POLICY_KINDS)[number];

/** How strictly a kind is treated, from the mildest on. */
export const MASKING_MODES = ['allow', 'mask', 'refuse'] as const;
export type MaskingMode = (typeof MASKING_MODES)[number];

/** Labels of placeholders that are not those of an administrator. */
export const PLACEHOLDER_LABELS = [
  'ipint',
  'ipext',
  'mail',
  'host',
  'user',
  'mac',
  'sid',
  'id',
  'sec',
  'name',
] as const;

/** A label of an administrator's pattern. */
export const OWN_LABEL = '^[a-z][a-z0-9]{0,15}$';

/** Whether a label already means something else. */
export const isReservedLabel = (label: string): boolean =>
  [...POLICY_KINDS, ...PLACEHOLDER_LABELS].some((reserved) => reserved === label);

/** Values of `provider` in records of usage. */
export const MASKED_SERVICES = [
  ...PROVIDER_NAMES,
  ...(['mcp', 'splunk', 'CLOUD_KB', 'BUILT_IN', 'OPENSEARCH', 'PGVECTOR', 'CLOUD_AGENT_CORE'] as const),
  ...(['sagemaker', 'onnx', 'container'] as const),
] as const;
export type MaskedService = (typeof MASKED_SERVICES)[number];

export const IMAGE_MODES = ['allow', 'refuse'] as const;

/** Values of a new policy. */
export const POLICY_DEFAULTS = { images: 'allow', is_enabled: true } as const;

export const MAX_PATTERNS = 50;
export const MAX_PATTERN_LENGTH = 200;

/** Characters of a text that a preview masks. */
export const MAX_PREVIEW = 100_000;

/** Codes of countries (ISO 3166-1) whose telephone numbers can be found without `+`. */
export const REGIONS: readonly string[] = [
  ...'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT'.split(' '),
  ...'BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH'.split(' '),
  ...'ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT'.split(' '),
  ...'HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS'.split(' '),
  ...'LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI'.split(' '),
  ...'NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG'.split(' '),
  ...'SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG'.split(' '),
  ...'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(' '),
];
