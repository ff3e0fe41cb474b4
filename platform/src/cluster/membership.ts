import { timingSafeEqual } from 'node:crypto';

/** What the parent tells a member before it starts: all of it plain data, as it goes to another process. */
export interface MemberPlan {
  /** 1 and up; 1 holds the KV store. */
  number: number;
  count: number;
  /** `ML_HOME`: what all members share lies there. */
  root: string;
  /** With it members know one another; never in the environment, which drivers inherit. */
  key: string;
  replicationMs: number;
  /** The first start of this run, in which the password of `admin` is set. */
  first: boolean;
}

export const HOLDER = 1;

/** The others, as this member knows them. */
export class Membership {
  readonly plan: MemberPlan;
  #urls: Record<number, string>;

  constructor(plan: MemberPlan, urls: Record<number, string> = {}) {
    this.plan = plan;
    this.#urls = urls;
  }

  get holder(): boolean {
    return this.plan.number === HOLDER;
  }

  /** Undefined until the parent knows it. */
  url(member: number): string | undefined {
    return this.#urls[member];
  }

  learn(urls: Record<number, string>): void {
    this.#urls = urls;
  }

  others(): number[] {
    return Array.from({ length: this.plan.count }, (_, index) => index + 1).filter((n) => n !== this.plan.number);
  }

  isKey(token: string): boolean {
    const actual = Buffer.from(token);
    const expected = Buffer.from(this.plan.key);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }
}
