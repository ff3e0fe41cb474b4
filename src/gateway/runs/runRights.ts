import type { Caller } from '../../contract/caller.ts';
import { RUN_AGENTS, required } from '../../contract/capabilities.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { isFlagOnNow } from '../../contract/settings/flags.ts';
import type { AgentDefinitions } from '../../families/agents/public.ts';
import type { GatewaySite } from '../context.ts';
import type { RunDoc, RunHistory } from './documents/stored.ts';
import { isSearchDue, nextOf } from './steps/next.ts';
import { unknownReference } from './steps/runTools.ts';

interface RightsSite extends Pick<GatewaySite, 'users' | 'settings'> {
  agents: AgentDefinitions;
}

/** With these codes a step that somebody else takes is refused. */
const REFUSALS: readonly string[] = ['acl_denied', 'unknown_reference', 'ambiguous_reference'];

/** The rights with which steps of runs are taken: those of the run's user, whoever takes the step. */
export class RunRights {
  readonly #site: RightsSite;

  constructor(site: RightsSite) {
    this.#site = site;
  }

  /** The user of a run, with the rights that the user has now. @throws Fault `acl_denied` if they cannot be known */
  async userOf(caller: Caller, run: RunDoc): Promise<Caller> {
    if (run.user === caller.user) return caller;
    const user = await this.#site.users.find(run.user);
    if (user) return user;
    throw new Fault(
      'acl_denied',
      `This search head does not list ${run.user}, as with single sign-on before a login here. Until then only ${run.user} can go on with this run.`,
    );
  }

  /** Rights that the run began with may have been taken away since. @throws Fault `unknown_reference` */
  async assertMayRun(user: Caller, { agent, agent_created_at }: RunDoc): Promise<void> {
    const missing = required(RUN_AGENTS).filter((name) => !user.capabilities.includes(name));
    if (missing.length > 0) {
      throw new Fault('unknown_reference', `The user of this run lacks ${missing.join(' and ')} by now`, {
        required: missing,
      });
    }
    if (agent === undefined) return;
    const definition = await this.#site.agents.read(user, agent);
    if (definition?.created_at !== agent_created_at) throw unknownReference(`the agent ${agent}`);
  }

  /** Whether a search with the caller's session could take the steps of a run now. */
  async mayStep(caller: Caller, run: RunDoc): Promise<boolean> {
    if (!(await isFlagOnNow('agent_builder', this.#site.settings))) return false;
    if (run.user === caller.user) return true;
    try {
      const user = await this.userOf(caller, run);
      await this.assertMayRun(user, run);
      await this.#site.agents.assertReadable(user, run.definition);
      return true;
    } catch (error) {
      if (error instanceof Fault && REFUSALS.includes(error.code)) return false;
      throw error;
    }
  }

  /**
   * Whether a step is due that a search with the caller's session could take.
   * @param now epoch seconds
   */
  async isDue(caller: Caller, run: RunDoc, history: RunHistory, now: number): Promise<boolean> {
    const isOwn = run.user === caller.user;
    const next = nextOf(run, history, now, isOwn);
    if (next.do === 'nothing' || next.do === 'wait') return false;
    return (isOwn || !isSearchDue(next)) && (await this.mayStep(caller, run));
  }
}
