import type { Json } from '../../contract/basics.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { InternalCall, IsPlanned } from '../../contract/rows/internalCalls.ts';
import { parallel } from '../../domain/async/parallel.ts';
import { trimPastedSecret } from '../../domain/net/headerValues.ts';
import type { Sealed } from '../../domain/records/sealedRecord.ts';
import type { Secrets } from '../../domain/secrets/secrets.ts';
import { isSameValue, joinPath, splitPath } from '../../domain/values/json.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { SecretStore } from '../../ports/stores/secretStore.ts';
import type { Portable, Reading } from '../../resources/portable.ts';
import { type Family, LAST_MS } from './constants.ts';
import type { Entry } from './document.ts';
import { callFor, type Draft, draftOf, isAsStored, type Stored } from './draft.ts';
import { changesOf, type Filed, filed, marksOf, placesOf, type SecretPaths } from './filed.ts';
import { blocked, notLookedAt, type Planned, problemsOf, type Request, unnamed } from './planned.ts';
import { PORTABLES } from './portables.ts';
import type { ImportInput, ImportProblem, ImportResult } from './schemas.ts';

type Options = Required<Pick<ImportInput, 'mode' | 'on_existing' | 'include_agents'>>;

/** What records are read with, and the secrets with which an apply compares those that are sent. */
type Sources = Reading & { secrets: SecretStore };

/** A record as its row would leave it. */
interface Made {
  request: Request;
  after: Filed;
  changed: string[];
}

/** Records that are drafted side by side. */
const AT_ONCE = 8;

const keyOf = (portable: Portable, name: string): string => `${portable.family}/${portable.keyOf(name)}`;
const isFamily = (family: string): family is Family => Object.hasOwn(PORTABLES, family);

/** Plans an import: each record is drafted by its own row, and compared with the stored one. */
export class Planner {
  readonly #warnings = new Map<Entry, string[]>();
  readonly #sources: Sources;
  readonly #paths: SecretPaths;
  readonly #options: Options;
  readonly #ids = new Map<Portable, (name: string) => string | undefined>();
  /** `family/identity` of the records that will be made. */
  readonly #planned = new Set<string>();
  /** Key of records that have a part in common -> that part, and whose it was. */
  readonly #shared = new Map<string, { part: unknown; name: string }>();
  /** The same key -> a record that will be written, as it will be. */
  readonly #written = new Map<string, Filed>();

  constructor(sources: Sources, paths: SecretPaths, options: Options) {
    this.#sources = sources;
    this.#paths = paths;
    this.#options = options;
  }

