import type { OutboundCode } from '../../contract/codes/outbound.ts';
import { CODE_ROWS } from './refusalCodes.ts';
import { WORD_ROWS } from './refusalWords.ts';

/** Why a provider of models refused, in what its answer has of it. */
export interface ModelRefusal {
  asked: 'chat' | 'embed' | 'list';
  /** HTTP status, or the one that an error in an answer of 200 names. */
  status: number;
  /** Machine-readable codes, types and reasons. */
  codes: readonly string[];
  message: string;
  /** The body, where words about the length of a prompt may stand elsewhere than in the message. */
  text?: string;
}

/** Statuses with which words are believed; a code that is not here is believed with any. Ollama answers 500 to long prompts. */
const STATUSES: Partial<Readonly<Record<OutboundCode, readonly number[]>>> = {
  quota_exceeded: [200, 400, 402, 403, 412, 429],
  content_filtered: [200, 400, 403, 422, 500],
  context_length_exceeded: [200, 400, 413, 422, 500],
  model_not_found: [200, 400, 404],
  // With any other status, that says more.
  rate_limited: [200],
};

/** A list names no model, and has no prompt. */
const OF_MODELS: readonly OutboundCode[] = ['model_not_found', 'model_not_invokable', 'context_length_exceeded'];

const BY_STATUS: Readonly<Record<number, OutboundCode>> = {
  402: 'quota_exceeded',
  498: 'rate_limited',
  529: 'rate_limited',
};

/** Some providers tell a request that no waiting makes smaller as one that comes too soon. */
const TOO_LARGE = /\brequest (?:is )?too large\b/i;

const REASON_LENGTH = 2000;

/** The code for a refusal; undefined where the HTTP status says as much. Codes and types win over words. */
export function codeOfRefusal(refusal: ModelRefusal): OutboundCode | undefined {
  const { asked, status, codes } = refusal;
  const said = codeOfWords(refusal);
  const given = codes.map((code) => code.toLowerCase());
  const row = CODE_ROWS.find(
    (candidate) => mayMean(candidate.code, asked) && candidate.codes.some((name) => given.includes(name.toLowerCase())),
  );
  if (status === 413 || TOO_LARGE.test(refusal.message)) {
    return [row?.code, said].find((code) => code === 'context_length_exceeded') ?? 'bad_request';
  }
  // A project without access to a model has a good key.
  if (row?.code === 'model_not_found' && status === 403) return 'permission_denied';
  return row?.code ?? said ?? BY_STATUS[status];
}

/** The code that the words of a refusal have. */
export function codeOfWords({
  asked,
  status,
  message,
  text = '',
}: Omit<ModelRefusal, 'codes'>): OutboundCode | undefined {
  const [reason, body] = [message, text].map((words) => words.slice(0, REASON_LENGTH)) as [string, string];
  return WORD_ROWS.find(
    ({ code, words }) =>
      mayMean(code, asked) &&
      (STATUSES[code]?.includes(status) ?? true) &&
      (words.test(reason) || (code === 'context_length_exceeded' && words.test(body))),
  )?.code;
}

const mayMean = (code: OutboundCode, asked: ModelRefusal['asked']): boolean =>
  asked !== 'list' || !OF_MODELS.includes(code);
