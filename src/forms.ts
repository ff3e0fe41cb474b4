import type { AuditStored } from './domain/audit.ts';
import type { Forms } from './domain/forms.ts';
import type { Entry as JournalEntry } from './domain/journal.ts';
import type { LeaseDoc } from './domain/leases.ts';
import type { RoleSet } from './domain/legacyAudiences.ts';
import type { SightingsDoc } from './domain/sightings.ts';
import type { AgentStored } from './families/agents/records.ts';
import type { ConnectionStored } from './families/containers/connections/records.ts';
import type { InstallationDoc } from './families/containers/runtime/installation.ts';
import type { RuntimeStored } from './families/containers/runtime/records.ts';
import type { HistoryStored } from './families/experiments/history.ts';
import type { ExperimentStored } from './families/experiments/records.ts';
import type { Acknowledgement, OptOut } from './families/feature-flags/ctsm.ts';
import type { LlmConnection } from './families/llm-providers/connection.ts';
import type { ListedModels } from './families/llm-providers/modelCache.ts';
import type { ToolListing } from './families/mcp-connections/drift.ts';
import type { McpStored } from './families/mcp-connections/records.ts';
import type { RegisteredModel } from './families/model-registrations/stored.ts';
import type { ModelRecord } from './families/models/uploaded.ts';
import type { StoreStored } from './families/vector-stores/records.ts';
import type { Doc } from './ports/recordStore.ts';

type Words<S extends string, Found = never> = S extends `${infer First} ${infer Rest}`
  ? Words<Rest, Found | First>
  : Found | S;
type FieldsOf<D> = D extends unknown ? Exclude<keyof D, '_key'> : never;
/** True when each is the other; else what is missing or too much. */
type Same<A, B> = [A, B] extends [B, A] ? unknown : { differ: Exclude<A, B> | Exclude<B, A> };

/** Every field of a kind of document: a forgotten or misspelt one does not compile. */
const all =
  <D extends Doc>() =>
  <S extends string>(...words: S[] & Same<Words<S>, FieldsOf<D>>): readonly string[] =>
    words.flatMap((text: string) => text.split(' '));

const META = 'version created_at created_by last_updated_at last_updated_by secret_ref secret_fields';

/**
 * What each collection holds, and which fields this app knows of it: docs/adr/0010-forms.md says when a form is raised.
 * Upgrades belong into the family's folder.
 */
export const FORMS: Forms = {
  ml_mcp_connections: {
    called: 'MCP connections',
    fields: all<McpStored>()(
      META,
      'name type description details tools_allowed acl auth_state last_test',
      'transport_detected token_url_detected discovery_url token_obtained_at token_expires_at',
    ),
  },
  ml_mcp_listings: { fields: all<ToolListing>()('created_at tools drift') },
  ml_llm_connections: {
    called: 'LLM connections',
    fields: all<LlmConnection>()(META, 'service connection_name servicesettings models'),
  },
  ml_llm_models: { called: 'Lists of LLM models', fields: all<ListedModels>()('service models refreshed_at') },
  ml_container_connections: {
    called: 'Container connections',
    fields: all<ConnectionStored>()(
      META,
      'container_type connection_name token_ends last_test',
      'container_enable_https endpoint_hostname endpoint_hostname_external cluster_ca client_cert',
      'obs_enabled obs_otel_endpoint obs_otel_service_name platform_access_enabled platform_access_host',
      'platform_access_port platform_ingest_enabled platform_ingest_url endpoint_cert_check_hostname',
      'endpoint_cert_filename_or_path docker_url docker_network docker_logging_endpoint_hostname auth_mode cluster_url',
      'user_name cloud_cluster_name cloud_access_key_id cloud_region_name image_pull_secrets in_cluster_mode namespace',
      'storage_class service_type ingress_host_pattern ingress_annotations node_port_hostname_internal',
      'node_port_hostname_external',
    ),
  },
  ml_vector_stores: {
    called: 'Vector stores',
    fields: all<StoreStored>()(META, 'name type description details acl last_test'),
  },
  ml_registered_models: {
    called: 'Registered models',
    fields: all<RegisteredModel>()(
      META,
      'model_name endpoint_name cloud_credentials input_feature_map output_prediction_map openapi_spec batch_size',
      'acl last_test',
    ),
  },
  ml_containers: {
    called: 'Containers',
    fields: all<RuntimeStored>()(
      'model cluster connection_key connection_name container_name id mark step started_at pull_owner urls reach',
      'status status_reason status_message status_since probe_error restarts probe_failures fingerprint',
      'image image_reference mode runtime hpa_enabled min_cpu max_cpu min_memory max_memory min_replicas max_replicas',
      'cpu_threshold_percent',
    ),
  },
  ml_containers_installation: { fields: all<InstallationDoc>()('id') },
  ml_agents: {
    called: 'AI agents',
    fields: all<AgentStored>()(
      META,
      'name description is_enabled runtime_type system_prompt task_prompt llm mcps knowledge_bases agent_timeout acl',
      'state state_reason state_code runtime_id runtime_arn runtime_version runtime_status tracking polled order',
    ),
  },
  ml_experiments: {
    called: 'Experiments',
    fields: all<ExperimentStored>()(
      META,
      'owner audience experiment_id title title_key description type status acl tags models outline stages',
    ),
  },
  ml_experiment_history: {
    called: 'Entries of the history',
    fields: all<HistoryStored>()('history_id experiment_id action timestamp user status details message'),
  },
  ml_audit: {
    called: 'Entries of the audit trail',
    fields: all<AuditStored>()(
      'audit_id time user action family name name_key outcome error_code changed version_before version_after',
      'duration_ms request_id via',
    ),
  },
  ml_uploaded_models: {
    called: 'Descriptions of uploaded models',
    fields: all<ModelRecord>()(
      'model_name place pending features targets file_name uploaded_at uploaded_by size_bytes sha256',
    ),
  },
  ml_ctsm: { fields: all<OptOut | Acknowledgement>()('user opt_out acknowledged_at') },
  ml_audiences: { fields: all<RoleSet>()('roles') },
  // Two versions coordinate their writes with these: their form stays 1 for good.
  ml_leases: { fields: all<LeaseDoc | SightingsDoc>()('owner domain until ttl expires_at seen') },
  ml_journal: { fields: all<JournalEntry>()('family refs at domain since') },
};
