import type { Json } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { Fault, invalid } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import type { RequestSlot } from '../../../metering/requestSlot.ts';
import type { GatewaySite } from '../../context.ts';
import { checkArguments } from '../../tools/checkArguments.ts';
import { ToolCatalogue } from '../../tools/usableTools.ts';
import type { DecisionDoc, RunDoc, StepDoc } from '../documents/stored.ts';
import type { RunRights } from '../runRights.ts';
import { assertAsShown, ChangedSinceShown, MAX_ARGUMENTS } from '../steps/calls.ts';
import { namesOf } from '../steps/missingTools.ts';
import { toolsOfRun } from '../steps/runTools.ts';
import type { StepSite } from '../steps/stepWork.ts';

interface LookSite {
  site: GatewaySite;
  rights: RunRights;
  slot: RequestSlot;
}

/** A call that a person approves. */
interface ApprovedCall {
  run: RunDoc;
  caller: Caller;
  step: StepDoc;
  /** In place of the model's. */
  args: Json | undefined;
}

/** @see Runs.decide */
export async function lookAtCall(
  look: LookSite,
  steps: StepSite,
  approved: ApprovedCall,
): Promise<DecisionDoc['changed']> {
  const changed = await changeOf(look, steps, approved);
  if (approved.args !== undefined && !changed) await assertFits(look, steps, approved, approved.args);
  return changed;
}

async function changeOf({ rights, slot }: LookSite, steps: StepSite, { run, caller, step: { call } }: ApprovedCall) {
  if (call?.target?.kind !== 'tool' || !call.shown) return undefined;
  const catalogue = new ToolCatalogue(steps.deps);
  try {
    const user = await rights.userOf(caller, run);
    const opened = await catalogue.connections.open(user, call.target.connection);
    await assertAsShown(catalogue, opened, call, await slot.enter(caller.user));
  } catch (error) {
    if (error instanceof ChangedSinceShown) return { ...error.now, what: error.what };
    // The call asks the server again, and fails as this did or finds the change.
    if (!(error instanceof Fault || error instanceof OutboundError)) throw error;
  }
  return undefined;
}

async function assertFits(
  { site, rights, slot }: LookSite,
  steps: StepSite,
  { run, caller, step }: ApprovedCall,
  args: Json,
): Promise<void> {
  if (step.kind === 'invoke') {
    const message = 'are for calls of tools: an agent that runs elsewhere gets the input of the run';
    throw invalid([{ field: 'arguments', message }]);
  }
  if (Buffer.byteLength(stringifyExact(args)) > MAX_ARGUMENTS) {
    throw invalid([{ field: 'arguments', message: `must not be longer than ${MAX_ARGUMENTS} bytes of JSON` }]);
  }
  const user = await rights.userOf(caller, run);
  // Its server may have to be asked for its tools.
  await slot.enter(caller.user);
  const { tools, unavailable } = await toolsOfRun(new ToolCatalogue(steps.deps), site, user, run.definition);
  const tool = tools.find(({ served }) => served.name === step.call?.name);
  if (!tool) {
    const lack = unavailable.length === 0 ? '' : ` (missing: ${namesOf(unavailable)})`;
    const message = `cannot be checked, since ${step.name} is not listed now${lack}. Approve without arguments, or try again.`;
    throw invalid([{ field: 'arguments', message }]);
  }
  await checkArguments(steps.deps.schemas, tool.served.inputSchema as Json | undefined, args);
}
