import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type Json } from '../../../contract/basics.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import { redact } from '../../../domain/net/redact.ts';
import { codeForStatus } from '../../../domain/net/upstreamErrors.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { SearchServer } from './server.ts';

const BULK = '_bulk?refresh=true';
const FIRST_WAIT_MS = 200;
const RETRIES = 4;

/** Writes an entry in place of the one under its key; without an entry, deletes it. */
export interface Operation {
  key: string;
  entry?: Json;
}

export interface BulkSite {
  server: SearchServer;
  deadline: Deadline;
  hidden: readonly string[];
}

/** Operations that an index did not take. */
export interface Refusal {
  error: OutboundError;
  /** Whether the index may have taken others of the same request. */
  isPartial: boolean;
  /** Whether the server itself said so. */
  isAnswered: boolean;
}

interface Attempt {
  left: readonly Operation[];
  error: OutboundError;
  isLost: boolean;
}

/** The lines of a request. */
export const linesOf = (operations: readonly Operation[]): string[] =>
  operations.flatMap(({ key, entry }) => {
    const action = { [entry ? 'index' : 'delete']: { _id: key } };
    return [stringifyWellFormed(action), ...(entry ? [stringifyWellFormed(entry)] : [])];
  });

/** Sends operations, and again those that the index rejects for the time being. @returns undefined when all are done */
export async function sendAll(site: BulkSite, operations: readonly Operation[]): Promise<Refusal | undefined> {
  const { deadline } = site;
  // The other half is for taking back a write that went through in part.
  const reserve = deadline.remaining() / 2;
  let left = operations;
  let isPartial = false;
  let wait = FIRST_WAIT_MS;
  for (let retries = 0; ; retries++) {
    const attempt = await send(site, left);
    if (!attempt) return undefined;
    const { error, isLost } = attempt;
    isPartial ||= isLost || attempt.left.length < left.length;
    left = attempt.left;
    const isWorthMore = isLost || error.code === 'rate_limited' || (error.httpStatus ?? 0) >= 500;
    if (!isWorthMore || retries >= RETRIES || deadline.remaining() - wait < reserve)
      return { error, isPartial, isAnswered: !isLost };
    await sleep(wait);
    wait *= 2;
  }
}

/** Deleting an entry that is not there is fine. */
async function send(
  { server, deadline, hidden }: BulkSite,
  operations: readonly Operation[],
): Promise<Attempt | undefined> {
  let answer: Json;
  try {
    answer = await server.ask(BULK, deadline, `${linesOf(operations).join('\n')}\n`);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A gateway in between does not know either what the server did.
    const isLost = error.httpStatus === undefined || error.httpStatus >= 500;
    return { left: operations, error, isLost };
  }
  return answer.errors === true ? rejectedIn(answer, operations, hidden) : undefined;
}

/** Items stand in the order of their operations. */
function rejectedIn({ items }: Json, operations: readonly Operation[], hidden: readonly string[]): Attempt {
  const results = (Array.isArray(items) ? items : []).map((item) => (isObject(item) ? Object.values(item)[0] : {}));
  const left: Operation[] = [];
  let error: OutboundError | undefined;
  for (const [index, operation] of operations.entries()) {
    const result = results[index];
    if (isObject(result) && !isObject(result.error)) continue;
    left.push(operation);
    error = leastHopeful(error, itemError(result, hidden));
  }
  if (error) return { left, error, isLost: false };
  const message = 'The server says that items failed, but not which';
  return { left: operations, error: new OutboundError('upstream_error', message), isLost: true };
}

function itemError(result: unknown, hidden: readonly string[]): OutboundError {
  if (!isObject(result) || !isObject(result.error)) {
    return new OutboundError('upstream_error', 'The server does not say what became of an item', { httpStatus: 502 });
  }
  const status = Number(result.status);
  const reason = redact(String(result.error.reason ?? 'no reason given'), hidden);
  return new OutboundError(codeForStatus(status), reason, { httpStatus: status });
}

/** Where an item is refused for good, none needs to be sent again. */
const leastHopeful = (before: OutboundError | undefined, error: OutboundError): OutboundError =>
  before && (before.httpStatus ?? 0) < 500 && before.code !== 'rate_limited' ? before : error;
