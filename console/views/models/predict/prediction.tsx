import Message from '@splunk/react-ui/Message';
import { useState } from 'react';
import type { Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { Stack } from '../../../app/styles.ts';
import { TextBox } from '../../../parts/boxes.tsx';
import { useText } from '../../../parts/form/draft/useText.ts';
import { useWork, type Work, WorkState } from '../../../parts/work.tsx';
import { Predictions } from './Predictions.tsx';
import { parseRows, type Rows } from './rows.ts';

/** The limit of the app. */
const MOST_BYTES = 8_000_000;
/** The proxy ends calls after 30 s. */
const TIMEOUT_S = 25;

interface Outcome {
  rows: Rows;
  reply: Reply<'predict'>;
}

/** Typed rows and their predictions. */
export interface Prediction {
  model: string;
  text: string;
  problem: string | undefined;
  outcome: Outcome | undefined;
  work: Work<'predict'>;
  isRunning: boolean;
  setText(text: string): void;
  read(file: File | undefined): Promise<void>;
  predict(): void;
}

/** @param features the first line of the rows */
export function usePrediction(model: string, features: readonly string[]): Prediction {
  const [typed, setText] = useText(`rows of ${model}`);
  const text = typed || (features.length > 0 ? `${features.map(csvName).join(',')}\n` : '');
  const [problem, setProblem] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const work = useWork<'predict'>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    const isLarge = file.size > MOST_BYTES;
    setProblem(isLarge ? 'The file has more than 8 MB' : undefined);
    if (!isLarge) setText(await file.text());
  };
  const predict = () => {
    const parsed = parseRows(text);
    setProblem('problem' in parsed ? parsed.problem : undefined);
    if ('problem' in parsed) return;
    const { rows } = parsed;
    work.start('predict', async (signal) => {
      setOutcome(undefined);
      setOutcome({
        rows,
        reply: await ml.call('predict', { body: { model, rows: rows as never, timeout_s: TIMEOUT_S } }, { signal }),
      });
    });
  };
  return { model, text, problem, outcome, work, isRunning: work.running !== undefined, setText, read, predict };
}

const csvName = (name: string): string => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/** The rows as text or from a file, and the predictions. */
export function PredictFields({ prediction }: { prediction: Prediction }) {
  const { model, text, problem, outcome, work, setText, read } = prediction;
  return (
    <Stack>
      <TextBox
        label="Rows"
        help="CSV with a line of names, or a JSON list of objects; at most 10,000 rows"
        value={text}
        hasError={problem !== undefined}
        spellCheck={false}
        rows={[5, 12]}
        onChange={setText}
      />
      <input
        type="file"
        accept=".csv,.json,text/csv,application/json"
        aria-label="File with rows"
        style={{ maxWidth: '100%' }}
        // The same file, changed meanwhile, can be chosen again.
        onClick={({ currentTarget }) => {
          currentTarget.value = '';
        }}
        onChange={({ target }) => void read(target.files?.[0])}
      />
      {problem !== undefined && (
        <Message type="error" role="alert">
          {problem}
        </Message>
      )}
      <WorkState work={work} what={`the answer of ${model}`} />
      {outcome && <Predictions {...outcome} />}
    </Stack>
  );
}