  /** In the order in which they are to be made. What the time is too short for is blocked. */
  async plan(entries: readonly Entry[], deadline: Deadline): Promise<Map<Entry, Planned>> {
    const planned = new Map<Entry, Planned>();
    const order = [...entries].sort((a, b) => PORTABLES[a.family].rank - PORTABLES[b.family].rank || a.index - b.index);
    for (const portable of new Set(order.map(({ family }) => PORTABLES[family])))
      this.#ids.set(portable, (await portable.ids?.(this.#sources)) ?? ((name) => name));
    for (const same of Map.groupBy(order, ({ family }) => PORTABLES[family].rank).values()) {
      // Records that share a part follow each other: the later ones are compared with what the earlier ones leave.
      const groups = [...Map.groupBy(same, ({ family, name }) => keyOf(PORTABLES[family], name)).values()];
      await parallel(groups, AT_ONCE, async (group) => {
        for (const entry of group)
          planned.set(entry, deadline.remaining() < LAST_MS ? notLookedAt(entry) : await this.#one(entry));
      });
    }
    return new Map(order.map((entry) => [entry, planned.get(entry) as Planned]));
  }

  /** In the order of the records. */
  get warnings(): string[] {
    return [...this.#warnings].sort(([a], [b]) => a.index - b.index).flatMap(([, warnings]) => warnings);
  }

  #idOf = (portable: Portable, name: string): string | undefined => this.#ids.get(portable)?.(name.trim());

  async #one(entry: Entry): Promise<Planned> {
    const { family, name } = entry;
    const portable = PORTABLES[family];
    const { calls, caller } = this.#sources;
    const result: ImportResult = { family, name, action: 'blocked', changed: [], missing_secrets: [], problems: [] };
    const draft = await draftOf(portable, entry, calls, this.#paths, caller);
    this.#warnings.set(entry, draft.warnings);
    const problems = [...draft.problems, ...this.#partProblems(portable, entry, draft)];
    let stored: Stored | undefined;
    try {
      stored = await this.#stored(portable, name);
      const hasSecrets = Object.keys(entry.sent).length > 0;
      if (stored && problems.length === 0 && !hasSecrets && isAsStored(portable, draft, stored)) {
        const missing_secrets = missing(portable, entry, stored);
        return { result: { ...result, action: 'unchanged', missing_secrets } };
      }
      const made = await this.#make(portable, entry, draft, stored);
      result.changed = made.changed;
      result.missing_secrets = missing(portable, entry, made.after);
      if (problems.length > 0) return blocked(result, problems);
      const planned = this.#decided(portable, result, stored !== undefined, made.request);
      if (planned.request) this.#note(portable, name, made.after);
      return planned;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (stored && this.#options.on_existing === 'skip') return { result: { ...result, action: 'skip' } };
      const found = unnamed(problems, problemsOf(error));
      result.missing_secrets = this.#missingIn(portable, entry, stored, found);
      const code = problems.length > 0 ? undefined : error.code;
      const request = this.#request(portable, draft, stored);
      return { ...blocked(result, [...problems, ...found], code), refused: { request, fault: error } };
    }
  }

  #note(portable: Portable, name: string, after: Filed): void {
    this.#planned.add(`${portable.family}/${portable.identityOf(name)}`);
    if (portable.shared !== undefined) this.#written.set(keyOf(portable, name), after);
  }

  #isPlanned: IsPlanned = (family, name) =>
    isFamily(family) && this.#planned.has(`${family}/${PORTABLES[family].identityOf(name)}`);

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

  /** Has the row draft the record. @throws Fault as the row itself would */
  async #make(portable: Portable, entry: Entry, draft: Draft, stored: Stored | undefined): Promise<Made> {
    const { calls } = this.#sources;
    const request = this.#request(portable, draft, stored);
    const { shared } = portable;
    const other = this.#written.get(keyOf(portable, entry.name));
    // A new record leaves out what the records before it have set for all.
    const given = !stored && other && shared !== undefined ? { [shared]: other.spec[shared] } : {};
    const call = { ...request.call, body: { ...given, ...request.call.body } };
    const { config, warnings } = await calls.draft(request.id, call, this.#isPlanned);
    draft.warnings.push(...warnings.map((warning) => `${portable.family}/${entry.name}: ${warning}`));
    const drafted = filed(portable, config, calls, this.#paths);
    const isLeftOut = shared !== undefined && !Object.hasOwn(request.call.body ?? {}, shared);
    const after = isLeftOut ? this.#afterOthers(portable, entry.name, drafted) : drafted;
    if (!stored) return { request, after, changed: [] };
    const removed = stored.secrets.filter((path) => !after.secrets.includes(path));
    const secrets = [...new Set([...removed, ...(await this.#replaced(portable, entry, draft, stored))])].sort();
    return { request, after, changed: [...changesOf(stored, after), ...secrets] };
  }

  #request(portable: Portable, draft: Draft, stored: Stored | undefined): Request {
    return callFor(portable, draft, stored, marksOf(portable, this.#paths));
  }

  /** Secrets that are sent. Only an apply looks whether they differ from the stored ones: a plan must not help to guess. */
  async #replaced(portable: Portable, { sent }: Entry, { spec }: Draft, { id }: Stored): Promise<string[]> {
    const paths = Object.entries(sent).map(([path, value]) => [joinPath(splitPath(path)), value] as const);
    if (this.#options.mode === 'plan' || paths.length === 0) return paths.map(([path]) => path);
    const { records, secrets } = this.#sources;
    const record = await records.get<Sealed>(portable.collection, portable.keyOf(id));
    const text = record?.secret_ref ? await secrets.get(record.secret_ref) : undefined;
    const { placeOf } = placesOf(portable);
    const known = new Map(
      Object.entries(JSON.parse(text ?? '{}') as Secrets).flatMap(([path, value]) => {
        const keys = placeOf(path, spec) ?? [];
        return keys.length > 0 ? [[joinPath(keys), value]] : [];
      }),
    );
    return paths
      .filter(([path, value]) => ![value, trimPastedSecret(value)].includes(known.get(path) ?? ''))
      .map(([path]) => path);
  }

  async #stored(portable: Portable, name: string): Promise<Stored | undefined> {
    const { calls } = this.#sources;
    const id = this.#idOf(portable, name);
    const call = id === undefined ? undefined : portable.address(id);
    if (id === undefined || call === undefined) return undefined;
    try {
      const { config } = (await calls.perform(portable.rows.read, call)) as { config: Json };
      const stored = { ...filed(portable, config, calls, this.#paths), id, version: Number(config.version) };
      return this.#afterOthers(portable, name, stored);
    } catch (error) {
      // A name that no record can have is a problem of the record, which its draft tells.
      if (error instanceof Fault && ['not_found', 'validation_failed'].includes(error.code)) return undefined;
      throw error;
    }
  }

  /**
   * A record with the part that it shares with earlier records of the document, as these leave it. They may have changed its
   * version, which is then unknown.
   */
  #afterOthers<F extends Filed & Partial<Stored>>(portable: Portable, name: string, record: F): F {
    const { shared } = portable;
    const other = this.#written.get(keyOf(portable, name));
    if (shared === undefined || !other) return record;
    const isShared = (path: string) => splitPath(path)[0] === shared;
    const secrets = [...record.secrets.filter((path) => !isShared(path)), ...other.secrets.filter(isShared)].sort();
    return { ...record, spec: { ...record.spec, [shared]: other.spec[shared] }, secrets, version: undefined };
  }

  /** What records have in common must be the same in each, or the last one would undo what the first has done. */
  #partProblems(portable: Portable, { name }: Entry, { spec }: Draft): ImportProblem[] {
    const { shared } = portable;
    const part = shared === undefined ? undefined : spec[shared];
    if (shared === undefined || part === undefined) return [];
    const key = keyOf(portable, name);
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
    const marked = marksOf(portable, this.#paths).map((path) => joinPath(path.split('/')));
    // Messages name fields without backslashes.
    const secrets = new Map([...marked, ...(stored?.secrets ?? [])].map((path) => [splitPath(path).join('.'), path]));
    const asked = problems.flatMap(({ field }) => secrets.get(field) ?? []);
    const have = [...(stored?.secrets ?? []).filter((path) => !asked.includes(path)), ...Object.keys(entry.sent)];
    return [...new Set([...declared(portable, entry), ...asked])].filter((path) => !have.includes(path));
  }
}

/** Whether the name of a record is not what the record itself is called. */
const isNumbered = ({ namesOf, identityOf }: Portable, name: string, { call }: { call: InternalCall }): boolean =>
  identityOf(namesOf([call.body ?? {}])[0] ?? '') !== identityOf(name);

/** Secrets that the document says the record has. */
const declared = ({ generated = [] }: Portable, { secrets = [] }: Entry): string[] =>
  secrets.map((path) => joinPath(splitPath(path))).filter((path) => !generated.includes(path));

const missing = (portable: Portable, entry: Entry, after: Filed | undefined): string[] =>
  declared(portable, entry).filter((path) => !after?.secrets.includes(path));
