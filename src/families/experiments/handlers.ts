import { counted } from '../../contract/basics.ts';
import { type Handlers, withDraft, withValidation } from '../../contract/rows/handlers.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { LookupFiles } from '../../ports/stores/lookupFiles.ts';
import type { experiments } from './endpoints.ts';
import { History } from './history.ts';
import { ExperimentModels } from './models.ts';
import { experimentView } from './records.ts';
import { assertInput } from './rules.ts';
import { Experiments } from './service.ts';

export function experimentHandlers(stores: Stores, lookups: LookupFiles): Handlers<typeof experiments> {
  const records = new Experiments(stores);
  const history = new History(stores);
  const models = new ExperimentModels(stores, lookups);

  return {
    async listExperiments({ caller, query }) {
      const { records: experiments, pagination } = await records.list(caller, query);
      return { result: experiments.map(experimentView), pagination, message: counted(pagination.total, 'experiment') };
    },
    createExperiment: withDraft(
      withValidation(async ({ caller, body, created, warnings }) => {
        const record = await records.create(caller, created.id, body);
        const { experiment_id } = record;
        await history.note(caller, experiment_id, { action: 'create', models: record.models }, warnings);
        return { message: 'Experiment created', experiment_id, config: experimentView(record) };
      }, assertInput),
      async ({ caller, body, created }) => experimentView(await records.draftCreate(caller, created.id, body)),
    ),
    async getExperiment({ caller, params }) {
      return { config: experimentView(await records.get(caller, params.experiment_id.toLowerCase())) };
    },
    updateExperiment: withDraft(
      withValidation(async ({ caller, params, body, condition, warnings }) => {
        const record = await records.update(caller, params.experiment_id, body, condition);
        const message = `Changed: ${changedFields(body).join(', ') || 'nothing'}`;
        await history.note(
          caller,
          record.experiment_id,
          { action: 'update', models: record.models, message },
          warnings,
        );
        return { message: 'Experiment updated', config: experimentView(record) };
      }, assertInput),
      async ({ caller, params, body, condition }) =>
        experimentView(await records.draftUpdate(caller, params.experiment_id, body, condition)),
    ),
    async deleteExperiment({ caller, params, query, condition, warnings }) {
      // The record is removed first, so that nobody adds history or models afterwards.
      const { experiment_id } = await records.remove(caller, params.experiment_id, condition);
      const deleted_models = query.keep_models ? [] : await models.removeAll(experiment_id, warnings);
      const deleted_history = await history.removeAll(experiment_id, warnings);
      return { message: 'Experiment deleted', experiment_id, deleted_models, deleted_history };
    },
    async listExperimentHistory({ caller, params, query }) {
      const { experiment_id } = await records.get(caller, params.experiment_id.toLowerCase());
      const { result, pagination } = await history.list(experiment_id, query);
      return { result, pagination, message: counted(pagination.total, 'entry', 'entries') };
    },
    async addExperimentHistory({ caller, params, body }) {
      const { experiment_id } = await records.get(caller, params.experiment_id.toLowerCase(), 'write');
      const config = await history.add(caller, experiment_id, body);
      return { message: 'History entry added', history_id: config.history_id, config };
    },
    async cloneExperimentModels({ caller, params, body, warnings }) {
      const { experiment_id } = await records.get(caller, params.experiment_id.toLowerCase(), 'write');
      const result = await models.clone(caller, experiment_id, body);
      const cloned = result.filter(({ status }) => status === 'cloned').map(({ destination }) => destination);
      const failed = result.some(({ status }) => status === 'failed');
      const message = `${cloned.length} of ${counted(result.length, 'model')} cloned`;
      const entry = { action: 'clone_models', models: cloned, status: failed ? 'fail' : 'success', message } as const;
      await history.note(caller, experiment_id, entry, warnings);
      return { message, result };
    },
  };
}

const changedFields = (body: object): string[] =>
  Object.keys(body).filter((key) => key !== 'version' && key !== 'experiment_id');
