import { lazy, Suspense } from 'react';
import type { RunDetail } from '../../../client/src/index.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { retryLoad } from '../retryLoad.ts';
import { Loading } from '../table/States.tsx';
import { Code } from '../text/Code.tsx';

/** Not needed for the first row. */
const CheckedAnswer = lazy(() => retryLoad(() => import('./CheckedAnswer.tsx')));

interface AnswerProps {
  run: Pick<RunDetail, 'run_id' | 'evidence'>;
  output: string | object;
}

/** The answer of a run, a text in Markdown or a value, with what the check of its values has shown. */
export function Answer({ run: { run_id, evidence }, output }: AnswerProps) {
  const isMarkdown = typeof output === 'string';
  const text = isMarkdown ? output : JSON.stringify(output, null, 2);
  const plain = isMarkdown ? <Markdown text={text} /> : <Code dir="auto">{text}</Code>;
  if (evidence === undefined) return plain;
  const loading = (
    <>
      {plain}
      <Loading what="the evidence of the answer" />
    </>
  );
  return (
    <Suspense fallback={loading}>
      <CheckedAnswer text={text} isMarkdown={isMarkdown} evidence={evidence} run_id={run_id} />
    </Suspense>
  );
}
