import type { Checks, CompiledRow, Plan } from './compiled.ts';

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
