import {
  ACCESS_KEY_ID_MESSAGE,
  ACCESS_KEY_ID_PATTERN,
  REGION_MESSAGE,
  REGION_PATTERN,
  ROLE_ARN_MESSAGE,
  ROLE_ARN_PATTERN,
} from '../../contract/schemas/awsSyntax.ts';
import { certificateProblem } from '../../domain/net/certificates.ts';
import { plainUrlProblem } from '../../domain/net/url.ts';
import type { CatalogueField } from './catalogueSchemas.ts';
import { API_VERSION_PATTERN, LIMITS } from './names.ts';
import type { ModelSettings, ServiceSettings } from './schemas.ts';

/** A field of `servicesettings` that the schema declares. */
export type SettingField = keyof ServiceSettings;
type ValueOf<F extends SettingField> = NonNullable<NonNullable<ServiceSettings[F]>['value']>;

/** Fields with a text value. */
export type TextField = { [F in SettingField]: ValueOf<F> extends string ? F : never }[SettingField];

/** Client credentials, and where they are exchanged for a token. */
export type OAuthSettings = { [M in keyof ValueOf<'oauth'>]?: string | undefined };

/** Values of the declared fields. Empty ones are undefined. */
export type ConnectionSettings = { [F in Exclude<SettingField, 'headers' | 'oauth'>]?: ValueOf<F> | undefined } & {
  verify_tls: boolean;
  headers?: Readonly<Record<string, string>> | undefined;
  oauth?: OAuthSettings | undefined;
};

interface SettingShape
  extends Pick<CatalogueField, 'label' | 'type' | 'description'>,
    Partial<Pick<CatalogueField, 'default' | 'minimum' | 'maximum' | 'fields'>> {
  /** A problem that the schema cannot express. Checked even if the provider does not use the field. */
  problem?(text: string): string | undefined;
}

const MEMBER = { type: 'string', required: false, secret: false, default: null } as const;

const matching = (pattern: RegExp, message: string) => (text: string) => (pattern.test(text) ? undefined : message);

/** The form's fields in their order, with checks of their texts. */
export const SETTING_FIELDS: Readonly<Record<SettingField, SettingShape>> = {
  endpoint: {
    label: 'Endpoint',
    type: 'string',
    description: 'Base address of the provider, http or https',
    problem: plainUrlProblem,
  },
  access_token: { label: 'Access token', type: 'string', description: 'API key; kept in the secret store' },
  request_timeout: {
    label: 'Request timeout',
    type: 'integer',
    ...LIMITS.request_timeout,
    description: 'Seconds that one action may take, with all its retries',
  },
  enterprise_api_version: {
    label: 'API version',
    type: 'string',
    description: 'YYYY-MM-DD or YYYY-MM-DD-preview with deployments in the path, or v1',
    problem: matching(new RegExp(API_VERSION_PATTERN), 'must be YYYY-MM-DD[-preview] or v1'),
  },
  region: {
    label: 'Region',
    type: 'string',
    description: 'Cloud region, such as us-east-1',
    problem: matching(new RegExp(REGION_PATTERN), REGION_MESSAGE),
  },
  cloud_access_key_id: {
    label: 'Access key id',
    type: 'string',
    description: "Goes with the secret access key; without either, the role of the platform's own machine is used",
    problem: matching(new RegExp(ACCESS_KEY_ID_PATTERN), ACCESS_KEY_ID_MESSAGE),
  },
  cloud_access_token: {
    label: 'Secret access key',
    type: 'string',
    description: 'Belongs to the access key id; kept in the secret store',
  },
  role_arn: {
    label: 'Role',
    type: 'string',
    description: 'ARN of a role to assume before the call',
    problem: matching(new RegExp(ROLE_ARN_PATTERN), ROLE_ARN_MESSAGE),
  },
  verify_tls: {
    label: 'Verify certificate',
    type: 'boolean',
    default: true,
    description: "Whether the provider's certificate has to be trusted",
  },
  ca_certificate: {
    label: 'CA certificate',
    type: 'text',
    description: 'Trusted CA certificates (PEM) for this provider, in place of the default ones',
    problem: certificateProblem,
  },
  headers: {
    label: 'Further headers',
    type: 'map',
    description:
      'Sent with every request, for a gateway in front of the provider; the values are kept in the secret store',
  },
  oauth: {
    label: 'OAuth client credentials',
    type: 'object',
    description: 'In place of a key: a token is asked for with them, and sent as a bearer token',
    fields: {
      token_url: { ...MEMBER, label: 'Token address', description: 'Address of the token endpoint', required: true },
      client_id: { ...MEMBER, label: 'Client id', description: 'The name of the client there', required: true },
      client_secret: {
        ...MEMBER,
        label: 'Client secret',
        description: 'Secret of the client; kept in the secret store',
        required: true,
        secret: true,
      },
      scope: { ...MEMBER, label: 'Scope', description: 'What the token is for; names separated by spaces' },
    },
  },
};
export const FIELD_NAMES = Object.keys(SETTING_FIELDS) as SettingField[];

export const MODEL_FIELDS: Readonly<Record<keyof ModelSettings, CatalogueField>> = {
  max_tokens: {
    label: 'Maximum tokens',
    type: 'integer',
    required: false,
    secret: false,
    default: null,
    ...LIMITS.max_tokens,
    description: 'Longest answer, in tokens',
  },
  response_variability: {
    label: 'Response variability',
    type: 'number',
    required: false,
    secret: false,
    default: null,
    ...LIMITS.response_variability,
    description: 'Temperature: 0 is the most predictable',
  },
};
