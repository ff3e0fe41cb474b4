/** Result of a check. */
export type Verdict =
  | { state: 'holds'; says: string }
  /** `cause` quotes the answer. */
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

/** Thrown to end a check with a verdict. */
export class Concluded extends Error {
  override readonly name = 'Concluded';
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(verdict.says);
    this.verdict = verdict;
  }
}
