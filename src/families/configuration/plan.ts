import { Fault, type Problem } from '../../contract/faults.ts';
import type { Json } from '../../contract/json.ts';
import type { OwnCall, OwnCalls, Rehearsal } from '../../contract/ownCalls.ts';
import { isSameValue } from '../../domain/canonical.ts';
import { dotted, keysOfDotted } from '../../domain/dotted.ts';
import type { Deadline } from '../../ports/deadline.ts';
import type { Portable, Reading } from '../../resources/portable.ts';
import { LAST_MS } from './constants.ts';
import type { Entry } from './document.ts';
import { callFor, type Draft, draftOf, isAsStored, type Stored } from './draft.ts';
import { changesOf, type Filed, filed, marksOf, placesOf, type SecretPaths } from './filed.ts';
import { PORTABLES } from './portables.ts';
import type { ImportInput, ImportProblem, ImportResult } from './schemas.ts';

interface Request {
  id: string;
  call: OwnCall;
}

export interface Planned {
  result: ImportResult;
  /** What creates or updates the record. */
  request?: Request;
  /** What would have, but is refused. */
  refused?: { request: Request; fault: Fault };
  /** Its name tells its age among others: it must be made later than they are. */
  isLater?: boolean;
}

type Options = Required<Pick<ImportInput, 'on_existing' | 'include_agents'>>;

/** More of one record say nothing new. */
const MOST_PROBLEMS = 100;

/** What would become of the records of a document: each is saved in a rehearsal, and looked at before and after. */
export class Planner {
  readonly warnings: string[] = [];
  readonly #reading: Reading;
  readonly #paths: SecretPaths;
  readonly #options: Options;
  readonly #stage: Rehearsal;
  readonly #ids = new Map<Portable, (name: string) => string | undefined>();
  /** Key of records that have a part in common -> that part, and whose it was. */
  readonly #shared = new Map<string, { part: unknown; name: string }>();

  constructor(reading: Reading, paths: SecretPaths, options: Options) {
    this.#reading = reading;
    this.#paths = paths;
    this.#options = options;
    this.#stage = reading.calls.rehearsal();
  }

