import { timingSafeEqual } from 'node:crypto';

/** The plan of a member before it starts; plain data, since it is sent to another process. */
export interface MemberPlan {
  /** 1 and up; 1 holds the KV store. */
  number: number;
  count: number;
  /** `ML_HOME`, where the files shared by all members are. */
  root: string;
  /** Members authenticate with it; never in the environment, which drivers inherit. */
  key: string;
  replicationMs: number;
  /** The first start of this run, which sets the password of `admin`. */
  first: boolean;
}

export const HOLDER = 1;

/** The other members. */
export class Membership {
  readonly plan: MemberPlan;
  #urls: Record<number, string>;

  constructor(plan: MemberPlan, urls: Record<number, string> = {}) {
    this.plan = plan;
    this.#urls = urls;
  }

  get isHolder(): boolean {
    return this.plan.number === HOLDER;
  }

  /** Undefined until the parent knows it. */
  url(member: number): string | undefined {
    return this.#urls[member];
  }

  setUrls(urls: Record<number, string>): void {
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
