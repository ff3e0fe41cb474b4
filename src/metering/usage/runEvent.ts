import type { AlertSource } from '../../contract/families/alerts.ts';
import type { RunState } from '../../contract/families/runs.ts';

/** A change of a run's state, without content. `time` comes first, where props.conf looks for it. */
export interface RunEvent {
  /** Epoch seconds. */
  time: number;
  run_id: string;
  agent?: string | undefined;
  user: string;
  state: RunState;
  error_code?: string | undefined;
  /** The calls that people have to decide about. */
  waiting?: { tool: string }[] | undefined;
  /** The alert that started the run. */
  source?: AlertSource | undefined;
  /** Claims of the output that the run's data do not have. */
  unverified?: number | undefined;
}
