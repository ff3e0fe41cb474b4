import type { AuditedRow } from '../audit.ts';
import type { Gate } from '../capabilities.ts';
import type { Problem } from '../codes/faults.ts';
import type { ResourceFamily } from '../families/resourceFamilies.ts';
import type { FeatureFlag } from '../settings/flags.ts';
import type { Method } from './endpoint.ts';
import type { RecordPlans } from './recordPlan.ts';
import type { StoredCollection } from './stored.ts';

/**
 * Keys and conversions of a schema. `true` = anything, `c` = convert to string, `t` = trim, `l` = lower case,
 * `p` = properties, `a` = additional properties, `i` = items.
 */
export type Plan = true | { c?: 1; t?: 1; l?: 1; p?: Record<string, Plan>; a?: Plan; i?: Plan };

/** Returns every problem of a value; may coerce query strings in place. */
export type Validate = (value: unknown) => Problem[];

export interface Checks {
  params: Validate | null;
  query: Validate | null;
  body: Validate | null;
}

/** An endpoint as the driver uses it, compiled by the build so that the driver needs no schema library. */
export interface CompiledRow {
  id: string;
  /** The family's folder name. */
  family: string;
  method: Method;
  /** `'literal'`, `{param: 'name'}`, `{rest: 'model'}`; without a leading `ml`. */
  segments: readonly (string | { param: string } | { rest: string })[];
  gate: Gate;
  flag: FeatureFlag | null;
  wrapped: boolean;
  emptyBody: boolean;
  rawBody: boolean;
  keepsUnknown: boolean;
  exactIntegers: boolean;
  /** Levels of the body are the handler's to bound. */
  judgesDepth: boolean;
  maxBody: number;
  file: { field: string; maxBytes: number } | null;
  conditional: boolean;
  bare: boolean;
  storeless: boolean;
  /** The call takes a slot for waiting on upstreams before its work. */
  admitted: boolean;
  /** The endpoint checks access lists; `new` = it creates a record that has one. */
  acl: 'new' | 'stored' | null;
  /** Usage limits hold its callers, by imported roles too. */
  limited: boolean;
  /** Null = not audited. */
  audit: (AuditedRow & { family: ResourceFamily }) | null;
  /** Loads the validators on first use. */
  checks(): Promise<Checks>;
  /** Parameters of the path that name a type: an unknown one is invalid, while an ill-formed name is that of no record. */
  pathTypes: readonly string[];
  queryNames: readonly string[];
  bodyPlan: Plan | null;
  replyPlan: Plan;
}

export interface CompiledContract {
  rows: readonly CompiledRow[];
  /** How the records of each kind are merged and shown, and where their secrets are. */
  plans: RecordPlans;
  /** The collections whose documents are checked when they are read. */
  stored: Readonly<Record<string, StoredCollection>>;
  version: string;
}

type Data = Omit<CompiledRow, 'bodyPlan' | 'replyPlan' | 'checks'>;

/** Creates a row from compiled JSON; plans are parsed on first use, since a request needs those of one row only. */
export function row(data: string, body: string, reply: string, load: () => Promise<{ checks: Checks }>): CompiledRow {
  let bodyPlan: Plan | null | undefined;
  let replyPlan: Plan | undefined;
  return {
    ...(JSON.parse(data) as Data),
    get bodyPlan() {
      bodyPlan ??= JSON.parse(body) as Plan | null;
      return bodyPlan;
    },
    get replyPlan() {
      replyPlan ??= JSON.parse(reply) as Plan;
      return replyPlan;
    },
    checks: async () => (await load()).checks,
  };
}
