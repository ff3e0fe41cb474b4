import type { MlExtension } from '../client.ts';
import type { ConfigurationImport, ConfigurationImportReply, ConfigurationResult } from '../schemas.ts';
import { problemLines, showPlan } from './difference.ts';
import { readImport } from './document.ts';
import { confirm } from './prompt.ts';
import { plain, type Terminal } from './terminal.ts';
import { type Arguments, UsageError } from './usage.ts';

/** Exit codes, beside 0: nothing to do, or all done. */
const CHANGES = 2;
const WRONG = 1;

export async function plan(ml: MlExtension, args: Arguments, terminal: Terminal): Promise<number> {
  const input = readImport(args);
  const reply = await ml.call('importConfiguration', { body: { ...input, mode: 'plan' } });
  if (args.json) terminal.out(JSON.stringify(reply, null, 2));
  else await showPlan(ml, input, reply, terminal);
  const { blocked, not_reached } = reply.summary;
  if (blocked + not_reached > 0) return WRONG;
  return changesIn(reply) > 0 ? CHANGES : 0;
}

const changesIn = ({ summary }: ConfigurationImportReply): number => summary.create + summary.update;

/** Shows the plan and asks; then makes as many calls as it takes. */
export async function apply(ml: MlExtension, args: Arguments, terminal: Terminal): Promise<number> {
  const input = readImport(args);
  const planned = await ml.call('importConfiguration', { body: { ...input, mode: 'plan' } });
  if (!args.json) await showPlan(ml, input, planned, terminal);
  const count = changesIn(planned);
  if (count > 0 && !args.yes) {
    if (!terminal.isInteractive) throw new UsageError('Nobody can be asked here: give --yes to apply the plan');
    if (!(await confirm(`Apply ${count === 1 ? 'this change' : `these ${count} changes`}?`))) {
      terminal.note('Nothing was changed');
      return WRONG;
    }
  }
  const result = count > 0 ? await performed(ml, input, count, terminal) : planned.result;
  const [done, failed, left, blocked] = [
    ...(['done', 'failed', 'not_reached'] as const).map((outcome) => result.filter((one) => one.outcome === outcome)),
    result.filter(({ action, outcome }) => action === 'blocked' && outcome === undefined),
  ].map(({ length }) => length) as [number, number, number, number];
  if (args.json) terminal.out(JSON.stringify({ done, failed, not_reached: left, blocked, result }, null, 2));
  else if (count > 0) {
    for (const one of result.filter(({ outcome }) => outcome === 'failed')) {
      terminal.out(terminal.paint('red', `! ${plain(`${one.family}/${one.name}`)}`));
      for (const line of problemLines(one)) terminal.out(`    ${line}`);
    }
    terminal.out(terminal.paint('bold', `${done} done, ${failed} failed, ${left} not reached, ${blocked} blocked`));
  }
  return failed + left + blocked > 0 ? WRONG : 0;
}

/** One call ends within half a minute, however much there is to do: the next goes on where it stopped. */
async function performed(
  ml: MlExtension,
  input: ConfigurationImport,
  count: number,
  terminal: Terminal,
): Promise<ConfigurationResult[]> {
  const results = new Map<string, ConfigurationResult>();
  let done = 0;
  for (;;) {
    const { summary, result } = await ml.call('importConfiguration', { body: { ...input, mode: 'apply' } });
    for (const one of result) {
      const key = `${one.family}/${one.name}`;
      // What an earlier call has done, this one finds unchanged.
      if (results.get(key)?.outcome !== 'done') results.set(key, one);
    }
    done += summary.done;
    if (summary.not_reached === 0 || summary.done === 0) return [...results.values()];
    terminal.note(`${done} of ${count} done, going on`);
  }
}
