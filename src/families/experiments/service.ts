import type { Caller } from '../../contract/caller.ts';
import { invalid } from '../../contract/codes/faults.ts';
import type { Acl } from '../../contract/schemas/common.ts';
import { changedAcl, newAcl } from '../../domain/access/acl.ts';
import { andQuery, type Reach, reachOf, readableQuery } from '../../domain/access/audience.ts';
import type { ListQueryValues } from '../../domain/lists/lists.ts';
import { findPage, type IndexedPage } from '../../domain/lists/storedLists.ts';
import type { Stores, Update } from '../../domain/records/sealedRecord.ts';
import { mergePatch } from '../../domain/values/json.ts';
import { BY_LIST } from '../../resources/access.ts';
import { ResourceRecords } from '../../resources/records.ts';
import { withinBound } from './bounds.ts';
import {
  type ExperimentOpen,
  type ExperimentStored,
  experimentSpec,
  listedFields,
  listOf,
  type Outline,
  outlineOf,
  type Stage,
  stagesOf,
} from './records.ts';
import { assertComplete, assertFits, assertInput, modelsOf } from './rules.ts';
import type { ExperimentCreate, ExperimentUpdate } from './schemas.ts';

export interface ExperimentFilter {
  type?: string;
  owner?: string;
  status?: string;
  detail?: boolean;
}

/** Experiments as records. Knows neither models nor history. */
export class Experiments extends ResourceRecords<ExperimentStored> {
  constructor(stores: Stores) {
    super(experimentSpec, BY_LIST, stores);
  }

  /** Answered by the store: what a page costs does not grow with the number of experiments. */
  async list(caller: Caller, query: ListQueryValues & ExperimentFilter): Promise<IndexedPage<ExperimentStored>> {
    const { type, owner, status, detail = false } = query;
    const filter = { ...(type ? { type } : {}), ...(owner ? { owner } : {}), ...(status ? { status } : {}) };
    const where = andQuery(readableQuery(caller), filter);
    return findPage(this.stores.records, listOf(detail), where, query, listedFields(detail));
  }

  /** @throws Fault `validation_failed`, `acl_denied`, `too_many_records` */
  async create(caller: Caller, experiment_id: string, input: ExperimentCreate): Promise<ExperimentStored> {
    const experiment = newExperiment(caller, experiment_id, input);
    return withinBound(this.stores, experiment.owner, () => this.sealed.create(experiment, {}, caller.user));
  }

  /** The experiment that `create` would store. Nothing is written. @throws Fault as `create` */
  async draftCreate(caller: Caller, experiment_id: string, input: ExperimentCreate): Promise<ExperimentStored> {
    return this.sealed.draftCreate(newExperiment(caller, experiment_id, input), {}, caller.user);
  }

  async update(
    caller: Caller,
    id: string,
    input: ExperimentUpdate,
    condition: number | undefined,
  ): Promise<ExperimentStored> {
    assertInput(input);
    return this.sealed.update(id.toLowerCase(), this.#change(caller, input, condition));
  }

  /** The experiment that `update` would store. Nothing is written. @throws Fault as `update` */
  async draftUpdate(
    caller: Caller,
    id: string,
    input: ExperimentUpdate,
    condition: number | undefined,
  ): Promise<ExperimentStored> {
    assertInput(input);
    const record = await this.sealed.get(id.toLowerCase());
    const plan = await this.sealed.plan(record, this.#change(caller, input, condition));
    return this.sealed.draftOf(plan, caller.user);
  }

  #change(caller: Caller, input: ExperimentUpdate, condition: number | undefined): Update<ExperimentStored> {
    return {
      actor: caller.user,
      condition,
      submitted: {},
      guard: (record) => this.assertMay(caller, 'write', record),
      next: (record) => {
        assertFixed(record, input);
        const acl = changedAcl(caller, record.acl, input.acl);
        return mergeInput(record, input, acl, reachOf(acl));
      },
    };
  }

  async remove(caller: Caller, id: string, condition: number | undefined): Promise<ExperimentStored> {
    return this.sealed.remove(id.toLowerCase(), {
      condition,
      guard: (record) => this.assertMay(caller, 'write', record),
    });
  }
}

/** @throws Fault `validation_failed`, `acl_denied` */
function newExperiment(caller: Caller, experiment_id: string, input: ExperimentCreate): ExperimentOpen {
  assertInput(input);
  const acl = newAcl(caller, input.acl);
  const reach = reachOf(acl);
  const blank: ExperimentOpen = {
    _key: experiment_id,
    experiment_id,
    ...{ title: '', title_key: '', description: '', type: input.type, status: 'draft' as const },
    ...{ tags: [], models: [], outline: '{}', stages: '[]', acl },
    ...reach,
  };
  return mergeInput(blank, input, acl, reach);
}

function assertFixed(record: ExperimentStored, { type, experiment_id }: ExperimentUpdate): void {
  if (type !== undefined && type !== record.type) {
    throw invalid([{ field: 'type', message: `cannot be changed; it is ${record.type}` }]);
  }
  if (experiment_id !== undefined && experiment_id.toLowerCase() !== record.experiment_id) {
    throw invalid([{ field: 'experiment_id', message: 'differs from the one in the path' }]);
  }
}

function mergeInput(
  record: ExperimentOpen,
  input: ExperimentCreate | ExperimentUpdate,
  acl: Acl,
  reach: Reach,
): ExperimentOpen {
  const { title = record.title, status = record.status, search_stages, tags } = input;
  const { data_source, statistics, schedule } = input;
  const patch = Object.fromEntries(
    Object.entries({ data_source, statistics, schedule }).filter(([, value]) => value !== undefined),
  );
  const outline = withDefaults(mergePatch(outlineOf(record), patch) as Partial<Outline>);
  assertComplete(outline);
  const stages = search_stages === undefined ? stagesOf(record) : ((search_stages ?? []) as Stage[]);
  const description = input.description === undefined ? record.description : (input.description ?? '');
  const next: ExperimentOpen = {
    ...record,
    title,
    title_key: title.toLowerCase(),
    description,
    status,
    tags: tags === undefined ? record.tags : [...new Set(tags ?? [])],
    outline: JSON.stringify(outline),
    stages: JSON.stringify(stages),
    models: modelsOf(stages),
    acl,
    ...reach,
  };
  assertFits([next.outline, next.stages, JSON.stringify([title, description, next.tags, next.acl])]);
  return next;
}

function withDefaults({ data_source, statistics, schedule, ...unknown }: Partial<Outline>): Outline {
  return {
    ...unknown,
    ...(data_source ? { data_source: { ...data_source, type: data_source.type ?? 'search' } } : {}),
    statistics: statistics ?? {},
    ...(schedule ? { schedule: { ...schedule, enabled: schedule.enabled ?? true } } : {}),
  };
}
