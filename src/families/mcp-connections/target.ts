import type { Caller } from '../../contract/caller.ts';
import { invalid } from '../../contract/faults.ts';
import { recordKey } from '../../domain/keys.ts';
import type { Secrets } from '../../domain/secrets.ts';
import { decide } from '../../domain/secrets.ts';
import type { Unsealed } from '../../domain/unsealed.ts';
import { displayUrl } from '../../domain/url.ts';
import type { McpTarget } from '../../ports/mcpClient.ts';
import { assertValid, mergeDetails, unseal } from './merge.ts';
import type { McpDetails, McpStored, McpType } from './records.ts';
import type { McpTestInput } from './schemas.ts';
import type { McpConnections } from './service.ts';

/** What a test or a tool list is aimed at. Secrets are in the clear: it lives as long as the call. */
export interface Aim {
  type: McpType;
  details: McpDetails;
  secrets: Readonly<Secrets>;
  /** The saved record that is aimed at as it is; undefined for given details, after which nothing is written. */
  saved: McpStored | undefined;
}

/**
 * `{name}` aims at the saved record; details aim at themselves, with masked and absent secrets from the record of that
 * name where there is one that the caller may write.
 * @throws Fault `not_found`, `acl_denied`, `validation_failed` and the faults of secrets
 */
export async function aim(connections: McpConnections, caller: Caller, input: McpTestInput): Promise<Aim> {
  const { name, type, details } = input;
  if (name !== undefined && details === undefined) return aimAtSaved(connections, caller, name, type);
  const saved = name === undefined ? undefined : await connections.lender(caller, recordKey(name), isWhole(input));
  return saved ? aimWithRecord(connections, caller, input, saved) : aimInline(connections, input);
}

async function aimAtSaved(
  connections: McpConnections,
  caller: Caller,
  name: string,
  type: McpType | undefined,
): Promise<Aim> {
  const whole = await connections.unsealed(caller, recordKey(name));
  assertType(whole.record, type);
  return aimedAt(whole);
}

/** Address and secrets of one reading. */
export const aimedAt = ({ record: saved, secrets }: Unsealed<McpStored>): Aim => ({
  type: saved.type,
  details: saved.details,
  secrets,
  saved,
});

const isWhole = (input: McpTestInput) => input.type !== undefined && input.details?.url !== undefined;

async function aimWithRecord(
  connections: McpConnections,
  caller: Caller,
  input: McpTestInput,
  saved: McpStored,
): Promise<Aim> {
  assertType(saved, input.type);
  const { open, given } = unseal(input, connections.secretPaths, saved.secret_fields);
  const changed = (record: McpStored): McpStored => {
    const details = mergeDetails(record.details, open.details ?? {});
    assertValid(record.type, details, given, record.secret_fields);
    return { ...record, details };
  };
  const mayWrite = (record: McpStored) => connections.assertMay(caller, 'write', record);
  const { record, secrets } = await connections.sealed.preview(saved, changed, given, mayWrite);
  return { type: record.type, details: record.details, secrets, saved: undefined };
}

function aimInline(connections: McpConnections, input: McpTestInput): Aim {
  const { type, details } = input;
  const missing = [
    ...(type === undefined ? [{ field: 'type', message: 'is required for given details' }] : []),
    ...(details?.url === undefined
      ? [{ field: 'details.url', message: 'is required; or give the name of a saved connection' }]
      : []),
  ];
  if (type === undefined || details?.url === undefined) throw invalid(missing);
  const draft = connections.draft({ type, details: { ...details, url: details.url } });
  return { type, details: draft.details, secrets: decide(draft.given, []).set, saved: undefined };
}

function assertType(saved: McpStored, type: McpType | undefined): void {
  if (type === undefined || type === saved.type) return;
  throw invalid([{ field: 'type', message: `is ${saved.type} for this connection` }]);
}

const HEADERS = 'details/headers/';

export function serverOf({ details, secrets, saved }: Aim): McpTarget {
  const headers = Object.entries(secrets).filter(([path]) => path.startsWith(HEADERS));
  return {
    url: details.url,
    token: secrets['details/token'],
    headers: Object.fromEntries(headers.map(([path, value]) => [path.slice(HEADERS.length), value])),
    verifyTls: details.verify_tls,
    caCertificate: details.ca_certificate,
    transportHint: saved?.transport_detected,
  };
}

/** The part of a reply that tells what was aimed at. */
export function shownTarget({ type, details, saved }: Aim, responseTimeMs: number) {
  return {
    mcp_name: saved?.name ?? null,
    mcp_type: type,
    mcp_server_url: displayUrl(details.url),
    response_time_ms: Math.round(responseTimeMs),
  };
}
