import type { AuditEnd } from '../../contract/audit.ts';
import type { Caller } from '../../contract/caller.ts';
import { passes, required } from '../../contract/capabilities.ts';
import { MAX_AGE_S } from '../../contract/connectionHealth.ts';
import { counted } from '../../contract/counted.ts';
import { Fault } from '../../contract/faults.ts';
import { isFlagOnNow } from '../../contract/flags.ts';
import type { Attempt, HealthSource } from '../../domain/connectionHealth.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { Settings } from '../../ports/settings.ts';
import { type Connection, type HealthSources, readConnections } from './readConnections.ts';
import { inRounds, PACE } from './rounds.ts';
import type { CheckInput } from './schemas.ts';

interface Parts {
  stores: Stores;
  settings: Settings;
  sources: HealthSources;
}

/** Many of a kind are told as a number. */
const MOST_NAMED = 10;

/** One check of many connections, as one caller. */
export class Check {
  readonly #parts: Parts;
  readonly #caller: Caller;
  readonly #input: CheckInput;
  readonly #started = performance.now();
  /** What a test came upon that is no finding about a server. */
  readonly #troubles: string[] = [];
  #gone = 0;

  constructor(parts: Parts, caller: Caller, input: CheckInput) {
    this.#parts = parts;
    this.#caller = caller;
    this.#input = input;
  }

  /** @returns the connections after the check, and the ids of those that it tested */
  async run(warnings: string[]): Promise<{ connections: Connection[]; tested: ReadonlySet<string> }> {
    const meant = this.#meant(await this.#read(), warnings);
    const due = oldestFirst(meant.filter((one) => this.#isDue(one)));
    const testable = await this.#testable(due, warnings);
    const tested = await inRounds(
      testable,
      (one, attempt) => this.#test(one, attempt),
      ({ condition }) => condition.isUnhurried ?? false,
      { ...PACE, wholeMs: PACE.wholeMs - (performance.now() - this.#started) },
    );
    const wanted = new Set(meant.map(({ id }) => id));
    const connections = testable.length === 0 ? meant : (await this.#read()).filter(({ id }) => wanted.has(id));
    const ids = new Set([...Array.from(tested, ({ id }) => id), ...foundAnew(testable, connections)]);
    const missed = testable.length - ids.size - this.#troubles.length - this.#gone;
    if (missed > 0) warnings.push(`There was no time for ${counted(missed, 'connection')}: check again`);
    warnings.push(...few(this.#troubles, 'connection'));
    return { connections, tested: ids };
  }

  #read(): Promise<Connection[]> {
    return readConnections(this.#parts, this.#caller, this.#input.family);
  }

  /** Those that the request is about; names that the caller cannot see mean nothing and are told. */
  #meant(all: Connection[], warnings: string[]): Connection[] {
    const { names } = this.#input;
    if (names === undefined) return all;
    const wanted = new Map(names.map((name) => [name.toLowerCase(), name]));
    const namesOf = ({ condition: { name, fullName } }: Connection) =>
      [name, fullName ?? name].map((text) => text.toLowerCase());
    const meant = all.filter((one) => namesOf(one).some((name) => wanted.has(name)));
    for (const name of meant.flatMap(namesOf)) wanted.delete(name);
    const unknown = [...wanted.values()].map((name) => `There is no connection ${name}, or you may not read it`);
    warnings.push(...few(unknown, 'name'));
    return meant;
  }

  #isDue({ condition: { lastTest } }: Connection): boolean {
    const { max_age_s = MAX_AGE_S.default } = this.#input;
    const now = this.#parts.stores.clock.now() / 1000;
    return lastTest === undefined || now - lastTest.tested_at >= max_age_s;
  }

  /** Those that the caller could test one by one. */
  async #testable(due: readonly Connection[], warnings: string[]): Promise<Connection[]> {
    const refusals = new Map<string, string | undefined>();
    for (const family of new Set(due.map((one) => one.family))) {
      const refusal = await this.#refusal(await this.#parts.sources[family]());
      refusals.set(family, refusal);
      if (refusal !== undefined) warnings.push(`${family}: ${refusal}`);
    }
    return due.filter(({ family }) => refusals.get(family) === undefined);
  }

  async #refusal({ testers, flag }: HealthSource): Promise<string | undefined> {
    if (!passes(testers, this.#caller.capabilities))
      return `nothing was tested, since that needs ${required(testers).join(', ')}`;
    if (await isFlagOnNow(flag, this.#parts.settings)) return undefined;
    return `nothing was tested, since the feature ${flag} is switched off`;
  }

  /** One that cannot be tested does not stop the others. */
  async #test({ family, condition: { key, name, fullName = name } }: Connection, attempt: Attempt): Promise<void> {
    try {
      const source = await this.#parts.sources[family]();
      await this.#parts.stores.audit.part({ action: 'test', family, name: fullName }, async () => {
        const end: AuditEnd = { outcome: 'success' };
        const isFinding = (failure: { code: string } | undefined) => {
          const isOne = attempt.isFinding(failure);
          if (failure) Object.assign(end, { outcome: isOne ? 'fail' : 'unknown', error_code: failure.code });
          return isOne;
        };
        await source.test(this.#caller, key, { ...attempt, isFinding });
        return end;
      });
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') {
        this.#gone += 1;
        return;
      }
      this.#troubles.push(`${name}: ${error instanceof Fault ? error.message : 'it could not be tested; see the log'}`);
      if (error instanceof Fault) return;
      const cause = error instanceof Error ? error.name : typeof error;
      this.#parts.stores.log.error('health_test_failed', { family, cause });
    }
  }
}

/**
 * Those whose last test is another than before. What a test has found when the time was just over has been kept all the same, and is
 * what the caller sees.
 * @returns their ids
 */
export function foundAnew(before: readonly Tested[], after: readonly Tested[]): string[] {
  const times = new Map(before.map(({ id, condition }) => [id, condition.lastTest?.tested_at]));
  const isNew = ({ id, condition: { lastTest } }: Tested) =>
    times.has(id) && lastTest !== undefined && lastTest.tested_at !== times.get(id);
  return after.filter(isNew).map(({ id }) => id);
}

type Tested = Pick<Connection, 'id'> & { condition: Pick<Connection['condition'], 'lastTest'> };

/** So that those come first in the next check for which there was no time in this one. */
function oldestFirst(connections: readonly Connection[]): Connection[] {
  const age = ({ condition: { lastTest } }: Connection) => lastTest?.tested_at ?? 0;
  return [...connections].sort((a, b) => age(a) - age(b));
}

function few(texts: readonly string[], noun: string): string[] {
  const more = texts.length - MOST_NAMED;
  return more > 0
    ? [...texts.slice(0, MOST_NAMED), `and ${counted(more, `more ${noun}`, `more ${noun}s`)}`]
    : [...texts];
}
