import { append, type Json } from '../../contract/basics.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { InternalCall, IsPlanned } from '../../contract/rows/internalCalls.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { parallel } from '../../domain/async/parallel.ts';
import { trimPastedSecret } from '../../domain/net/headerValues.ts';
import type { SealedDoc } from '../../domain/records/sealedRecord.ts';
import type { Secrets } from '../../domain/secrets/secrets.ts';
import { isSameValue, joinPath, splitPath } from '../../domain/values/json.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { SecretStore } from '../../ports/stores/secretStore.ts';
import type { Reading, RecordCodec } from '../../resources/recordCodec.ts';
import { CODECS } from './codecs.ts';
import { type Family, RESERVE_MS } from './constants.ts';
import type { Entry } from './document.ts';
import { changesOf, type DocumentRecord, layoutOf, planOf, toDocumentRecord } from './documentRecord.ts';
import { buildCall, draftRecord, type ExistingRecord, type ImportDraft, isUnchanged } from './draft.ts';
import { blocked, notReached, type PlannedEntry, problemsOf, type Request, withoutKnownFields } from './planned.ts';
import type { ImportInput, ImportProblem, ImportResult } from './schemas.ts';

type Options = Required<Pick<ImportInput, 'mode' | 'on_existing' | 'include_agents'>>;

type Sources = Reading & { secrets: SecretStore };

interface DraftResult {
  request: Request;
  after: DocumentRecord;
  changed: string[];
}

const AT_ONCE = 8;

const keyOf = (codec: RecordCodec, name: string): string => `${codec.family}/${codec.keyOf(name)}`;
const isFamily = (family: string): family is Family => Object.hasOwn(CODECS, family);

/** Plans an import: each record is drafted by its endpoint and compared with the stored one. */
export class Planner {
  readonly #warnings = new Map<Entry, string[]>();
  readonly #sources: Sources;
  readonly #plans: RecordPlans;
  readonly #options: Options;
  readonly #ids = new Map<RecordCodec, (name: string) => string | undefined>();
  /** `family/identity` of the records that will be created or updated. */
  readonly #planned = new Set<string>();
  /** Record key -> shared part, and the record that set it. */
  readonly #shared = new Map<string, { part: unknown; name: string }>();
  /** Record key -> record after the planned write. */
  readonly #written = new Map<string, DocumentRecord>();

  constructor(sources: Sources, plans: RecordPlans, options: Options) {
    this.#sources = sources;
    this.#plans = plans;
    this.#options = options;
  }

