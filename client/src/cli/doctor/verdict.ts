/** What came of one check. */
export type Verdict =
  | { state: 'holds'; says: string }
  /** `cause`: what was seen, in the words of whoever said it. */
  | { state: 'fails'; says: string; cause?: string; remedy: string }
  | { state: 'not_asked'; says: string };

export type Finding = Verdict & { check: string };

export const holds = (says: string): Verdict => ({ state: 'holds', says });
export const notAsked = (says: string): Verdict => ({ state: 'not_asked', says });
export const fails = (says: string, remedy: string, cause?: string): Verdict => ({
  state: 'fails',
  says,
  remedy,
  ...(cause ? { cause } : {}),
});

/** Ends a check with its verdict from within. */
export class Concluded extends Error {
  override readonly name = 'Concluded';
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(verdict.says);
    this.verdict = verdict;
  }
}
