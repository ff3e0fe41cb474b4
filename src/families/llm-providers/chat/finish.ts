import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { FinishReason } from './chat.ts';

/** The answer broke off: what came of it is not what the model would have said. */
type Interruption = 'broken';

/** Reasons by the letters of the words that providers and servers use. One table: servers use each other's words. */
const WORDS: Readonly<Record<string, FinishReason | Interruption>> = {
  ...all('stop', 'stop end_turn stop_sequence eos eos_token stop_token end complete completed finished none null'),
  // Mistral: model_length. DeepSeek: insufficient_system_resource. Anthropic: pause_turn.
  ...all('length', 'length max_tokens max_output_tokens max_completion_tokens max_new_tokens max_length token_limit'),
  ...all('length', 'model_length insufficient_system_resource model_context_window_exceeded pause_turn incomplete'),
  ...all('tool_calls', 'tool_calls tool_call tool_use function_call function_calls'),
  ...all('content_filter', 'content_filter content_filtered guardrail_intervened refusal'),
  // Gemini. Zhipu: sensitive. Cohere: error_toxic.
  ...all('content_filter', 'safety recitation language blocklist prohibited_content spii model_armor'),
  ...all('content_filter', 'sensitive error_toxic blocked content_policy_violation'),
  ...all('broken', 'error abort aborted cancelled canceled failed timeout network_error server_error'),
  // Gemini. Ollama: it has loaded or unloaded the model, and asked nothing.
  ...all('broken', 'unexpected_tool_call too_many_tool_calls missing_thought_signature load unload'),
};

function all<R extends FinishReason | Interruption>(reason: R, words: string): Record<string, R> {
  return Object.fromEntries(words.split(' ').map((word) => [lettersOf(word), reason]));
}

/** Servers write max_tokens, MAX_TOKENS, max-tokens and maxTokens. */
function lettersOf(word: string): string {
  return word.toLowerCase().replace(/[^a-z]/g, '');
}

/** Families of words that providers extend. Gemini: MALFORMED_ and IMAGE_. */
const FAMILIES: readonly (readonly [RegExp, FinishReason | Interruption])[] = [
  [/malformed|error|fail|abort|cancel|timeout|timedout|overload|insufficientquota/, 'broken'],
  [/^image|safety|filter|block|moderat|policy/, 'content_filter'],
  [/length|tokens?limit|limitexceeded|truncat/, 'length'],
];

function meaningOf(word: string): FinishReason | Interruption | undefined {
  const letters = lettersOf(word);
  if (Object.hasOwn(WORDS, letters)) return WORDS[letters];
  return FAMILIES.find(([family]) => family.test(letters))?.[1];
}

/** Parts of an answer that its reason depends on. */
interface Parts {
  /** False where the provider answered no message at all. */
  hasMessage: boolean;
  hasText: boolean;
  hasCalls: boolean;
}

/**
 * Our reason for the provider's word.
 * @param word empty if the provider gave none
 * @throws OutboundError `upstream_error` for an answer that broke off, and for one of nothing
 */
export function finishReason(word: string, { hasMessage, hasText, hasCalls }: Parts): FinishReason {
  const meaning = word === '' ? 'stop' : meaningOf(word);
  if (meaning === 'broken') throw malformed(quoted(word));
  // Neither a limit nor a filter has to leave anything of an answer.
  if (meaning === 'length' || meaning === 'content_filter') return meaning;
  if (hasCalls) return 'tool_calls';
  if (hasText) return 'stop';
  if (meaning === undefined || meaning === 'tool_calls')
    throw malformed(`no text and no call, ended by ${quoted(word)}`);
  if (!hasMessage) throw malformed('no message');
  return 'stop';
}

const MAX_WORD = 100;

/** A longer word is left out: a secret that is cut in two could not be masked. */
const quoted = (word: string): string => (word.length <= MAX_WORD ? word : 'a long text');

export function malformed(what: string): OutboundError {
  return new OutboundError('upstream_error', `The model broke off, or gave a malformed answer or tool call (${what})`);
}
