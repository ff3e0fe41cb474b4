import { counted } from '../../contract/basics.ts';
import { remedyOf } from '../../contract/codes/codes.ts';
import { type Handlers, withDraft } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { AgentClouds } from '../../ports/cloud/agentCloud.ts';
import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';
import type { SearchJobs } from '../../ports/platform/searchJobs.ts';
import type { ReferenceSite } from '../model-aliases/public.ts';
import type { agents as rows } from './endpoints.ts';
import type { ImportTerms } from './records/references.ts';
import { AgentRecords } from './records/service.ts';
import { AgentLifecycle } from './tracking/lifecycle.ts';

export interface AgentDependencies {
  stores: Stores;
  plans: RecordPlans;
  settings: ReferenceSite['settings'];
  clouds: AgentClouds;
  searches: SearchJobs;
  schemas: SchemaChecks;
}

export function agentHandlers(deps: AgentDependencies): Handlers<typeof rows> {
  const { stores, clouds, searches } = deps;
  const agents = new AgentRecords(stores, deps.plans, deps.settings, deps.schemas);
  const lifecycle = new AgentLifecycle(agents, clouds, searches);

  return {
    async listAgents({ caller, query }) {
      if (query.name !== undefined) {
        const config = agents.view(await agents.get(caller, recordKey(query.name)));
        return { ...config, config, message: 'OK' };
      }
      const { records, pagination } = await agents.page(caller, query);
      return {
        result: records.map((record) => agents.view(record)),
        pagination,
        message: counted(pagination.total, 'agent'),
      };
    },
    async getAgent({ caller, params }) {
      const config = agents.view(await agents.get(caller, recordKey(params.agent_name)));
      return { ...config, config };
    },
    createAgent: withDraft(
      async ({ caller, body, warnings, isImport }) => {
        const done = await lifecycle.create(caller, body, warnings, importTerms(isImport, warnings));
        return { message: done.state === 'Available' ? 'Agent created' : 'Agent creation started', ...done };
      },
      async ({ caller, body, isPlanned, warnings }) =>
        await agents.previewCreate(caller, body, { isPlanned, warnings }),
    ),
    updateAgent: withDraft(
      async ({ caller, body, condition, warnings, isImport }) => ({
        message: 'Agent updated',
        config: agents.view(
          await agents.updateAgent(caller, body, condition, warnings, importTerms(isImport, warnings)),
        ),
      }),
      async ({ caller, body, condition, isPlanned, warnings }) =>
        await agents.previewUpdate(caller, body, condition, { isPlanned, warnings }),
    ),
    async deleteAgent({ caller, params, condition, warnings }) {
      const done = await lifecycle.remove(caller, params.agent_name, condition, warnings);
      const message = done.state === 'Deleted' ? 'Agent deleted' : 'Agent deletion started';
      return { message, ...done, agent_status: 'DELETING' };
    },
    async retryAgent({ caller, params, condition, warnings }) {
      return {
        message: 'Agent creation started again',
        ...(await lifecycle.retry(caller, params.agent_name, condition, warnings)),
      };
    },
    async followAgent({ caller, params, body }) {
      const row = await lifecycle.follow(caller, params.agent_name, body.action, body.interval);
      const remedy = remedyOf(row.error_code);
      return { ...row, ...(remedy ? { remedy } : {}) };
    },
  };
}

/** Records that an import plans exist when it writes the agent. */
const importTerms = (isImport: boolean | undefined, warnings: string[]): ImportTerms | undefined =>
  isImport ? { isPlanned: () => false, warnings } : undefined;
