import { MAX_SECRET_BYTES } from '../../domain/net/headerValues.ts';
import { fitHeaders } from '../../domain/secrets/secretHeaders.ts';
import { BY_LIST } from '../../resources/access.ts';
import type { ResourceKind } from '../../resources/kind.ts';
import type { Resources } from '../../resources/resources.ts';
import type { McpRecord } from './definition.ts';
import { carryOverDiscovered, type McpFields, mergeMcp } from './merge.ts';
import { FAMILY, MCP_CONNECTIONS, type McpStored } from './records.ts';
import { assertFewHeaders, HEADERS, problemsOf } from './rules.ts';
import { AUTH_STATE_FIELDS, currentAuthState } from './tokens/refreshDue.ts';

export type McpConnections = Resources<McpStored, McpFields, McpRecord>;

export const mcpKind: ResourceKind<McpStored, McpFields, McpRecord> = {
  family: FAMILY,
  collection: MCP_CONNECTIONS,
  label: 'MCP connection',
  access: BY_LIST,
  addresses: ({ details }) => ({ 'details.url': details.url, 'details.token_url': details.token_url }),
  trust: ({ details }) => ({
    'details.verify_tls or details.ca_certificate': { verify: details.verify_tls, ca: details.ca_certificate },
  }),
  maxSecretBytes: MAX_SECRET_BYTES,
  fit: (submitted, stored) => fitHeaders(HEADERS, submitted, stored),
  derived: { key: 'auth_state', fields: AUTH_STATE_FIELDS, valueOf: currentAuthState },
  assertReadable: assertFewHeaders,
  merge: mergeMcp,
  problems: problemsOf,
  carryOver: carryOverDiscovered,
  audited: (record, view) => ({
    ...view,
    accepted_tools:
      record.accepted_tools && Object.fromEntries(record.accepted_tools.map((tool) => [tool.name, tool.fingerprint])),
  }),
  view: (record, now) => ({ auth_state: currentAuthState(record, now) }),
  hasInlineConfig: ({ details }) => details !== undefined,
  missingForTest: ({ type, details }) => [
    ...(type === undefined ? [{ field: 'type', message: 'is required when details are given' }] : []),
    ...(details?.url === undefined
      ? [{ field: 'details.url', message: 'is required, unless the name of a saved connection is given' }]
      : []),
  ],
  conflictsWithSaved: (record, { type = record.type }) =>
    type === record.type ? [] : [{ field: 'type', message: `is ${record.type} for this connection` }],
};
