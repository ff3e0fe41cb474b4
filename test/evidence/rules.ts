import { checkEvidence, type Evidence, type EvidenceRequest, type EvidenceStep } from '../../src/evidence/evidence.ts';
import { STARTED_AT } from './cases.ts';

export interface Rule {
  title: string;
  answer: string;
  /** Results of steps 1, 2, …; what is no text is written as JSON. */
  results?: readonly unknown[];
  request?: Partial<EvidenceRequest>;
  /** Such as `192.0.2.1 ipv4 backed`. */
  expected: readonly string[];
}

export const stepOf = (output: unknown, index = 1, more: Partial<EvidenceStep> = {}): EvidenceStep => ({
  index,
  name: 'search',
  output: typeof output === 'string' ? output : JSON.stringify(output),
  isCut: false,
  ...more,
});

export function evidenceOf({ answer, results = [], request = {} }: Omit<Rule, 'title' | 'expected'>): Evidence {
  const steps = results.map((result, place) => stepOf(result, place + 1));
  return checkEvidence({ output: answer, input: {}, steps, startedAt: STARTED_AT, ...request });
}

/** Each entity as one line. */
export const linesOfRule = (rule: Rule): string[] =>
  evidenceOf(rule).entities.map(({ text, kind, status }) => `${text} ${kind} ${status}`);
