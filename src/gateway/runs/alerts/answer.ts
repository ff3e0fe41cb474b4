import { errorName } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { RESULT_INDEX } from '../../../contract/families/alerts.ts';
import { setting, splitList } from '../../../contract/settings/settings.ts';
import { withoutUndefined } from '../../../domain/values/json.ts';
import { roundMilliseconds } from '../../../domain/values/numbers.ts';
import type { EventIndex, Log } from '../../../ports/platform/log.ts';
import type { Settings, Stanzas } from '../../../ports/stores/settings.ts';
import { type AnswerPlace, INDEX_NOT_ALLOWED, type RunDoc } from '../documents/stored.ts';
import type { AlertSettings } from './params.ts';

interface AnswerSite {
  settings: Settings;
  events: EventIndex;
  log: Log;
}

/** An index that was allowed a moment ago is not refused: settings are read anew for that. */
async function isAllowed(settings: Settings, index: string): Promise<boolean> {
  return allows(await settings.recent(), index) || allows(await settings.read(), index);
}

const allows = (stanzas: Stanzas, index: string): boolean =>
  splitList(setting(stanzas, 'agents', 'result_indexes') ?? RESULT_INDEX).includes(index);

/** Where the answers of an alert's runs go; undefined for nowhere. */
export async function answerPlace(
  settings: Settings,
  { index, sourcetype }: Pick<AlertSettings, 'index' | 'sourcetype'>,
): Promise<AnswerPlace | undefined> {
  if (index === '') return undefined;
  const place = { index, sourcetype, written: false };
  return (await isAllowed(settings, index)) ? place : { ...place, error_code: INDEX_NOT_ALLOWED };
}

/**
 * Sends the answer of a run that has ended to its index, with the rights of the app. Who calls this holds the run's lease, and stores the
 * result: a crash between the two sends it once more.
 * @returns the result as it is now
 */
export async function sendAnswer({ settings, events, log }: AnswerSite, run: RunDoc): Promise<AnswerPlace> {
  const { error_code: _earlier, ...place } = run.result as AnswerPlace;
  try {
    if (!(await isAllowed(settings, place.index))) return { ...place, error_code: INDEX_NOT_ALLOWED };
    await events.send(place.index, place.sourcetype, [answerEvent(run)]);
    return { ...place, written: true };
  } catch (error) {
    log.warn('run_answer_not_written', { run: run._key, cause: errorName(error) });
    return { ...place, error_code: error instanceof Fault ? error.code : 'internal_error' };
  }
}

/** The event of an answer. An object stays one, whose fields searches find as `output.<name>`. */
function answerEvent(run: RunDoc): object {
  const { ended_at, started_at, run_id, agent, state, error_code, output, evidence, source, origin } = run;
  const time = roundMilliseconds(ended_at ?? started_at);
  const counts = evidence && 'checked' in evidence ? evidence : undefined;
  return withoutUndefined({
    ...{ time, run_id, agent, state, error_code, output, evidence: counts, source },
    ...origin,
  });
}
