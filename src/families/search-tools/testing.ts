import type { Static } from 'typebox';
import type { Caller } from '../../contract/caller.ts';
import { Fault, invalid } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { startDeadline } from '../../domain/async/deadline.ts';
import { unmetered } from '../../domain/async/unmetered.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { PlatformRows } from '../../ports/platform/platformSearches.ts';
import type { Resources } from '../../resources/resources.ts';
import type { Target } from '../../resources/target.ts';
import type { SearchToolRecord, SearchToolStored } from './definition.ts';
import { judge, judgeForCall, judgeForSave, type SearchSite } from './judgement.ts';
import { filledSearch, sampleValues } from './prepare.ts';
import type { SearchToolBody } from './records.ts';
import { tableOf } from './results/cells.ts';
import type { SearchToolTest, SearchToolTestReply } from './schemas.ts';

export type SearchTools = Resources<SearchToolStored, SearchToolBody, SearchToolRecord>;

/** No test waits longer, whatever `timeout_s` says. */
const TEST_MS = 25_000;
/** Seconds for the rest of a test beside the search. */
const RESERVE_S = 3;
const SHOWN_ROWS = 20;

const NO_ROWS: PlatformRows = { fields: [], rows: [], total: 0, isPartial: false, messages: [] };
/** Codes of a search that was made and failed. */
const ANSWERS: readonly string[] = ['search_failed', 'search_not_allowed', 'too_many_searches', 'timeout'];

type Failure = Fault | OutboundError;

function failureOf(error: unknown): Failure {
  if ((error instanceof Fault || error instanceof OutboundError) && ANSWERS.includes(error.code)) return error;
  throw error;
}

/** Runs the search of a tool as the caller. @throws Fault `not_found`, `acl_denied`, `validation_failed`, `store_unavailable` */
export async function testSearchTool(
  tools: SearchTools,
  site: SearchSite,
  caller: Caller,
  { values = {}, confirm = false, ...body }: Static<typeof SearchToolTest>,
): Promise<Static<typeof SearchToolTestReply> & { status?: 'fail'; error_code?: string; message: string }> {
  const { name } = body;
  const target = await tools.target(caller, name === undefined ? undefined : recordKey(name), body);
  const { record, saved } = target;
  const isSaved = saved !== undefined;
  const { read_only, commands, terms } = await judge(site, caller, record);
  if (!isSaved) await judgeForSave(site, caller, record);
  if (!read_only && !confirm) {
    const message = 'must be true, since the search changes something and the test runs it';
    throw invalid([{ field: 'confirm', message }]);
  }
  const search = filledSearch(record, values, terms, 'values');
  const timeoutS = Math.min(search.timeoutS, TEST_MS / 1000 - RESERVE_S);
  using deadline = startDeadline(TEST_MS);
  const started = performance.now();
  let answer = NO_ROWS;
  let failure: Failure | undefined;
  try {
    if (isSaved) await judgeForCall(site, caller, saved);
    const upstream = unmetered(deadline);
    answer = await site.platformSearches.run(caller.user, { ...search, timeoutS }, upstream);
  } catch (error) {
    failure = failureOf(error);
  }
  const duration = performance.now() - started;
  if (isSaved) await tools.recordTest(target, duration, failure);
  const { sid = sidOf(failure), total, messages } = answer;
  const data = {
    ...{ search: search.search, ...(sid === undefined ? {} : { sid }) },
    ...tableOf(answer.fields, answer.rows.slice(0, SHOWN_ROWS)),
    ...{ count: total, duration_ms: Math.round(duration), read_only, commands, messages },
  };
  if (!failure) return { success: true, message: 'The search ran', data };
  return { status: 'fail', success: false, error_code: failure.code, message: failure.message, data };
}

const sidOf = (failure: Failure | undefined): string | undefined =>
  failure instanceof Fault && typeof failure.extra.sid === 'string' ? failure.extra.sid : undefined;

/**
 * Judges a saved tool without running it, by the guard and the platform's parser, and stores a failure. A tool that
 * passes keeps the result of its last test, since only a test shows that its search runs.
 * @returns the reason of a failure
 */
export async function checkSearchTool(
  tools: SearchTools,
  site: SearchSite,
  caller: Caller,
  target: Target<SearchToolStored>,
): Promise<{ code: string } | undefined> {
  const { saved } = target;
  if (!saved) throw new Error('only saved search tools are checked');
  const started = performance.now();
  let failure: Failure | undefined;
  try {
    const terms = await judgeForCall(site, caller, saved);
    const { search, app } = filledSearch(saved, sampleValues(saved), terms, 'arguments');
    await site.platformSearches.commandsOf({ user: caller.user, app }, search);
  } catch (error) {
    failure = failureOf(error);
  }
  if (failure) await tools.recordTest(target, performance.now() - started, failure);
  else if (saved.last_test?.error_code === 'search_not_allowed') await tools.discardTest(saved._key);
  return failure;
}
