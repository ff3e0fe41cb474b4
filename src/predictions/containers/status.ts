import type { Answer } from './protocol.ts';

export const WRONG_APPLICATION = 'wrong_application';
export const TOKEN_REJECTED = 'token_rejected';
export const PLAIN_HTTP = 'plain_http_on_https';

/** Why an answer is not a success, as `probe_error` names it; '' for 200. */
export function statusProblem({ status, text }: Answer): string {
  if (status === 401) return TOKEN_REJECTED;
  if (status === 400 && /plain HTTP|HTTP request was sent to HTTPS/i.test(text)) return PLAIN_HTTP;
  return status === 200 ? '' : `http_${status}`;
}

/** For an answer whose body must have a shape. */
export const shapeProblem = (answer: Answer, hasShape: (text: string) => boolean): string =>
  statusProblem(answer) || (hasShape(answer.text) ? '' : WRONG_APPLICATION);
