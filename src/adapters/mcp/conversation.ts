import type { Json } from '../../contract/basics.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { redact } from '../../domain/net/redact.ts';
import { type Incoming, isAnswerTo, type Pending, regularError, resultForLibrary, textOf } from './messages.ts';

/** The requests of one session and their answers. */
export class Conversation {
  readonly #pending: Pending[] = [];
  readonly #secrets: readonly string[];
  #result: unknown;

  /** @param secrets redacted from messages */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  sent(request: Pending): void {
    this.#result = undefined;
    this.#pending.push(request);
  }

  /** Whether the answer to this request has not come. */
  awaits(request: Pending): boolean {
    return this.#pending.includes(request);
  }

  /** The result of the last request, as the server sent it. */
  result(): unknown {
    return this.#result;
  }

  /**
   * A message with the members that the client library accepts.
   * @throws OutboundError `upstream_error` for an answer that no request waits for
   */
  take(incoming: Incoming): Json {
    if (incoming.kind === 'other') return incoming.message;
    const last = this.#pending.at(-1);
    const request = this.#pending.findLast((pending) => isAnswerTo(incoming, pending));
    if (!request) throw this.#stray(incoming);
    this.#pending.splice(this.#pending.indexOf(request), 1);
    const { id, method } = request;
    if (incoming.kind === 'error') return { jsonrpc: '2.0', id, error: regularError(incoming.error) };
    if (request === last) this.#result = incoming.result;
    return { jsonrpc: '2.0', id, result: resultForLibrary(method, incoming.result) };
  }

  #stray(answer: Exclude<Incoming, { kind: 'other' }>): OutboundError {
    const id = answer.id === undefined ? 'no id' : `the id ${textOf(answer.id)}`;
    const words = answer.kind === 'error' ? `: ${regularError(answer.error).message}` : '';
    const text = `The MCP server answered with ${id}, for which no request waits${words}`;
    return new OutboundError('upstream_error', redact(text, this.#secrets), { httpStatus: 200 });
  }
}
