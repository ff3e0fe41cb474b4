import { counted, errorName } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { passes, required } from '../../contract/capabilities.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { MAX_AGE_S } from '../../contract/families/connectionHealth.ts';
import { isFlagOnNow } from '../../contract/settings/flags.ts';
import { startDeadline, unlessAborted, within } from '../../domain/async/deadline.ts';
import { parallel } from '../../domain/async/parallel.ts';
import type { HealthReader, TargetCondition } from '../../domain/records/connectionHealth.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import { orderTests } from './order.ts';
import { type Connection, connectionId, type HealthParts, readConnections } from './readConnections.ts';
import type { CheckInput } from './schemas.ts';

interface Parts extends HealthParts {
  stores: Stores;
  settings: Settings;
}

const AT_ONCE = 8;
const TEST_MS = 5000;
/** The reply is due within 25 s, and the records are read once before and once after the tests. */
const ALL_MS = 22_000;
/** Time to store the last results. */
const STORE_MS = 1000;

/** Limit of warnings of one kind; the others are only counted. */
const MAX_LISTED = 10;

/** A check of many connections on behalf of one caller. */
export class Check {
  readonly #parts: Parts;
  readonly #caller: Caller;
  readonly #input: CheckInput;
  readonly #started = performance.now();
  /** Failures of the check itself, not of a server. */
  readonly #problems: string[] = [];
  #gone = 0;

  constructor(parts: Parts, caller: Caller, input: CheckInput) {
    this.#parts = parts;
    this.#caller = caller;
    this.#input = input;
  }

  /** @returns the connections after the check, and the ids of the tested ones */
  async run(warnings: string[]): Promise<{ connections: Connection[]; tested: ReadonlySet<string> }> {
    const selected = this.#select(await this.#read(), warnings);
    const due = orderTests(selected.filter((connection) => this.#isDue(connection)));
    const testable = await this.#testable(due, warnings);
    const subjects = this.#subjects(testable);
    const done = await this.#testAll(subjects);
    const isTested = (connection: Connection) => subjectsOf(connection).some(({ id }) => done.has(id));
    const tested = new Set(selected.filter(isTested).map(({ id }) => id));
    const ids = new Set(selected.map(({ id }) => id));
    const connections = testable.length === 0 ? selected : (await this.#read()).filter(({ id }) => ids.has(id));
    const missed = subjects.length - done.size - this.#problems.length - this.#gone;
    if (missed > 0) warnings.push(`${counted(missed, 'connection')} not tested for lack of time. Check again.`);
    warnings.push(...truncate(this.#problems, 'connection'));
    return { connections, tested };
  }

  #read(): Promise<Connection[]> {
    return readConnections(this.#parts, this.#caller, this.#input.family);
  }

  /** Selects by name, and warns of names that the caller cannot see. */
  #select(connections: Connection[], warnings: string[]): Connection[] {
    const { names } = this.#input;
    if (names === undefined) return connections;
    const unmatched = new Map(names.map((name) => [name.toLowerCase(), name]));
    const namesOf = ({ condition: { name, fullName } }: Connection) =>
      [name, fullName ?? name].map((text) => text.toLowerCase());
    const selected = connections.filter((connection) => namesOf(connection).some((name) => unmatched.has(name)));
    for (const name of selected.flatMap(namesOf)) unmatched.delete(name);
    const unknown = [...unmatched.values()].map(
      (name) => `The connection ${name} does not exist, or you may not read it`,
    );
    warnings.push(...truncate(unknown, 'name'));
    return selected;
  }

  /** An alias is due with any of its targets. */
  #isDue(connection: Connection): boolean {
    return subjectsOf(connection).some((subject) => this.#isOld(subject));
  }

  #isOld({ lastTest }: Subject): boolean {
    const { max_age_s = MAX_AGE_S.default } = this.#input;
    const now = this.#parts.stores.clock.now() / 1000;
    return lastTest === undefined || now - lastTest.tested_at >= max_age_s;
  }

  /** Omits families that the caller may not test, with a warning. */
  async #testable(due: readonly Connection[], warnings: string[]): Promise<Connection[]> {
    const refusals = new Map<string, string | undefined>();
    for (const family of new Set(due.map((connection) => connection.family))) {
      const refusal = await this.#refusal(await this.#parts.sources[family]());
      refusals.set(family, refusal);
      if (refusal !== undefined) warnings.push(`${family}: ${refusal}`);
    }
    return due.filter(({ family }) => refusals.get(family) === undefined);
  }

  async #refusal({ testers, flag }: HealthReader): Promise<string | undefined> {
    if (!passes(testers, this.#caller.capabilities)) return `not tested: requires ${required(testers).join(', ')}`;
    if (!flag || (await isFlagOnNow(flag, this.#parts.settings))) return undefined;
    return `not tested: the feature flag ${flag} is off`;
  }

  /** The subjects of the connections' tests that are due, each once. */
  #subjects(connections: readonly Connection[]): Subject[] {
    const due = connections.flatMap(subjectsOf).filter((subject) => this.#isOld(subject));
    return [...new Map(due.map((subject) => [subject.id, subject])).values()];
  }

  /** Starts a test only if its full time is left. @returns the ids of subjects whose test ended in time */
  async #testAll(subjects: readonly Subject[]): Promise<ReadonlySet<string>> {
    using overall = startDeadline(ALL_MS - (performance.now() - this.#started));
    using reply = startDeadline(overall.remaining() + STORE_MS);
    const tested = new Set<string>();
    const testOne = async (subject: Subject): Promise<void> => {
      using deadline = within(overall, TEST_MS);
      if (await this.#test(subject, deadline)) tested.add(subject.id);
    };
    const tests = parallel(subjects, AT_ONCE, testOne, () => overall.remaining() < TEST_MS);
    // A test that exceeds its deadline must not hold back the other results.
    await unlessAborted(tests, reply.signal).catch((error: unknown) => {
      if (!reply.signal.aborted) throw error;
    });
    return new Set(tested);
  }

  /** A failure does not stop the other tests. @returns whether the subject was tested */
  async #test({ family, key, name }: Subject, deadline: Deadline): Promise<boolean> {
    try {
      const source = await this.#parts.sources[family]();
      await source.test?.(this.#caller, key, deadline);
      return true;
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') {
        this.#gone += 1;
        return false;
      }
      this.#problems.push(
        `${name}: ${error instanceof Fault ? error.message : 'the test failed unexpectedly, see the log'}`,
      );
      if (error instanceof Fault) return false;
      const cause = errorName(error);
      this.#parts.stores.log.error('health_test_failed', { family, cause });
      return false;
    }
  }
}

/** A record to test. */
interface Subject extends Pick<TargetCondition, 'family' | 'name' | 'lastTest'> {
  id: string;
  key: string;
}

/** The connection itself, or the ones that it asks. */
function subjectsOf({ family, condition }: Connection): Subject[] {
  const { targets = [{ ...condition, family }] } = condition;
  return targets.flatMap(({ family: of, key, name, lastTest }) =>
    key === undefined ? [] : [{ id: connectionId(of, key), family: of, key, name, lastTest }],
  );
}

function truncate(texts: readonly string[], noun: string): string[] {
  const more = texts.length - MAX_LISTED;
  return more > 0
    ? [...texts.slice(0, MAX_LISTED), `and ${counted(more, `more ${noun}`, `more ${noun}s`)}`]
    : [...texts];
}
