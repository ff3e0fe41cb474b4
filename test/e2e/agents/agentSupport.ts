import { expectStatus, type Reply, type TestPlatform } from '../../support/e2e/platform.ts';
import { eventually } from '../../support/time.ts';

export type Row = Record<string, string>;
interface Job {
  sid: string;
  isDone: boolean;
  isFailed: boolean;
  messages: { type: string; text: string }[];
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Starts a search as a user does, from any app. */
export async function dispatch(platform: TestPlatform, user: string, search: string): Promise<Reply> {
  const form = new URLSearchParams({ search, exec_mode: 'normal', output_mode: 'json' }).toString();
  return platform.call(user, 'POST', `/servicesNS/${user}/search/search/jobs`, form, FORM);
}

export async function job(platform: TestPlatform, user: string, sid: string): Promise<Job | undefined> {
  const reply = await platform.call(user, 'GET', `/services/search/jobs/${sid}?output_mode=json`);
  if (reply.status !== 200) return undefined;
  const { isDone, isFailed, messages } = reply.json.entry[0].content;
  return { sid, isDone, isFailed, messages };
}

const LOOK_MS = 100;

/** @param pass is told of the time between two looks */
export async function finished(
  platform: TestPlatform,
  user: string,
  sid: string,
  ms = 120_000,
  pass: (ms: number) => void = () => {},
): Promise<Job> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    const found = await job(platform, user, sid);
    if (found?.isDone) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    pass(LOOK_MS);
  }
  throw new Error(`the search ${sid} is not done after ${ms} ms`);
}

/** The same at a clock that runs six times as fast, so that what is asked or written meanwhile still has its time. */
export function finishedSoon(platform: TestPlatform, user: string, sid: string): Promise<Job> {
  return finished(platform, user, sid, 120_000, (ms) => platform.advance(5 * ms));
}

export async function results(platform: TestPlatform, user: string, sid: string): Promise<Row[]> {
  const path = `/services/search/v2/jobs/${sid}/results?output_mode=json&count=0`;
  const reply = await platform.call(user, 'GET', path);
  if (reply.status === 204) return [];
  expectStatus(reply, 200, `results of ${sid}`);
  return reply.json.results;
}

/** Runs a search to its end. */
export async function searched(
  platform: TestPlatform,
  user: string,
  search: string,
): Promise<{ rows: Row[]; job: Job }> {
  const started = await dispatch(platform, user, search);
  expectStatus(started, 201, search);
  const done = await finished(platform, user, started.json.sid);
  return { rows: done.isFailed ? [] : await results(platform, user, done.sid), job: done };
}

/** Processes of the command among the platform's own. */
export function commands(platform: TestPlatform): number[] {
  return platform.drivers('agentstatus');
}

export function restDrivers(platform: TestPlatform): number[] {
  return platform.drivers('ml_rest');
}

/** A second driver is started when a request finds the first one busy; how often that happens depends on the machine. */
export async function severalDrivers(platform: TestPlatform, user: string): Promise<void> {
  const several = async () => {
    await Promise.all(Array.from({ length: 8 }, () => platform.ml(user, 'GET', '/ml_feature_flags')));
    return restDrivers(platform).length > 1;
  };
  await eventually(several, 30_000, 'a second driver');
}
