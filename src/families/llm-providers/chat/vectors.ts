import type { EmbedAnswer, Usage } from './chat.ts';
import { malformed } from './finish.ts';
import { modelName, sum } from './json.ts';

const embedUsage = (total: number | undefined): Usage => ({
  input: { total, cached: undefined },
  output: { total: 0, reasoning: undefined },
});

/** @throws OutboundError `upstream_error` for what is no list of vectors of one length */
export function embedAnswer(vectors: readonly unknown[], tokens: number | undefined, model?: unknown): EmbedAnswer {
  if (!vectors.every(isVector)) throw malformed('an embedding that is no list of numbers');
  return { vectors: ofOneLength(vectors), usage: embedUsage(tokens), ...modelName(model) };
}

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number' && Number.isFinite(item));

function ofOneLength(vectors: readonly number[][]): number[][] {
  if (new Set(vectors.map(({ length }) => length)).size > 1) throw malformed('embeddings of several lengths');
  return [...vectors];
}

/** Joins the answers to slices of a longer list. */
export function joinEmbeddings(answers: readonly EmbedAnswer[]): EmbedAnswer {
  const totals = answers.map(({ usage }) => usage.input.total);
  const total = totals.includes(undefined) ? undefined : sum(0, ...totals);
  const model = answers.find(({ model: name }) => name !== undefined)?.model;
  return {
    vectors: ofOneLength(answers.flatMap(({ vectors }) => vectors)),
    usage: embedUsage(total),
    ...(model === undefined ? {} : { model }),
  };
}
