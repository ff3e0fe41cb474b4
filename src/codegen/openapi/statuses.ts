import { CODES, type FaultCode, gatewayStatusOf, OVERLOADED_STATUS } from '../../contract/codes/codes.ts';
import type { TableRow } from '../bundle/compile.ts';

/** Error codes of an endpoint: declared ones, and those implied by its gate, flag, parameters and body. */
export function codesOf(row: TableRow): FaultCode[] {
  const codes = new Set<FaultCode>(['internal_error', 'store_unavailable', ...row.faults]);
  if (!row.storeless) codes.add('newer_schema').add('unreadable_record');
  if (callsUpstream(row)) codes.add('busy');
  if (row.gate !== 'session') codes.add('missing_capability');
  if (row.flag) codes.add('feature_disabled');
  if (row.params || row.query || (row.body && !row.rawBody) || row.conditional) codes.add('validation_failed');
  if (row.body && !row.rawBody) codes.add('malformed_json');
  if (row.body) codes.add('payload_too_large');
  return [...codes].sort((a, b) => statusOf(row, a) - statusOf(row, b) || a.localeCompare(b));
}

/** Status of a failure of this endpoint. */
export const statusOf = ({ path }: TableRow, code: FaultCode): number =>
  path.startsWith('/ai_gateway') ? gatewayStatusOf(code) : CODES[code].status;

const UPSTREAM_CODES: readonly FaultCode[] = ['upstream_error', 'verification_failed', 'verification_refused'];

const callsUpstream = ({ answersFailure, callsUpstream, faults }: TableRow): boolean =>
  answersFailure === true || callsUpstream !== undefined || UPSTREAM_CODES.some((code) => faults.includes(code));

/** Statuses of errors of a protocol that an endpoint speaks in its body. */
export const PROTOCOL_ERRORS: readonly number[] = [400, 404];

/** The platform itself answers 401, without an error code. */
export function statusesOf(row: TableRow): Map<number, FaultCode[]> {
  const own = row.rawBody ? PROTOCOL_ERRORS : [];
  const byStatus = new Map<number, FaultCode[]>([401, ...own].map((status) => [status, []]));
  for (const code of codesOf(row)) {
    const status = statusOf(row, code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  if (row.overloadStatus) byStatus.set(OVERLOADED_STATUS, ['rate_limited']);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
