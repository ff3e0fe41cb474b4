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
  /** Over everything, token refresh included. */
  elapsedMs: number;
}

/** How long connecting takes at most, and with it a test or a listing as a whole. */
export const contactMs = ({ record }: Target<McpStored>): number => DEADLINE_MS[record.type];

/**
 * Calls a server once, with a fresh token where there is one to be had: before it runs out, and once after a 401.
 * @param outer where less time is left than such a call usually has
 * @param extraMs for work that has a bound of its own
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
  const attempt = async (target: Target<McpStored>) => call(client, serverOf(target), deadline);
  const contact = await (async () => {
    try {
      const first = await renewed(renewal, target, deadline);
      const answer = await attempt(first);
      if (answer.httpStatus !== 401 || answer.wasCallSent || !renewal.isPossible(first)) return answer;
      const next = await renewal.renew(first, answer.resourceMetadataUrl, deadline);
      return next ? await attempt(next) : answer;
    } catch (error) {
      if (error instanceof OutboundError) return failed(error);
      if (deadline.signal.aborted) return failed(new OutboundError('timeout', 'The server did not answer in time'));
      throw error;
    }
  })();
  return { contact, elapsedMs: performance.now() - started };
}

/** Refreshes a token that is due. While the old one may still be good a failure to do so is not the end. */
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

/** What a contact teaches about a record. */
export function discoveredFields(
  record: Pick<McpStored, 'auth_state' | 'details' | 'secret_fields'>,
  contact: McpContact,
): Partial<Pick<McpStored, 'auth_state' | 'transport_detected'>> {
  const detected = contact.transport && !contact.error ? { transport_detected: contact.transport } : {};
  // The refresh token stays refused though the access token still works: only new credentials end that state.
  const spent = record.auth_state === 'reauth_required' && canRefresh(record);
  if (!contact.error) return spent ? detected : { ...detected, auth_state: 'ok' };
  const refused = contact.httpStatus === 401 && !canRefresh(record);
  return { ...detected, ...(refused ? { auth_state: 'reauth_required' } : {}) };
}
