import type { Run, RunStep } from '../../../client/src/index.ts';
import { EXPIRY } from '../../../src/contract/families/runs.ts';
import type { Tone } from '../text/Badge.tsx';
import { costWords, formatCount, shortened } from '../text/format.ts';
import { withVisibleCharacters } from '../text/visible.ts';

export const RUN_WORDS: Readonly<Record<Run['state'], readonly [words: string, tone: Tone]>> = {
  queued: ['queued', 'info'],
  running: ['running', 'info'],
  waiting_for_approval: ['waits for approval', 'warning'],
  succeeded: ['succeeded', 'success'],
  failed: ['failed', 'error'],
  cancelled: ['cancelled', 'outline'],
};

export const STEP_WORDS: Readonly<Record<RunStep['state'], readonly [words: string, tone: Tone]>> = {
  started: ['running', 'info'],
  waiting: ['waits for approval', 'warning'],
  unknown: ['outcome unknown', 'warning'],
  done: ['done', 'success'],
  failed: ['failed', 'error'],
  rejected: ['rejected', 'error'],
};

export const KIND_WORDS: Readonly<Record<RunStep['kind'], string>> = {
  model: 'Model',
  tool: 'Tool',
  retrieve: 'Retrieval',
  invoke: 'Agent elsewhere',
};

export const titleOfRun = ({ agent }: Pick<Run, 'agent'>): string =>
  agent === undefined ? 'Run of a definition' : `Run of ${agent}`;

/** Whether a person has to decide about a step. */
export const needsDecision = ({ state, decided_by }: Pick<RunStep, 'state' | 'decided_by'>): boolean =>
  (state === 'waiting' || state === 'unknown') && decided_by === undefined;

export const deciderWords = (decided_by: string): string =>
  decided_by === EXPIRY ? 'nobody decided in time' : `decided by ${decided_by}`;

/** Content of a model or a tool as text that hides nothing. */
export const contentText = (content: string | object): string =>
  withVisibleCharacters(typeof content === 'string' ? content : JSON.stringify(content, null, 2));

/** `3 of 12 values not found in its data`; empty if there is nothing to say. */
export function unverifiedWords({ evidence }: Pick<Run, 'evidence'>): string {
  const { checked = 0, unverified = 0, error_code } = evidence ?? {};
  if (error_code !== undefined) return 'answer not compared with its data';
  return unverified === 0
    ? ''
    : `${formatCount(unverified)} of ${formatCount(checked)} ${checked === 1 ? 'value' : 'values'} not found in its data`;
}

const MOST_SHOWN = 120;

/** The first words of what was asked. */
export const firstWords = ({ input }: Pick<Run, 'input'>): string =>
  shortened(contentText(input).replace(/\s+/g, ' '), MOST_SHOWN);

/** `1,200 tokens, $0.01`; empty if no model was asked. */
export function usageWords(usage: Run['usage'] | undefined): string {
  if (usage === undefined || usage.requests === 0) return '';
  const tokens = `${formatCount(usage.input_tokens)} tokens in, ${formatCount(usage.output_tokens)} out`;
  return usage.cost === undefined ? tokens : `${tokens}, ${costWords(usage.cost)}`;
}
