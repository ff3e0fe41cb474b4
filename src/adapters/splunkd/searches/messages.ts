import { Fault } from '../../../contract/codes/faults.ts';
import { redact } from '../../../domain/net/redact.ts';
import type { PlatformMessage } from '../../../ports/platform/platformSearches.ts';
import { objectOf, type SplunkdReply, unexpectedReply } from '../client.ts';

/** Messages of a job or of a reply; older versions have plain texts in jobs. */
export function messagesIn(value: unknown): PlatformMessage[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each): PlatformMessage[] => {
    const { type = 'INFO', text } = (typeof each === 'string' ? { text: each } : Object(each)) as {
      type?: unknown;
      text?: unknown;
    };
    if (typeof text !== 'string' || text === '') return [];
    return [{ type: String(type).toUpperCase(), text: redact(text) }];
  });
}

const textOf = (messages: readonly PlatformMessage[]): string => messages.map(({ text }) => text).join(' ');

export const isError = ({ type }: PlatformMessage): boolean => type === 'ERROR' || type === 'FATAL';

/** The platform has no code for quotas, only these texts (messages.conf). */
const QUOTA = [
  /could not be dispatched because the role-based (?:concurrency limit|disk usage quota)/i,
  /maximum number of concurrent [\w-]* ?searches/i,
  /maximum disk usage quota/i,
  /minimum free disk space/i,
  /concurrency_limit=\d/i,
];

/** Seconds after which a search that found no place may be tried again. */
const RETRY_AFTER_S = 2;

export const tooManySearches = (message: string, more: { sid?: string } = {}): Fault =>
  new Fault('too_many_searches', message, { ...more, retry_after: RETRY_AFTER_S });

/** The failure that messages of the platform tell, as `too_many_searches` or `search_failed`. */
export function searchFault(messages: readonly PlatformMessage[], otherwise: string, sid?: string): Fault {
  const errors = messages.filter(isError);
  const text = textOf(errors.length > 0 ? errors : messages) || otherwise;
  const more = { ...(sid === undefined ? {} : { sid }) };
  return QUOTA.some((pattern) => pattern.test(text))
    ? tooManySearches(text, more)
    : new Fault('search_failed', text, more);
}

/** Statuses with which the platform judges the search rather than fails itself. */
const JUDGED = [400, 402, 403, 404, 409];

/** The fault of a call about a search. */
export function refusal(what: string, reply: SplunkdReply): Fault {
  const messages = messagesIn(objectOf(reply).messages);
  const fault = searchFault(messages, `The platform answered ${reply.status} to ${what}`);
  return JUDGED.includes(reply.status) || fault.code === 'too_many_searches' ? fault : unexpectedReply(what, reply);
}
