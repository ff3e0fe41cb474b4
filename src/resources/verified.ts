import type { Caller } from '../contract/caller.ts';
import type { FaultCode } from '../contract/codes/codes.ts';
import { Fault } from '../contract/codes/faults.ts';
import { lastTest } from '../domain/records/lastTest.ts';
import type { Secrets, SubmittedSecrets } from '../domain/secrets/secrets.ts';
import type { ReplyFields } from './kind.ts';
import type { Resource } from './records.ts';
import type { Resources } from './resources.ts';
import type { Target } from './target.ts';
import type { ParsedBody, PlannedUpdate, TestResult } from './updates.ts';

/** Why a test failed. */
export interface TestFailure {
  code: FaultCode;
  /** Without secrets. */
  message: string;
}

/** Result of a test of an unsaved record. */
export interface Finding<R extends Resource> {
  elapsedMs: number;
  /** Undefined if the test passed. */
  failure?: TestFailure | undefined;
  /** Saved with the record. */
  discovered?: TestResult<R>['discovered'];
  /** Secrets that replace submitted ones which the test used up. */
  secrets?: Secrets | undefined;
}

/** An unsaved record to test. */
export interface Trial<R extends Resource> {
  target: Target<R>;
  /** The stored record; undefined for a new one. */
  before: R | undefined;
  /** Secrets of the body. */
  submitted: SubmittedSecrets;
  /** The target after the change of a newer version of the record. @throws Fault `version_conflict` */
  targetAfter(now: R): Promise<Target<R>>;
}

export type Test<R extends Resource> = (trial: Trial<R>) => Promise<Finding<R>>;

export interface Save<F> {
  caller: Caller;
  key: string;
  body: ParsedBody<F>;
  /** Receives warnings about the record. */
  warnings?: string[];
}

/**
 * Creates a record, with a test only if it passes. All other checks come first.
 * @throws Fault `verification_refused`, `duplicate_name`, `acl_denied`, `validation_failed` and the faults of secrets
 */
export async function createRecord<R extends Resource, F extends object, V extends ReplyFields>(
  resources: Resources<R, F, V>,
  { caller, key, body, warnings }: Save<F>,
  test?: Test<R>,
): Promise<R> {
  const draft = await resources.draft(body);
  warnings?.push(...draft.target.warnings);
  if (!test) return resources.create(caller, key, draft);
  await resources.assertMayCreate(caller, key, body.open);
  const { target } = draft;
  const finding = throwUnlessPassed(
    await test({ target, before: undefined, submitted: body.submitted, targetAfter: async () => target }),
  );
  return resources.create(caller, key, { target, body: withSecrets(body, finding) }, testResultOf(resources, finding));
}

/**
 * Changes a record, with a test only if it passes and the record did not change meanwhile.
 * @param condition the version that the caller saw
 * @throws Fault `verification_refused` and whatever `Resources.update` throws
 */
export async function updateRecord<R extends Resource, F extends object, V extends ReplyFields>(
  resources: Resources<R, F, V>,
  { caller, key, body, warnings, condition, seen }: Save<F> & { condition: number | undefined; seen?: R | undefined },
  test?: Test<R>,
): Promise<R> {
  const planned = await resources.planUpdate(caller, key, body, { condition, seen }, test !== undefined);
  const updated = test ? await saveTested(resources, planned, test) : await resources.saveUpdate(planned);
  warnings?.push(...planned.warnings);
  return updated;
}

async function saveTested<R extends Resource, F extends object, V extends ReplyFields>(
  resources: Resources<R, F, V>,
  planned: PlannedUpdate<R>,
  test: Test<R>,
): Promise<R> {
  const { record: before, change } = planned.plan;
  const planFor = async (record: R, submitted = change.submitted) => ({
    ...planned,
    plan: await resources.sealed.plan(record, { ...change, submitted }),
  });
  const targetAfter = async (now: R) => resources.targetOf(await planFor(now));
  const target = await resources.targetOf(planned);
  const finding = throwUnlessPassed(await test({ target, before, submitted: change.submitted, targetAfter }));
  const tested = finding.secrets ? await planFor(before, { ...change.submitted, ...finding.secrets }) : planned;
  return resources.saveUpdate(tested, testResultOf(resources, finding));
}

/** @throws Fault `verification_refused` */
export function assertPassed({ failure }: { failure?: TestFailure | undefined }): void {
  if (!failure) return;
  const { code, message } = failure;
  throw new Fault('verification_refused', `Nothing was saved, because the test failed: ${message}`, { cause: code });
}

function throwUnlessPassed<R extends Resource>(finding: Finding<R>): Finding<R> {
  assertPassed(finding);
  return finding;
}

const withSecrets = <F>(
  { open, submitted }: ParsedBody<F>,
  { secrets }: { secrets?: Secrets | undefined },
): ParsedBody<F> => ({
  open,
  submitted: { ...submitted, ...secrets },
});

const testResultOf = <R extends Resource>(
  { now }: { now(): number },
  { elapsedMs, discovered }: Finding<R>,
): TestResult<R> => ({ last_test: lastTest(now(), elapsedMs, undefined), discovered });
