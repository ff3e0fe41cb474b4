import type { Json } from '../../../contract/basics.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { argumentsOf } from '../../../domain/values/json.ts';
import type { ChatRequest, ToolCall } from '../../../families/llm-providers/public.ts';
import type { MaskedContent } from '../../../masking/outgoing.ts';
import type { RestoreOptions, Restorer } from '../../../masking/placeholders/restorer.ts';
import { isSecret } from '../../../masking/policy/kinds.ts';
import { valueWriter } from '../../../spl/quoting.ts';
import type { RunTool } from '../steps/runTools.ts';
import { codesByConnection, type ShownResult } from './connectionCodes.ts';

/** A call of an answer with its values. */
export interface RestoredCall {
  /** JSON text, for people and for tools of this app. */
  arguments: string;
  /** JSON text for a tool that must not get each of the values. */
  sent?: string;
  /** Why the call goes back to the model. */
  problem?: string;
}

const UNKNOWN =
  'validation_failed: The arguments have a placeholder that stands for no value of this conversation. Write placeholders exactly as they were given, letter for letter.';

/**
 * Puts values back in the calls of an answer, by where they go: each value to tools of this app; to an MCP tool those that its
 * connection has brought itself or may see by its `unmask_kinds`, and no secret.
 */
export class CallRestoring {
  /** The calls of the last answer, in its order. */
  calls: RestoredCall[] = [];
  readonly #tools: readonly RunTool[];
  readonly #results: readonly ShownResult[];
  #masked: MaskedContent<ChatRequest> | undefined;
  #codes: Map<string, Set<string>> | undefined;

  /** @param results of the run, in the order of the conversation */
  constructor(tools: readonly RunTool[], results: readonly ShownResult[]) {
    this.#tools = tools;
    this.#results = results;
  }

  /** @see OperationContext.restoreCall */
  readonly restore = (call: ToolCall, masked: MaskedContent<ChatRequest> | undefined): ToolCall => {
    if (masked !== this.#masked) {
      this.calls = [];
      this.#masked = masked;
      this.#codes = undefined;
    }
    const restored = masked ? this.#restored(call, masked) : { arguments: call.arguments };
    this.calls.push(restored);
    return { ...call, arguments: restored.arguments };
  };

  #restored({ name, arguments: text }: ToolCall, masked: MaskedContent<ChatRequest>): RestoredCall {
    const { restorer } = masked;
    const args = argumentsOf(text);
    if (!args) return { arguments: text };
    const target = this.#tools.find(({ served }) => served.name === name)?.target;
    const unknown = restorer.counts.unknown;
    const real =
      target?.kind === 'search' && target.tool === 'spl' ? withSpl(restorer, args) : restorer.arguments(args);
    if (restorer.counts.unknown > unknown) return { arguments: text, problem: UNKNOWN };
    const restored = { arguments: changed(text, args, real) };
    if (target?.kind !== 'tool') return restored;
    const sent = restorer.arguments(args, { mayRestore: this.#mayGo(name, target.connection, masked) });
    const sentText = changed(text, args, sent);
    return sentText === restored.arguments ? restored : { ...restored, sent: sentText };
  }

  #mayGo(
    name: string,
    connection: string,
    masked: MaskedContent<ChatRequest>,
  ): NonNullable<RestoreOptions['mayRestore']> {
    this.#codes ??= codesByConnection(this.#tools, this.#results, masked);
    const codes = this.#codes.get(connection);
    const offer = this.#tools.find(({ served }) => served.name === name)?.offer;
    const kinds: readonly string[] = offer?.source.details.unmask_kinds ?? [];
    return ({ kind, code }) => !isSecret(kind) && (kinds.includes(kind) || codes?.has(code) === true);
  }
}

/** Arguments of the tool that runs SPL: a value is a string of its search. */
function withSpl(restorer: Restorer, { search, ...others }: Json): Json {
  const plain = restorer.arguments(others);
  if (typeof search !== 'string') return { ...plain, search: restorer.arguments(search) };
  const writer = valueWriter(search);
  return {
    search: restorer.arguments(search, { write: (placeholder, place) => writer(placeholder.plain, place) }),
    ...plain,
  };
}

/** Arguments without values stay as the model wrote them. */
function changed(text: string, args: Json, restored: Json): string {
  const written = stringifyExact(restored);
  return written === stringifyExact(args) ? text : written;
}
