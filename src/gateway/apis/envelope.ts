import { isObject, type Json } from '../../contract/basics.ts';
import { jsonNestsDeeperThan } from '../../contract/depth.ts';
import { parseExact, stringifyExact } from '../../contract/exactJson.ts';
import { withoutUndefined } from '../../domain/values/json.ts';
import {
  type ChatMessage,
  type ChatReply,
  type ChatRequest,
  ECHOED_FIELDS,
  type LlmIdentity,
  type ReturnedReasoning,
} from '../../families/llm-providers/public.ts';

const PREFIX = 'mlx1.';
const MAX_DEPTH = 100;
/** Bytes of an envelope. */
const MAX_ENVELOPE = 65_536;
const TOO_LARGE = `The reasoning of the answer has a state of more than ${MAX_ENVELOPE} bytes, which is not given: the conversation goes on without it`;

export interface SealedReasoning {
  /** Undefined where there is no reasoning, and where its state is too large. */
  envelope: string | undefined;
  warnings: readonly string[];
}

/**
 * Whatever a provider wants back in the next turn, as a text that clients carry. Nothing is kept here, and nothing is signed: the
 * provider judges its own state.
 */
export function sealReasoning(
  { message, toolCalls }: ChatReply,
  { service, connection_name }: LlmIdentity,
): SealedReasoning {
  const { reasoning, carrier, echoed } = message;
  const extras = Object.fromEntries(toolCalls.flatMap(({ id, extra }) => (extra ? [[id, extra]] : [])));
  const calls = Object.keys(extras).length > 0 ? extras : undefined;
  const state = withoutUndefined({ carrier, echoed, calls });
  if (Object.keys(state).length === 0 && reasoning === undefined) return { envelope: undefined, warnings: [] };
  const text = stringifyExact({ service, connection_name, ...state });
  const envelope = PREFIX + Buffer.from(text).toString('base64url');
  if (envelope.length > MAX_ENVELOPE) return { envelope: undefined, warnings: [TOO_LARGE] };
  return { envelope, warnings: [] };
}

/** Undefined for a text that is no envelope, such as the state of a provider that the client asked without the gateway. */
export function openEnvelope(text: string): ReturnedReasoning | undefined {
  if (!text.startsWith(PREFIX) || text.length > MAX_ENVELOPE) return undefined;
  const json = Buffer.from(text.slice(PREFIX.length), 'base64url').toString('utf8');
  if (jsonNestsDeeperThan(json, MAX_DEPTH)) return undefined;
  let value: unknown;
  try {
    value = parseExact(json);
  } catch {
    return undefined;
  }
  const { service, connection_name, carrier, echoed, calls } = isObject(value) ? value : {};
  if (typeof service !== 'string' || typeof connection_name !== 'string') return undefined;
  const fields = {
    carrier: objectOf(carrier),
    echoed: entriesOf(echoed, (name) => ECHOED_FIELDS.includes(name)),
    calls: entriesOf(calls, (_, extra) => isObject(extra)) as Record<string, Json> | undefined,
  };
  return { service, connection_name, ...withoutUndefined(fields) };
}

const objectOf = (value: unknown): Json | undefined => (isObject(value) ? value : undefined);

function entriesOf(value: unknown, isKept: (name: string, inner: unknown) => boolean): Json | undefined {
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([name, inner]) => isKept(name, inner)));
}

type Answer = Extract<ChatMessage, { role: 'assistant' }>;

const OF_ANOTHER = 'The reasoning of earlier answers was left out: another connection made it';

/** The request as a connection gets it: with the reasoning that it made itself. */
export function withReasoning(
  request: ChatRequest,
  target: LlmIdentity,
): { request: ChatRequest; warnings: readonly string[] } {
  const answers = request.messages.filter((message): message is Answer => message.role === 'assistant');
  if (answers.every(({ returned }) => returned === undefined)) return { request, warnings: [] };
  const isOwn = (reasoning: ReturnedReasoning) =>
    reasoning.service === target.service && reasoning.connection_name === target.connection_name;
  const isLost = answers.some(({ returned = [] }) => returned.some((each) => !isOwn(each) && hasState(each)));
  const messages = request.messages.map((message) =>
    message.role === 'assistant' ? withReturned(message, (message.returned ?? []).filter(isOwn)) : message,
  );
  return { request: { ...request, messages }, warnings: isLost ? [OF_ANOTHER] : [] };
}

/** Whether a provider gets something of it. */
export const hasState = ({ carrier, echoed, calls }: ReturnedReasoning): boolean =>
  carrier !== undefined || echoed !== undefined || calls !== undefined;

/** A turn whose calls came one by one may have several. */
function withReturned({ returned: _, ...message }: Answer, own: readonly ReturnedReasoning[]): Answer {
  const carrier = own.findLast((each) => each.carrier !== undefined)?.carrier ?? message.carrier;
  const others = Object.assign({}, message.others, ...own.map(({ echoed }) => echoed));
  const extras = new Map(own.flatMap(({ calls }) => Object.entries(calls ?? {})));
  const toolCalls = message.toolCalls?.map((call) => ({
    ...call,
    ...(extras.has(call.id) ? { extra: extras.get(call.id) } : {}),
  }));
  return {
    ...message,
    ...(carrier ? { carrier } : {}),
    ...(Object.keys(others).length > 0 ? { others } : {}),
    ...(toolCalls ? { toolCalls } : {}),
  };
}
