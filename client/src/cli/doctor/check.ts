import { CheckFailure, NotAsked } from './answer.ts';
import type { Visit } from './visit.ts';

/** A row of the table of checks. */
export interface Check {
  code: string;
  /** Code of the check that must hold before. */
  needs?: string;
  /** Advice for failures that give none of their own. */
  remedy: string;
  /** Returns what holds. @throws Failed, NotAsked */
  check(visit: Visit): Promise<string>;
}

/** Result of a check; `cause` quotes the answer. */
export type Finding = { check: string; says: string } & (
  | { state: 'holds' | 'not_asked' }
  | { state: 'fails'; cause?: string; remedy: string }
);

/** Makes a check and converts errors into a finding. */
export async function findingOf({ code, check, remedy }: Check, visit: Visit): Promise<Finding> {
  try {
    return { check: code, state: 'holds', says: await check(visit) };
  } catch (error) {
    const { message: says } = error as Error;
    if (error instanceof NotAsked) return { check: code, state: 'not_asked', says };
    const failed =
      error instanceof CheckFailure
        ? error
        : new CheckFailure('The check crashed: this is a bug in mlx', says, 'Report it.');
    const { message, cause } = failed;
    return { check: code, state: 'fails', says: message, ...(cause && { cause }), remedy: failed.remedy ?? remedy };
  }
}
