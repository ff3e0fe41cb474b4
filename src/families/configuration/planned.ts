import type { Fault, Problem } from '../../contract/codes/faults.ts';
import type { InternalCall } from '../../contract/rows/internalCalls.ts';
import type { Entry } from './document.ts';
import type { ImportProblem, ImportResult } from './schemas.ts';

export interface Request {
  id: string;
  call: InternalCall;
}

export interface Planned {
  result: ImportResult;
  /** What creates or updates the record. */
  request?: Request;
  /** What would have, but is refused. */
  refused?: { request: Request; fault: Fault };
  /** Its name tells its age among others: it must be made later than they are. */
  isLater?: boolean;
}

/** More of one record say nothing new. */
const MAX_PROBLEMS = 100;

export const blocked = (result: ImportResult, problems: ImportProblem[], code = problems[0]?.error_code): Planned => ({
  result: {
    ...result,
    action: 'blocked',
    problems: problems.slice(0, MAX_PROBLEMS),
    ...(code === undefined ? {} : { error_code: code }),
  },
});

export const notReached = ({ family, name }: Entry): Planned => {
  const message = 'The time was over before this record was looked at: send fewer at once';
  const problems = [{ field: '$record', message }];
  const result = { family, name, action: 'blocked' as const, changed: [], missing_secrets: [], problems };
  return { result: { ...result, outcome: 'not_reached' } };
};

/** A fault in terms of the record that met it. */
export function problemsOf({ code: error_code, message, extra }: Fault): ImportProblem[] {
  const errors = Array.isArray(extra.errors) ? (extra.errors as Problem[]) : [];
  if (errors.length === 0) return [{ field: '$record', message, error_code }];
  return errors.map((error) => ({ field: error.field, message: error.message, error_code }));
}

/** Problems of fields about which nothing is said yet. */
export const withoutKnownFields = (known: readonly ImportProblem[], found: readonly ImportProblem[]): ImportProblem[] =>
  found.filter(({ field }) => !known.some((one) => one.field === field));
