import type { AuditedRow } from '../audit.ts';
import type { Gate } from '../capabilities.ts';
import type { Problem } from '../codes/faults.ts';
import type { ResourceFamily } from '../families/resourceFamilies.ts';
import type { FeatureFlag } from '../settings/flags.ts';
import type { Method } from './endpoint.ts';

/**
 * The shape of a schema as far as keys go: what may pass. `true` = anything.
 * `c` = numbers and the like become texts, `t` = text to be trimmed, `l` = text in lower case, `p` = known properties,
 * `a` = any other property, `i` = items.
 */
export type Plan = true | { c?: 1; t?: 1; l?: 1; p?: Record<string, Plan>; a?: Plan; i?: Plan };

/** Checks a value and answers every problem found; an empty list means it is good. May coerce query texts in place. */
export type Validate = (value: unknown) => Problem[];

export interface Checks {
  params: Validate | null;
  query: Validate | null;
  body: Validate | null;
}

/** An endpoint row as the running driver needs it: no schema library, no compiler. Made from the table by the build. */
export interface CompiledRow {
  id: string;
  /** The family's folder name. */
  family: string;
  method: Method;
  /** `'literal'`, `{param: 'name'}`, `{rest: 'model'}`; without the leading `ml`. */
  segments: readonly (string | { param: string } | { rest: string })[];
  gate: Gate;
  flag: FeatureFlag | null;
  wrapped: boolean;
  emptyBody: boolean;
  keepsUnknown: boolean;
  maxBody: number;
  file: { field: string; maxBytes: number } | null;
  conditional: boolean;
  bare: boolean;
  storeless: boolean;
  /** Access lists decide here; `new` = the row makes a record with one. */
  acl: 'new' | 'stored' | null;
  /** What the audit trail says of it; null = nothing. */
  audit: (AuditedRow & { family: ResourceFamily }) | null;
  /** Loads the row's validators: a family that is not called is not loaded. */
  checks(): Promise<Checks>;
  /** Names of the query parameters that the row knows. */
  queryNames: readonly string[];
  bodyPlan: Plan | null;
  replyPlan: Plan;
}

/** What the build makes of the table. */
export interface CompiledContract {
  rows: readonly CompiledRow[];
  /** Family -> paths (`details/token`) of its record's secrets; `*` stands for any key. */
  secrets: Readonly<Record<string, readonly string[]>>;
  version: string;
}

type Data = Omit<CompiledRow, 'bodyPlan' | 'replyPlan' | 'checks'>;

/**
 * A row out of the texts that the build makes of it. The plans of all rows are long and a request needs those of one: they
 * are read when they are asked for.
 */
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
