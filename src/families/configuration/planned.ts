import type { Fault, Problem } from '../../contract/codes/faults.ts';
import type { InternalCall } from '../../contract/rows/internalCalls.ts';
import type { Entry } from './document.ts';
import type { ImportProblem, ImportResult } from './schemas.ts';

export interface Request {
  id: string;
  call: InternalCall;
}

export interface PlannedEntry {
  result: ImportResult;
  request?: Request;
  /** Why its create or update would be refused. */
  refused?: Fault;
  /** Its numbered name depends on its age, so it must be created after the others. */
  isLater?: boolean;
}

const MAX_PROBLEMS = 100;

export const blocked = (
  result: ImportResult,
  problems: ImportProblem[],
  code = problems[0]?.error_code,
): PlannedEntry => ({
  result: {
    ...result,
    action: 'blocked',
    problems: problems.slice(0, MAX_PROBLEMS),
    ...(code === undefined ? {} : { error_code: code }),
  },
});

export const notReached = ({ family, name }: Entry): PlannedEntry => {
  const message = 'This record was not reached in time. Send fewer records at once.';
  const problems = [{ field: '$record', message }];
  const result = { family, name, action: 'blocked' as const, changed: [], missing_secrets: [], problems };
  return { result: { ...result, outcome: 'not_reached' } };
};

export function problemsOf({ code: error_code, message, extra }: Fault): ImportProblem[] {
  const errors = Array.isArray(extra.errors) ? (extra.errors as Problem[]) : [];
  if (errors.length === 0) return [{ field: '$record', message, error_code }];
  return errors.map((error) => ({ field: error.field, message: error.message, error_code }));
}

export function withoutKnownFields(
  listedProblems: readonly ImportProblem[],
  problems: readonly ImportProblem[],
): ImportProblem[] {
  const fields = new Set(listedProblems.map(({ field }) => field));
  return problems.filter(({ field }) => !fields.has(field));
}
