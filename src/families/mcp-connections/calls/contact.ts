import { withSentence } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { bounded } from '../../../domain/async/deadline.ts';
import type { McpClient, McpContact, McpListing, McpTarget } from '../../../ports/mcp/mcpClient.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Target } from '../../../resources/target.ts';
import type { McpStored } from '../records.ts';
import { canRefresh } from '../tokens/refreshDue.ts';
import type { Renewal } from '../tokens/renewal.ts';
import { serverOf } from './target.ts';

const DEADLINE_MS = { PLATFORM: 10_000, ISSUE_TRACKER: 15_000 } as const;

export interface Outcome<T extends McpContact> {
  contact: T;
  /** As it was given; it also hides a token that was renewed meanwhile. */
  target: Target<McpStored>;
  /** Includes a token refresh. */
  elapsedMs: number;
}

/** Time limit of connecting, and of a whole test or listing. */
export const contactMs = ({ record }: Target<McpStored>): number => DEADLINE_MS[record.type];

/**
 * Calls a server, refreshing the token before it expires and once after a 401.
 * @param outer an earlier deadline
 * @param extraMs for work with its own time limit
 */
export async function callServer<T extends McpContact>(
  client: McpClient,
  renewal: Renewal,
  target: Target<McpStored>,
  call: (client: McpClient, target: McpTarget, deadline: Deadline) => Promise<T>,
  failed: (error: OutboundError) => T,
  outer?: Deadline,
  extraMs = 0,
): Promise<Outcome<T>> {
  const started = performance.now();
  using deadline = bounded(contactMs(target) + extraMs, outer);
  let called = target;
  const attempt = async (now: Target<McpStored>) => {
    if (now !== target) called = called.hiding(now);
    return call(client, serverOf(now), deadline);
  };
  const contact = await (async () => {
    try {
      const first = await renewed(renewal, target, deadline);
      const answer = await attempt(first);
      // A request that was refused with 401 has not run a tool: this is the only repetition of a call.
      if (answer.httpStatus !== 401 || answer.mayHaveRun || !renewal.isPossible(first)) return answer;
      const next = await renewal.renew(first, answer.resourceMetadataUrl, deadline);
      return next ? await attempt(next) : withWords(answer, renewal.refusal());
    } catch (error) {
      if (error instanceof OutboundError) return failed(error);
      if (deadline.signal.aborted) return failed(new OutboundError('timeout', 'The server did not answer in time'));
      throw error;
    }
  })();
  return { contact, target: called, elapsedMs: performance.now() - started };
}

/** Says why there is no new token for a refused one. */
function withWords<T extends McpContact>(contact: T, refusal: string | undefined): T {
  const { error } = contact;
  if (!error || refusal === undefined) return contact;
  const { code, message, httpStatus, retryAfter } = error;
  const text = withSentence(message, `The authorization server refused the refresh token: ${refusal}`);
  return { ...contact, error: new OutboundError(code, text, { httpStatus, retryAfter }) };
}

/** Refreshes a due token. A failure is ignored if the old one may still be valid. */
async function renewed(renewal: Renewal, target: Target<McpStored>, deadline: Deadline): Promise<Target<McpStored>> {
  if (!renewal.isDue(target)) return target;
  try {
    return (await renewal.renew(target, undefined, deadline)) ?? target;
  } catch (error) {
    if (target.secrets['details/token'] === undefined || !(error instanceof OutboundError)) throw error;
    return target;
  }
}

const NO_CONTACT = {
  httpStatus: null,
  reachable: false,
  authenticated: false,
  transport: null,
  protocolVersion: null,
} as const;

export const failedContact = (error: OutboundError): McpContact => ({ ...NO_CONTACT, error });
export const failedListing = (error: OutboundError): McpListing => ({ ...NO_CONTACT, error, tools: [] });

/** Fields of the record that follow from a contact. */
export function discoveredFields(
  record: Pick<McpStored, 'auth_state' | 'details' | 'secret_fields'>,
  contact: McpContact,
): Partial<Pick<McpStored, 'auth_state' | 'transport_detected'>> {
  const detected = contact.transport && !contact.error ? { transport_detected: contact.transport } : {};
  // A working access token does not make a refused refresh token valid.
  const spent = record.auth_state === 'reauth_required' && canRefresh(record);
  if (!contact.error) return spent ? detected : { ...detected, auth_state: 'ok' };
  const refused = contact.httpStatus === 401 && !canRefresh(record);
  return { ...detected, ...(refused ? { auth_state: 'reauth_required' } : {}) };
}