  /** @returns the records in order of application; records not reached in time are blocked */
  async plan(entries: readonly Entry[], deadline: Deadline): Promise<Map<Entry, PlannedEntry>> {
    const planned = new Map<Entry, PlannedEntry>();
    const order = [...entries].sort((a, b) => CODECS[a.family].rank - CODECS[b.family].rank || a.index - b.index);
    for (const codec of new Set(order.map(({ family }) => CODECS[family])))
      this.#ids.set(codec, (await codec.ids?.(this.#sources)) ?? ((name) => name));
    for (const same of Map.groupBy(order, ({ family }) => CODECS[family].rank).values()) {
      // Records with a shared part are planned in sequence, each against the result of the previous ones.
      const groups = [...Map.groupBy(same, ({ family, name }) => keyOf(CODECS[family], name)).values()];
      await parallel(groups, AT_ONCE, async (group) => {
        for (const entry of group)
          planned.set(entry, deadline.remaining() < RESERVE_MS ? notReached(entry) : await this.#planOne(entry));
      });
    }
    return new Map(order.map((entry) => [entry, planned.get(entry) as PlannedEntry]));
  }

  /** In the order of the records. */
  get warnings(): string[] {
    return [...this.#warnings].sort(([a], [b]) => a.index - b.index).flatMap(([, warnings]) => warnings);
  }

  #idOf = (codec: RecordCodec, name: string): string | undefined => this.#ids.get(codec)?.(name.trim());

  async #planOne(entry: Entry): Promise<PlannedEntry> {
    const { family, name } = entry;
    const codec = CODECS[family];
    const { calls, caller } = this.#sources;
    const result: ImportResult = { family, name, action: 'blocked', changed: [], missing_secrets: [], problems: [] };
    const refusal = this.#refusal(codec);
    if (refusal) return { ...blocked(result, problemsOf(refusal)), refused: refusal };
    const draft = await draftRecord(codec, entry, calls, this.#plans, caller);
    this.#warnings.set(entry, draft.warnings);
    const problems = [...draft.problems, ...this.#sharedPartProblems(codec, entry, draft)];
    let existing: ExistingRecord | undefined;
    try {
      existing = await this.#readExisting(codec, name);
      const hasSecrets = Object.keys(entry.secretValues).length > 0;
      if (
        existing &&
        problems.length === 0 &&
        !hasSecrets &&
        isUnchanged(codec, draft, existing, planOf(codec, this.#plans))
      ) {
        const missing_secrets = missingSecrets(codec, entry, existing);
        return { result: { ...result, action: 'unchanged', missing_secrets } };
      }
      const made = await this.#draft(codec, entry, draft, existing);
      result.changed = made.changed;
      result.missing_secrets = missingSecrets(codec, entry, made.after);
      if (problems.length > 0) return blocked(result, problems);
      const planned = this.#decide(codec, result, existing !== undefined, made.request);
      if (planned.request) this.#remember(codec, name, made.after);
      return planned;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (existing && this.#options.on_existing === 'skip') return { result: { ...result, action: 'skip' } };
      const newProblems = withoutKnownFields(problems, problemsOf(error));
      result.missing_secrets = this.#missingSecrets(codec, entry, existing, newProblems);
      const code = problems.length > 0 ? undefined : error.code;
      return { ...blocked(result, [...problems, ...newProblems], code), refused: error };
    }
  }

  /** Before anything of the record is looked at, a caller without the family's capability is refused. */
  #refusal({ rows: { create } }: RecordCodec): Fault | undefined {
    try {
      this.#sources.calls.assertGate(create);
      return undefined;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return error;
    }
  }

  #remember(codec: RecordCodec, name: string, after: DocumentRecord): void {
    this.#planned.add(`${codec.family}/${codec.identityOf(name)}`);
    if (codec.shared !== undefined) this.#written.set(keyOf(codec, name), after);
  }

  #isPlanned: IsPlanned = (family, name) => {
    if (!isFamily(family)) return false;
    const { identityOf, fitsReference } = CODECS[family];
    if (this.#planned.has(`${family}/${identityOf(name)}`)) return true;
    const prefix = `${family}/`;
    const isMeant = (key: string) => key.startsWith(prefix) && fitsReference?.(key.slice(prefix.length), name);
    return fitsReference !== undefined && [...this.#planned].some(isMeant);
  };

  #decide(codec: RecordCodec, result: ImportResult, exists: boolean, request: Request): PlannedEntry {
    const { family } = codec;
    const { on_existing, include_agents } = this.#options;
    if (exists && result.changed.length === 0) return { result: { ...result, action: 'unchanged' } };
    if (exists && on_existing === 'skip') return { result: { ...result, action: 'skip' } };
    if (exists && on_existing === 'fail') {
      const message = 'exists and differs from the document';
      return blocked(result, [{ field: '$record', message, error_code: 'already_exists' }]);
    }
    if (exists) return { result: { ...result, action: 'update' }, request };
    if (family === 'agents' && !include_agents) {
      const message = 'is created only with include_agents, since its runtime costs money';
      return { result: { ...result, action: 'skip', problems: [{ field: '$record', message }] } };
    }
    return {
      result: { ...result, action: 'create', changed: [] },
      request,
      isLater: isNumbered(codec, result.name, request),
    };
  }

  /** @throws Fault as the endpoint would */
  async #draft(
    codec: RecordCodec,
    entry: Entry,
    draft: ImportDraft,
    existing: ExistingRecord | undefined,
  ): Promise<DraftResult> {
    const { calls } = this.#sources;
    const request = this.#request(codec, draft, existing);
    const { shared } = codec;
    const other = this.#written.get(keyOf(codec, entry.name));
    // A new record inherits the shared part that earlier records have set.
    const sharedPart = !existing && other && shared !== undefined ? { [shared]: other.spec[shared] } : {};
    const call = { ...request.call, body: { ...sharedPart, ...request.call.body } };
    const { config, warnings } = await calls.draft(request.id, call, this.#isPlanned);
    append(
      draft.warnings,
      warnings.map((warning) => `${codec.family}/${entry.name}: ${warning}`),
    );
    const drafted = toDocumentRecord(codec, config, calls, this.#plans);
    const isLeftOut = shared !== undefined && !Object.hasOwn(request.call.body ?? {}, shared);
    const after = isLeftOut ? this.#withSharedPart(codec, entry.name, drafted) : drafted;
    if (!existing) return { request, after, changed: [] };
    const remaining = new Set(after.secrets);
    const removed = existing.secrets.filter((path) => !remaining.has(path));
    const replaced = await this.#replacedSecrets(codec, entry, draft, existing);
    const secrets = [...new Set([...removed, ...replaced])].sort();
    return { request, after, changed: [...changesOf(existing, after), ...secrets] };
  }

  #request(codec: RecordCodec, draft: ImportDraft, existing: ExistingRecord | undefined): Request {
    return buildCall(codec, draft, existing, planOf(codec, this.#plans));
  }

  /** Only an apply compares submitted secrets with stored ones, so that a plan cannot be used to guess them. */
  async #replacedSecrets(
    codec: RecordCodec,
    { secretValues }: Entry,
    { spec }: ImportDraft,
    { id }: ExistingRecord,
  ): Promise<string[]> {
    const paths = Object.entries(secretValues).map(([path, value]) => [joinPath(splitPath(path)), value] as const);
    if (this.#options.mode === 'plan' || paths.length === 0) return paths.map(([path]) => path);
    const { records, secrets } = this.#sources;
    const record = await records.get<SealedDoc>(codec.collection, codec.keyOf(id));
    const text = record?.secret_ref ? await secrets.get(record.secret_ref) : undefined;
    const { keysOf } = layoutOf(codec);
    const storedSecrets = new Map(
      Object.entries(JSON.parse(text ?? '{}') as Secrets).flatMap(([path, value]) => {
        const keys = keysOf(path, spec) ?? [];
        return keys.length > 0 ? [[joinPath(keys), value]] : [];
      }),
    );
    return paths
      .filter(([path, value]) => ![value, trimPastedSecret(value, path)].includes(storedSecrets.get(path) ?? ''))
      .map(([path]) => path);
  }

  async #readExisting(codec: RecordCodec, name: string): Promise<ExistingRecord | undefined> {
    const { calls } = this.#sources;
    const id = this.#idOf(codec, name);
    const call = id === undefined ? undefined : codec.readCall(id);
    if (id === undefined || call === undefined) return undefined;
    try {
      const { config } = (await calls.perform(codec.rows.read, call)) as { config: Json };
      const existing = {
        ...toDocumentRecord(codec, config, calls, this.#plans),
        id,
        version: Number(config.version),
      };
      return this.#withSharedPart(codec, name, existing);
    } catch (error) {
      // The draft reports an invalid name.
      if (error instanceof Fault && ['not_found', 'validation_failed'].includes(error.code)) return undefined;
      throw error;
    }
  }

  /** Applies the shared part of earlier records, which may also change the version. */
  #withSharedPart<F extends DocumentRecord & Partial<ExistingRecord>>(codec: RecordCodec, name: string, record: F): F {
    const { shared } = codec;
    const other = this.#written.get(keyOf(codec, name));
    if (shared === undefined || !other) return record;
    const isShared = (path: string) => splitPath(path)[0] === shared;
    const secrets = [...record.secrets.filter((path) => !isShared(path)), ...other.secrets.filter(isShared)].sort();
    return { ...record, spec: { ...record.spec, [shared]: other.spec[shared] }, secrets, version: undefined };
  }

  /** Different shared parts would overwrite each other. */
  #sharedPartProblems(codec: RecordCodec, { name }: Entry, { spec }: ImportDraft): ImportProblem[] {
    const { shared } = codec;
    const part = shared === undefined ? undefined : spec[shared];
    if (shared === undefined || part === undefined) return [];
    const key = keyOf(codec, name);
    const first = this.#shared.get(key);
    if (!first) this.#shared.set(key, { part, name });
    if (!first || isSameValue(first.part, part)) return [];
    const message = `differs from that of ${first.name}, but is stored once for both`;
    return [{ field: shared, message, error_code: 'validation_failed' }];
  }

  #missingSecrets(
    codec: RecordCodec,
    entry: Entry,
    existing: ExistingRecord | undefined,
    problems: readonly ImportProblem[],
  ): string[] {
    const marked = planOf(codec, this.#plans).secrets.map((path) => joinPath(path.split('/')));
    // Messages name fields without backslashes.
    const secrets = new Map([...marked, ...(existing?.secrets ?? [])].map((path) => [splitPath(path).join('.'), path]));
    const asked = new Set(problems.flatMap(({ field }) => secrets.get(field) ?? []));
    const stored = (existing?.secrets ?? []).filter((path) => !asked.has(path));
    const available = new Set([...stored, ...Object.keys(entry.secretValues)]);
    return [...new Set([...declaredSecrets(codec, entry), ...asked])].filter((path) => !available.has(path));
  }
}

const isNumbered = ({ namesOf, identityOf }: RecordCodec, name: string, { call }: { call: InternalCall }): boolean =>
  identityOf(namesOf([call.body ?? {}])[0] ?? '') !== identityOf(name);

const declaredSecrets = ({ generatedSecrets: generated = [] }: RecordCodec, { secrets = [] }: Entry): string[] =>
  secrets.map((path) => joinPath(splitPath(path))).filter((path) => !generated.includes(path));

function missingSecrets(codec: RecordCodec, entry: Entry, after: DocumentRecord): string[] {
  const present = new Set(after.secrets);
  return declaredSecrets(codec, entry).filter((path) => !present.has(path));
}
