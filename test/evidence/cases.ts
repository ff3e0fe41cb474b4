import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkEvidence, type Evidence, type EvidenceEntity, type EvidenceStep } from '../../src/evidence/evidence.ts';

export interface Expectation {
  text: string;
  kind: EvidenceEntity['kind'] | 'name';
  status: EvidenceEntity['status'] | 'ignored';
  /** Numbers of steps; `finding` and `question` are the input. */
  by?: (number | 'finding' | 'question')[];
}

export interface Case {
  id: string;
  title: string;
  question: string;
  finding: object;
  steps: { index: number; name: string; state: 'done' | 'failed'; input: object; output: unknown }[];
  cut?: number[];
  report: string;
  expect: Expectation[];
}

const FILE = join(import.meta.dirname, '../fixtures/evidence/cases.json');
export const cases: readonly Case[] = JSON.parse(readFileSync(FILE, 'utf8')).cases;

/** The day of the runs. */
export const STARTED_AT = Date.UTC(2026, 10, 24, 12) / 1000;

export function check({ question, finding, steps, cut = [], report }: Case): Evidence {
  const done = steps.filter(({ state }) => state === 'done');
  return checkEvidence({
    output: report,
    input: { question, finding },
    steps: done.map(
      ({ index, name, input, output }): EvidenceStep => ({
        index,
        name,
        input: JSON.stringify(input),
        output: typeof output === 'string' ? output : JSON.stringify(output),
        isCut: cut.includes(index),
      }),
    ),
    startedAt: STARTED_AT,
  });
}

/** The sources without their fields: 0 is the input. */
export const sourcesOf = (entity: EvidenceEntity): number[] =>
  entity.by.map((source) => ('step' in source ? source.step : 0));

export const expectedSources = ({ by = [] }: Expectation): number[] =>
  [...new Set(by.map((source) => (typeof source === 'number' ? source : 0)))].sort((a, b) => a - b);

/** The number of a text, for numbers that stand with their unit in one list and alone in the other. */
export const isSameText = ({ kind, text }: EvidenceEntity, expected: Expectation): boolean =>
  text === expected.text || (kind === 'number' && expected.kind === 'number' && text.startsWith(`${expected.text} `));