  /** In the order in which they are to be made. What the time is too short for is blocked. */
  async plan(entries: readonly Entry[], deadline: Deadline): Promise<Map<Entry, Planned>> {
    const planned = new Map<Entry, Planned>();
    const order = [...entries].sort((a, b) => PORTABLES[a.family].rank - PORTABLES[b.family].rank || a.index - b.index);
    await this.#readAhead(order);
    for (const entry of order) {
      const isLate = deadline.remaining() < LAST_MS;
      planned.set(entry, isLate ? notLookedAt(entry) : await this.#one(entry));
      // Everything may be in memory: others want their turn too.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return planned;
  }

  async #readAhead(entries: readonly Entry[]): Promise<void> {
    for (const portable of new Set(entries.map(({ family }) => PORTABLES[family]))) {
      this.#ids.set(portable, (await portable.ids?.(this.#reading)) ?? ((name) => name));
      const own = entries.filter(({ family }) => PORTABLES[family] === portable);
      const keysOf = (some: readonly Entry[]) => {
        const ids = some.flatMap(({ name }) => this.#idOf(portable, name) ?? []);
        return [...new Set(ids.map((id) => portable.keyOf(id)))];
      };
      await this.#stage.readAhead(portable.collection, keysOf(own));
      // Those that are sent are compared with what is stored.
      const compared = own.filter(({ sent }) => Object.keys(sent).length > 0);
      await this.#stage.readSecretsAhead(portable.collection, keysOf(compared));
    }
  }

  #idOf = (portable: Portable, name: string): string | undefined => this.#ids.get(portable)?.(name.trim());

  async #one(entry: Entry): Promise<Planned> {
    const { family, name } = entry;
    const portable = PORTABLES[family];
    const result: ImportResult = { family, name, action: 'blocked', changed: [], missing_secrets: [], problems: [] };
    const draft = await draftOf(portable, entry, this.#stage, this.#paths, this.#reading.caller);
    this.warnings.push(...draft.warnings);
    const problems = [...draft.problems, ...this.#partProblems(portable, entry, draft)];
    let stored: Stored | undefined;
    try {
      this.#stage.begin();
      stored = await this.#stored(portable, name, this.#stage);
      const hasSecrets = Object.keys(entry.sent).length > 0;
      if (stored && problems.length === 0 && !hasSecrets && isAsStored(portable, draft, stored)) {
        const missing_secrets = missing(portable, entry, stored);
        return { result: { ...result, action: 'unchanged', missing_secrets } };
      }
      const made = await this.#make(portable, name, draft, stored);
      result.changed = made.changed;
      result.missing_secrets = missing(portable, entry, made.after);
      const planned =
        problems.length > 0
          ? blocked(result, problems)
          : this.#decided(portable, result, stored !== undefined, made.request);
      // What will not be done must not be seen by the records after it.
      if (!planned.request) this.#stage.undo();
      return planned;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#stage.undo();
      if (stored && this.#options.on_existing === 'skip') return { result: { ...result, action: 'skip' } };
      const found = unnamed(problems, problemsOf(error));
      result.missing_secrets = this.#missingIn(portable, entry, stored, found);
      const code = problems.length > 0 ? undefined : error.code;
      const request = this.#request(portable, draft, stored);
      return { ...blocked(result, [...problems, ...found], code), refused: { request, fault: error } };
    }
  }

  #decided(portable: Portable, result: ImportResult, exists: boolean, request: Request): Planned {
    const { family } = portable;
    const { on_existing, include_agents } = this.#options;
    if (exists && result.changed.length === 0) return { result: { ...result, action: 'unchanged' } };
    if (exists && on_existing === 'skip') return { result: { ...result, action: 'skip' } };
    if (exists && on_existing === 'fail') {
      const message = 'exists, and differs from the document';
      return blocked(result, [{ field: '$record', message, error_code: 'already_exists' }]);
    }
    if (exists) return { result: { ...result, action: 'update' }, request };
    if (family === 'agents' && !include_agents) {
      const message = 'is created only with include_agents: its runtime costs money';
      return { result: { ...result, action: 'skip', problems: [{ field: '$record', message }] } };
    }
    return {
      result: { ...result, action: 'create', changed: [] },
      request,
      isLater: isNumbered(portable, result.name, request),
    };
  }

  /** Saves a record in a rehearsal. @throws Fault as the save itself would */
  async #make(portable: Portable, name: string, draft: Draft, stored: Stored | undefined) {
    const stage = this.#stage;
    stage.begin();
    const request = this.#request(portable, draft, stored);
    const reply = await stage.perform(request.id, request.call);
    for (const warning of (reply.warnings ?? []) as string[])
      this.warnings.push(`${portable.family}/${name}: ${warning}`);
    const paths = await stage.changedSecrets();
    const { placeOf } = placesOf(portable);
    const secrets = paths.flatMap((path) => [placeOf(path, draft.spec) ?? []].filter((keys) => keys.length > 0));
    const isToBeSeen = stored !== undefined || portable.marks !== undefined;
    const after = isToBeSeen ? await this.#stored(portable, name, stage) : undefined;
    const changed = stored && after ? [...changesOf(stored, after), ...secrets.map(dotted)] : [];
    return { request, after, changed };
  }

  #request(portable: Portable, draft: Draft, stored: Stored | undefined): Request {
    return callFor(portable, draft, stored, marksOf(portable, this.#paths));
  }

  async #stored(portable: Portable, name: string, calls: OwnCalls): Promise<Stored | undefined> {
    const id = this.#idOf(portable, name);
    const call = id === undefined ? undefined : portable.address(id);
    if (id === undefined || call === undefined) return undefined;
    try {
      const { config } = (await calls.perform(portable.rows.read, call)) as { config: Json };
      return { ...filed(portable, config, calls, this.#paths), id, version: Number(config.version) };
    } catch (error) {
      // A name that no record can have is a problem of the record, which its save tells.
      if (error instanceof Fault && ['not_found', 'validation_failed'].includes(error.code)) return undefined;
      throw error;
    }
  }

  /** What records have in common must be the same in each, or the last one would undo what the first has done. */
  #partProblems({ shared, keyOf, family }: Portable, { name }: Entry, { spec }: Draft): ImportProblem[] {
    const part = shared === undefined ? undefined : spec[shared];
    if (shared === undefined || part === undefined) return [];
    const key = `${family}/${keyOf(name)}`;
    const known = this.#shared.get(key);
    if (!known) this.#shared.set(key, { part, name });
    if (!known || isSameValue(known.part, part)) return [];
    const message = `differs from that of ${known.name}, and the two are stored once for both`;
    return [{ field: shared, message, error_code: 'validation_failed' }];
  }

  /** Of a record that is blocked. */
  #missingIn(
    portable: Portable,
    entry: Entry,
    stored: Stored | undefined,
    problems: readonly ImportProblem[],
  ): string[] {
    const marked = marksOf(portable, this.#paths).map((path) => dotted(path.split('/')));
    // Messages name fields without backslashes.
    const secrets = new Map(
      [...marked, ...(stored?.secrets ?? [])].map((path) => [keysOfDotted(path).join('.'), path]),
    );
    const asked = problems.flatMap(({ field }) => secrets.get(field) ?? []);
    const have = [...(stored?.secrets ?? []).filter((path) => !asked.includes(path)), ...Object.keys(entry.sent)];
    return [...new Set([...declared(portable, entry), ...asked])].filter((path) => !have.includes(path));
  }
}

/** Whether the name of a record is not what the record itself is called. */
const isNumbered = ({ namesOf, identityOf }: Portable, name: string, { call }: { call: OwnCall }): boolean =>
  identityOf(namesOf([call.body ?? {}])[0] ?? '') !== identityOf(name);

/** Secrets that the document says the record has. */
const declared = ({ generated = [] }: Portable, { secrets = [] }: Entry): string[] =>
  secrets.map((path) => dotted(keysOfDotted(path))).filter((path) => !generated.includes(path));

const missing = (portable: Portable, entry: Entry, after: Filed | undefined): string[] =>
  declared(portable, entry).filter((path) => !after?.secrets.includes(path));

const blocked = (result: ImportResult, problems: ImportProblem[], code = problems[0]?.error_code): Planned => ({
  result: {
    ...result,
    action: 'blocked',
    problems: problems.slice(0, MOST_PROBLEMS),
    ...(code === undefined ? {} : { error_code: code }),
  },
});

const notLookedAt = ({ family, name }: Entry): Planned => {
  const message = 'The time was over before this record was looked at: send fewer at once';
  const problems = [{ field: '$record', message }];
  const result = { family, name, action: 'blocked' as const, changed: [], missing_secrets: [], problems };
  return { result: { ...result, outcome: 'not_reached' } };
};

/** A fault in terms of the record that met it. */
export function problemsOf({ code: error_code, message, extra }: Fault): ImportProblem[] {
  const errors = Array.isArray(extra.errors) ? (extra.errors as Problem[]) : [];
  if (errors.length === 0) return [{ field: '$record', message, error_code }];
  return errors.map((error) => ({ field: error.field, message: error.message, error_code }));
}

/** Problems of fields about which nothing is said yet. */
const unnamed = (known: readonly ImportProblem[], found: readonly ImportProblem[]): ImportProblem[] =>
  found.filter(({ field }) => !known.some((one) => one.field === field));
