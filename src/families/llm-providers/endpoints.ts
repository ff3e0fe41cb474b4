import { Type } from 'typebox';
import { READ_LLM_CONFIGURATIONS, EDIT_LLM_CONFIGURATIONS as write } from '../../contract/capabilities.ts';
import { SECRET_FAULTS } from '../../contract/codes/faults.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import {
  ConfigReply,
  ForceQuery,
  ListQuery,
  Page,
  Pagination,
  Search,
  VerifyQuery,
} from '../../contract/schemas/common.ts';
import { LlmActionReply, LlmCatalogue } from './catalogueSchemas.ts';
import {
  ConnectionName,
  LlmActionInput,
  LlmConfigurationInput,
  LlmIdentity,
  LlmRecord,
  ProviderName,
} from './schemas.ts';

const read = { gate: READ_LLM_CONFIGURATIONS };

const LLM_SORT_KEYS = ['service', 'connection_name', 'model', 'created_at', 'last_updated_at'] as const;

export const llmProviders = endpoints({
  listLlmConfigurations: {
    method: 'GET',
    path: '/ml/aicommander',
    summary: 'LLM configurations, secrets masked.',
    ...read,
    query: ListQuery(LLM_SORT_KEYS, {
      search: Type.Optional(Search('service, connection_name or model')),
      service: Type.Optional(ProviderName),
      connection_name: Type.Optional(ConnectionName),
    }),
    reply: Type.Object(
      { result: Page(LlmRecord), pagination: Pagination },
      { description: 'A page of LLM configurations' },
    ),
    faults: [],
  },
  getLlmConfiguration: {
    method: 'GET',
    path: '/ml/aicommander/{service}/{connection_name}/{model...}',
    summary: 'One LLM configuration; the model is the entire rest of the path.',
    ...read,
    params: LlmIdentity,
    reply: ConfigReply(LlmRecord),
    faults: ['not_found'],
  },
  saveLlmConfiguration: {
    method: 'POST',
    path: '/ml/aicommander',
    audit: { action: 'save', name: ['body.service', 'body.connection_name', 'body.model'] },
    summary:
      'Create or replace an LLM configuration; settings and secrets of its connection change for all its models.',
    ...write,
    query: VerifyQuery,
    body: LlmConfigurationInput,
    keepsUnknown: true,
    judgesDepth: true,
    conditional: true,
    reply: Type.Object({ updated_config: LlmRecord }, { description: 'The configuration, as it was saved' }),
    faults: ['version_conflict', 'verification_refused', ...SECRET_FAULTS],
  },
  deleteLlmConfiguration: {
    method: 'DELETE',
    path: '/ml/aicommander/{service}/{connection_name}/{model...}',
    audit: { action: 'delete', name: ['params.service', 'params.connection_name', 'params.model'] },
    summary: "Delete an LLM configuration; with a connection's last one, its secrets are deleted too.",
    ...write,
    // `used_by` names the agents and aliases that the caller may read.
    acl: true,
    params: LlmIdentity,
    query: ForceQuery,
    conditional: true,
    reply: Type.Object(LlmIdentity.properties, { description: 'The configuration that was deleted' }),
    faults: ['not_found', 'version_conflict', 'in_use'],
  },
  getLlmCatalogue: {
    method: 'GET',
    path: '/ml/aicommander_metadata',
    summary: 'The services, their fields and known models: everything needed to draw a form.',
    ...read,
    reply: ConfigReply(LlmCatalogue),
    faults: [],
  },
  actOnLlmProvider: {
    method: 'POST',
    path: '/ml/aicommander_metadata',
    audit: {
      action: 'test',
      name: ['body.service', 'body.connection_name', 'body.model'],
      otherAction: { at: 'body.action', actions: { refresh_models: 'model_list' } },
    },
    summary: 'Test a saved or given configuration, or ask its provider for its models.',
    ...write,
    body: LlmActionInput,
    keepsUnknown: true,
    judgesDepth: true,
    reply: LlmActionReply,
    answersFailure: true,
    faults: ['not_found', ...SECRET_FAULTS],
  },
});
