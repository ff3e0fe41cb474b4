import type { ApiAnswer } from '../ports/platform/ownApi.ts';
import { SearchError } from './command.ts';

/** The body of an answer that is one. @param what in the plural, for a sentence: `agents` @throws SearchError */
export function expected(what: string, { status, body }: ApiAnswer): ApiAnswer['body'] {
  if (status === 200) return body;
  throw new SearchError(`The ${what} cannot be read (${status}): ${String(body.message ?? 'no reason given')}`);
}
