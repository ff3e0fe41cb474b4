import { type MaskingMode, type PolicyKind, SECRET_KINDS } from '../../../../src/contract/families/masking.ts';

export const MODES: Readonly<Record<MaskingMode, string>> = { allow: 'Allow', mask: 'Mask', refuse: 'Refuse' };

export const IMAGES = { allow: 'Send them as they are', refuse: 'Refuse requests with images' } as const;

/** Kinds that rules find, by group. */
export const KIND_GROUPS: Readonly<Record<string, Readonly<Partial<Record<PolicyKind, string>>>>> = {
  Secrets: {
    password: 'Passwords and tokens',
    key: 'API keys',
    jwt: 'JSON web tokens',
    pem: 'Private keys',
    url_secret: 'Secrets in URLs',
  },
  Ids: {
    sid: 'Windows SIDs',
    phone: 'Telephone numbers',
    card: 'Card numbers',
    iban: 'IBANs',
    us_ssn: 'US social security numbers',
  },
  Addresses: { email: 'Mail', ipv4: 'IPv4', ipv6: 'IPv6', mac: 'MAC' },
  'Hosts and users': { host: 'Host names', user: 'User names', win_user: 'Windows users' },
};

const WORDS: Readonly<Record<string, string>> = {
  ...Object.assign({}, ...Object.values(KIND_GROUPS)),
  field: 'Named fields',
};

/** A kind in words; a label of an own pattern stands for itself. */
export const kindWords = (kind: string): string => (Object.hasOwn(WORDS, kind) ? (WORDS[kind] ?? kind) : kind);

const masked = (kinds: readonly string[]): Record<string, MaskingMode> =>
  Object.fromEntries(kinds.map((kind) => [kind, 'mask']));

export const SECRETS_MASKED = masked(SECRET_KINDS);

export const USUAL_KINDS = masked([
  ...SECRET_KINDS,
  ...['sid', 'phone', 'card', 'iban', 'us_ssn', 'email', 'user', 'win_user'],
]);
