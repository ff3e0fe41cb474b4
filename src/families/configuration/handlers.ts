import { append, counted } from '../../contract/basics.ts';
import { type Handlers, withValidation } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { startDeadline } from '../../domain/async/deadline.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { apply } from './apply.ts';
import { IMPORT_MS, MAX_RECORDS, MAX_WARNINGS } from './constants.ts';
import { assertValidDocument, entriesOf } from './document.ts';
import type {} from './documentRecord.ts';
import type { configuration } from './endpoints.ts';
import { exportRecords } from './export.ts';
import { Planner } from './plan.ts';
import type { ImportReply, ImportResult } from './schemas.ts';

export function configurationHandlers(
  { records, secrets, clock, audit }: Stores,
  plans: RecordPlans,
): Handlers<typeof configuration> {
  return {
    async exportConfiguration({ caller, query, calls, warnings }) {
      const reply = await exportRecords({ calls, caller, records }, plans, query);
      const count = reply.document.records.length;
      if (count > MAX_RECORDS) warnings.push(`The document exceeds ${MAX_RECORDS} records and needs several imports`);
      return { ...reply, message: counted(count, 'record') };
    },
    importConfiguration: withValidation(
      async ({ caller, body, calls, warnings }) => {
        using deadline = startDeadline(IMPORT_MS, { now: () => clock.monotonic() });
        assertValidDocument(body);
        const { mode = 'plan', on_existing = 'update', include_agents = false } = body;
        const allWarnings: string[] = [];
        const entries = entriesOf(body, allWarnings);
        const planner = new Planner({ calls, caller, records, secrets }, plans, { mode, on_existing, include_agents });
        const planned = await planner.plan(entries, deadline);
        append(allWarnings, planner.warnings);
        if (mode === 'apply') await apply([...planned.values()], { calls, clock, audit }, deadline, allWarnings);
        warnings.push(...uniqueWarnings(allWarnings));
        const results = [...planned.values()].map(({ result }) => result);
        const result = entries.flatMap((entry) => planned.get(entry)?.result ?? []);
        const summary = summaryOf(results);
        return { message: summaryText(summary, mode), mode, summary, result };
      },
      async (body: Parameters<typeof assertValidDocument>[0]) => assertValidDocument(body),
    ),
  };
}

/** Plan and apply can warn of the same problem. */
function uniqueWarnings(warnings: readonly string[]): string[] {
  const unique = [...new Set(warnings)];
  const more = unique.length - MAX_WARNINGS;
  return more > 0 ? [...unique.slice(0, MAX_WARNINGS), `${more} more warnings`] : unique;
}

type Summary = ImportReply['summary'];

function summaryOf(results: readonly ImportResult[]): Summary {
  const count = (is: (result: ImportResult) => boolean) => results.filter(is).length;
  const action = (name: ImportResult['action']) => count((result) => result.action === name);
  const outcome = (name: NonNullable<ImportResult['outcome']>) => count((result) => result.outcome === name);
  return {
    create: action('create'),
    update: action('update'),
    unchanged: action('unchanged'),
    skip: action('skip'),
    blocked: action('blocked'),
    done: outcome('done'),
    failed: outcome('failed'),
    not_reached: outcome('not_reached'),
  };
}

function summaryText(summary: Summary, mode: ImportReply['mode']): string {
  const { create, update, unchanged, skip, blocked, done, failed, not_reached } = summary;
  const plan = `${create} to create, ${update} to update, ${unchanged} unchanged, ${skip} skipped, ${blocked} blocked`;
  return mode === 'plan' ? plan : `${done} done, ${failed} failed, ${not_reached} not reached; planned: ${plan}`;
}
