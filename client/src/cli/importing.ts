import type { MlExtension } from '../client.ts';
import type { ConfigurationImport, ConfigurationImportReply, ConfigurationResult } from '../schemas.ts';
import { problemLines, showPlan } from './difference.ts';
import { readImport } from './document.ts';
import { confirm } from './prompt.ts';
import { plain, type Terminal } from './terminal.ts';
import { type Arguments, UsageError } from './usage.ts';

/** Exit codes other than 0. */
const HAS_CHANGES = 2;
const FAILED = 1;

export async function plan(ml: MlExtension, args: Arguments, terminal: Terminal): Promise<number> {
  const input = readImport(args);
  const reply = await ml.call('importConfiguration', { body: { ...input, mode: 'plan' } });
  if (args.json) terminal.out(JSON.stringify(reply, null, 2));
  else await showPlan(ml, input, reply, terminal);
  const { blocked, not_reached } = reply.summary;
  if (blocked + not_reached > 0) return FAILED;
  return changesIn(reply) > 0 ? HAS_CHANGES : 0;
}

const changesIn = ({ summary }: ConfigurationImportReply): number => summary.create + summary.update;

/** Shows the plan, asks for confirmation and applies it. */
export async function apply(ml: MlExtension, args: Arguments, terminal: Terminal): Promise<number> {
  const input = readImport(args);
  const planned = await ml.call('importConfiguration', { body: { ...input, mode: 'plan' } });
  if (!args.json) await showPlan(ml, input, planned, terminal);
  const count = changesIn(planned);
  if (count > 0 && !args.yes) {
    if (!terminal.isInteractive) throw new UsageError('Cannot ask for confirmation without a terminal: pass --yes');
    if (!(await confirm(`Apply ${count === 1 ? 'this change' : `these ${count} changes`}?`))) {
      terminal.note('Nothing was changed');
      return FAILED;
    }
  }
  const result = count > 0 ? await applyInCalls(ml, input, count, terminal) : planned.result;
  const [done, failed, left, blocked] = [
    ...(['done', 'failed', 'not_reached'] as const).map((outcome) =>
      result.filter((entry) => entry.outcome === outcome),
    ),
    result.filter(({ action, outcome }) => action === 'blocked' && outcome === undefined),
  ].map(({ length }) => length) as [number, number, number, number];
  if (args.json) terminal.out(JSON.stringify({ done, failed, not_reached: left, blocked, result }, null, 2));
  else if (count > 0) {
    for (const entry of result.filter(({ outcome }) => outcome === 'failed')) {
      terminal.out(terminal.paint('red', `! ${plain(`${entry.family}/${entry.name}`)}`));
      for (const line of problemLines(entry)) terminal.out(`    ${line}`);
    }
    terminal.out(terminal.paint('bold', `${done} done, ${failed} failed, ${left} not reached, ${blocked} blocked`));
  }
  return failed + left + blocked > 0 ? FAILED : 0;
}

/** One call stops after about 25 seconds; the next continues. */
async function applyInCalls(
  ml: MlExtension,
  input: ConfigurationImport,
  count: number,
  terminal: Terminal,
): Promise<ConfigurationResult[]> {
  const results = new Map<string, ConfigurationResult>();
  let done = 0;
  for (;;) {
    const { summary, result } = await ml.call('importConfiguration', { body: { ...input, mode: 'apply' } });
    for (const entry of result) {
      const key = `${entry.family}/${entry.name}`;
      // This call finds records of earlier calls unchanged.
      if (results.get(key)?.outcome !== 'done') results.set(key, entry);
    }
    done += summary.done;
    if (summary.not_reached === 0 || summary.done === 0) return [...results.values()];
    terminal.note(`${done} of ${count} done, continuing`);
  }
}
