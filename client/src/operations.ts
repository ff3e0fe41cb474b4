// Generated from the OpenAPI document (npm run generate). Do not edit.

import type {
  AcknowledgeCtsmInput,
  AddExperimentHistoryReply,
  AgentCreate,
  AgentDeleting,
  AgentFollow,
  AgentProgress,
  AgentReply,
  AgentStarted,
  AgentUpdate,
  AuditAction,
  AuditEntryReply,
  AuditOutcome,
  BatchRequest,
  BatchResult,
  ChatCompletion,
  ChatCompletionRequest,
  CheckConnectionHealthReply,
  CloneExperimentModelsReply,
  ConfigurationExport,
  ConfigurationImport,
  ConfigurationImportReply,
  ConnectionCheck,
  Container,
  ContainerConnectionInputPayload,
  ContainerConnectionList,
  ContainerConnectionReply,
  ContainerConnectionSaved,
  ContainerLogsQueryPayload,
  ContainerStartPayload,
  ContainerStopPayload,
  ContainerStopped,
  ContainerType,
  CountTokensObject,
  CountTokensRequest,
  CreateExperimentReply,
  CtsmReply,
  DeleteContainerConnectionReply,
  DeleteDocumentsRequest,
  DeleteDocumentsResult,
  DeleteExperimentReply,
  DeleteLlmConfigurationReply,
  DeleteModelReply,
  DeleteRegistrationReply,
  DocumentListReply,
  EmbeddingList,
  EmbeddingRequest,
  ExperimentCreate,
  ExperimentReply,
  ExperimentStatus,
  ExperimentType,
  ExperimentUpdate,
  Flag,
  GatewayModel,
  GatewayModelList,
  GatewayProbe,
  GetAgentFeatureFlagReply,
  GetAgentReply,
  GetContainerDataReply,
  GetContainerLogsReply,
  GetFeatureFlagsReply,
  GetHealthReply,
  GetImageCatalogReply,
  GetStartFormReply,
  GetUsageInterval,
  GetUsageReply,
  HealthState,
  HistoryAction,
  HistoryEntryInput,
  IndexRequest,
  IndexResult,
  JsonObject,
  JsonValue,
  ListAgentsReply,
  ListAuditReply,
  ListConnectionHealthReply,
  ListConnectionsReply,
  ListExperimentHistoryReply,
  ListExperimentsReply,
  ListLlmConfigurationsReply,
  ListModelsReply,
  ListTestedConnectionsReply,
  LlmAction,
  LlmActionResult,
  LlmCatalogueReply,
  LlmConfigurationInput,
  LlmConfigurationReply,
  LlmService,
  MaskingPolicyCreate,
  MaskingPolicyList,
  MaskingPolicyReply,
  MaskingPolicyUpdate,
  McpAnswer,
  McpConnectionCreate,
  McpConnectionList,
  McpConnectionReply,
  McpConnectionTest,
  McpConnectionTestReply,
  McpConnectionUpdate,
  McpMessage,
  McpToolAcceptance,
  McpToolAcceptanceReply,
  McpToolList,
  MessagesObject,
  MessagesRequest,
  Model,
  ModelAliasCreate,
  ModelAliasList,
  ModelAliasReply,
  ModelAliasUpdate,
  ModelClones,
  ModelType,
  ModelUpload,
  NameReply,
  Outcome,
  OwnUsageLimits,
  PolicyPreview,
  PolicyPreviewReply,
  PredictBegin,
  PredictBegun,
  PredictEnd,
  PredictEnded,
  PredictRequest,
  PredictResult,
  ReadContainerLogsReply,
  RegisteredModelCreate,
  RegisteredModelReply,
  RegisteredModelTestReply,
  RegisteredModelUpdate,
  ResourceFamily,
  ResponsesObject,
  ResponsesRequest,
  RetrieveRequest,
  RetrieveResult,
  Run,
  RunDecision,
  RunListReply,
  RunReply,
  RunRequest,
  RunRequestWorker,
  RunStartReply,
  RunState,
  RunStepReply,
  SaveLlmConfigurationReply,
  SearchCallReply,
  SearchCallRequest,
  SearchToolCreate,
  SearchToolList,
  SearchToolReply,
  SearchToolTest,
  SearchToolTestReply,
  SearchToolUpdate,
  SetCtsmFeatureInput,
  Sharing,
  SortDirection,
  StartContainerReply,
  ToolCallReply,
  ToolCallRequest,
  UploadModelReply,
  UsageLimitCreate,
  UsageLimitDetailReply,
  UsageLimitList,
  UsageLimitReply,
  UsageLimitUpdate,
  VectorStoreCreate,
  VectorStoreList,
  VectorStoreReply,
  VectorStoreTest,
  VectorStoreTestReply,
  VectorStoreUpdate,
} from './schemas.ts';

export interface Operations {
  /** MCP connections the caller may read; with name=, one of them. */
  listMcpConnections: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default name) */
      sort_key?: "name" | "type" | "description" | "auth_state" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
      /** Return the record of this name in config instead of a list */
      name?: string;
    };
    reply: McpConnectionList;
  };
  /** Create an MCP connection. */
  createMcpConnection: {
    query?: {
      /** Test the new record, including new secrets, before saving it. If the test fails the reply is verification_refused and nothing is saved. (default false) */
      verify?: boolean;
    };
    body: McpConnectionCreate;
    reply: McpConnectionReply;
  };
  /** Change an MCP connection: name and any subset of its fields. */
  updateMcpConnection: {
    query?: {
      /** Test the new record, including new secrets, before saving it. If the test fails the reply is verification_refused and nothing is saved. (default false) */
      verify?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: McpConnectionUpdate;
    reply: McpConnectionReply;
  };
  /** One MCP connection. */
  getMcpConnection: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    reply: McpConnectionReply;
  };
  /** Delete an MCP connection and its secrets. */
  deleteMcpConnection: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    query?: {
      /** Delete even if other records use it (default false) */
      force?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: NameReply;
  };
  /** Connect to the MCP server of a saved or given connection; only last_test is written. */
  testMcpConnection: {
    body: McpConnectionTest;
    reply: McpConnectionTestReply;
  };
  /** All tools of the MCP server of a saved or given connection. */
  listMcpTools: {
    body: McpConnectionTest;
    reply: McpToolList;
  };
  /** Accept the tools of a saved connection as the server lists them now, all or some. */
  acceptMcpTools: {
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: McpToolAcceptance;
    reply: McpToolAcceptanceReply;
  };
  /** LLM configurations, secrets masked. */
  listLlmConfigurations: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default service) */
      sort_key?: "service" | "connection_name" | "model" | "created_at" | "last_updated_at";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in service, connection_name or model, case-insensitive */
      search?: string;
      /** The provider: General_Chat is OpenAI, Enterprise_Cloud_Chat Azure, Assistant_Family Anthropic, Cloud_Model_Hub Amazon Bedrock, Fast_Inference Groq, Search_Vendor_Models Gemini, Local_Runtime Ollama, Platform_Hosted_Models the site itself, or Splunk for its tenant */
      service?: LlmService;
      /** What the provider's connection is called, compared without regard to case; the first spelling stays */
      connection_name?: string;
    };
    reply: ListLlmConfigurationsReply;
  };
  /** Create or replace an LLM configuration; settings and secrets of its connection change for all its models. */
  saveLlmConfiguration: {
    query?: {
      /** Test the new record, including new secrets, before saving it. If the test fails the reply is verification_refused and nothing is saved. (default false) */
      verify?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: LlmConfigurationInput;
    reply: SaveLlmConfigurationReply;
  };
  /** One LLM configuration; the model is the entire rest of the path. */
  getLlmConfiguration: {
    params: {
      /** The provider: General_Chat is OpenAI, Enterprise_Cloud_Chat Azure, Assistant_Family Anthropic, Cloud_Model_Hub Amazon Bedrock, Fast_Inference Groq, Search_Vendor_Models Gemini, Local_Runtime Ollama, Platform_Hosted_Models the site itself, or Splunk for its tenant */
      service: LlmService;
      /** What the provider's connection is called, compared without regard to case; the first spelling stays */
      connection_name: string;
      /** The provider's id of the model, compared exactly; it may hold / and : */
      model: string;
    };
    reply: LlmConfigurationReply;
  };
  /** Delete an LLM configuration; with a connection's last one, its secrets are deleted too. */
  deleteLlmConfiguration: {
    params: {
      /** The provider: General_Chat is OpenAI, Enterprise_Cloud_Chat Azure, Assistant_Family Anthropic, Cloud_Model_Hub Amazon Bedrock, Fast_Inference Groq, Search_Vendor_Models Gemini, Local_Runtime Ollama, Platform_Hosted_Models the site itself, or Splunk for its tenant */
      service: LlmService;
      /** What the provider's connection is called, compared without regard to case; the first spelling stays */
      connection_name: string;
      /** The provider's id of the model, compared exactly; it may hold / and : */
      model: string;
    };
    query?: {
      /** Delete even if other records use it (default false) */
      force?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: DeleteLlmConfigurationReply;
  };
  /** The services, their fields and known models: everything needed to draw a form. */
  getLlmCatalogue: {
    reply: LlmCatalogueReply;
  };
  /** Test a saved or given configuration, or ask its provider for its models. */
  actOnLlmProvider: {
    body: LlmAction;
    reply: LlmActionResult;
  };
  /** Create a container connection, or change it with is_edit. */
  saveContainerConnection: {
    query?: {
      /** The same as is_edit in the body, which goes before it (default false) */
      is_edit?: boolean;
      /** Point to another engine although containers are running on the present one (default false) */
      force?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: ContainerConnectionInputPayload;
    reply: ContainerConnectionSaved;
  };
  /** Container connections of one type; with name=, one of them. */
  listContainerConnections: {
    params: {
      /** The engine of the connection */
      container_type: ContainerType;
    };
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default connection_name) */
      sort_key?: "connection_name" | "container_type" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
      /** Return the record of this name in config instead of a list */
      name?: string;
    };
    reply: ContainerConnectionList;
  };
  /** One container connection. */
  getContainerConnection: {
    params: {
      /** The engine of the connection */
      container_type: ContainerType;
      /** Name of the connection, unique among those of its type without regard to case */
      connection_name: string;
    };
    reply: ContainerConnectionReply;
  };
  /** Delete a container connection and its secrets. */
  deleteContainerConnection: {
    params: {
      /** The engine of the connection */
      container_type: ContainerType;
      /** Name of the connection, unique among those of its type without regard to case */
      connection_name: string;
    };
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: DeleteContainerConnectionReply;
  };
  /** Verify a container connection with its engine, then save it. */
  testContainerConnection: {
    query?: {
      /** The same as is_edit in the body, which goes before it (default false) */
      is_edit?: boolean;
      /** Point to another engine although containers are running on the present one (default false) */
      force?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: ContainerConnectionInputPayload;
    reply: ContainerConnectionSaved;
  };
  /** The last test of each container connection. */
  listTestedConnections: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default connection_name) */
      sort_key?: "connection_name" | "container_type" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
    };
    reply: ListTestedConnectionsReply;
  };
  /** Runtime records, after asking every engine and every application; with model=, one of them. */
  getContainerData: {
    query?: {
      /** Name of the model that the container serves, compared without regard to case */
      model?: string;
    };
    reply: GetContainerDataReply;
  };
  /** Containers that have a log; with model=, the log of one. */
  readContainerLogs: {
    query?: {
      /** Name of the model that the container serves, compared without regard to case */
      model?: string;
      /** How many of the newest lines, 1 to 10000, over all replicas; empty asks for the default (default 1000) */
      tail?: string;
      /** Only lines from this time on: ISO 8601, or a whole number of seconds to go back; empty means all */
      since?: string;
      /** 'true': the log of the instance before the last crash (default false) */
      previous?: Flag;
    };
    reply: ReadContainerLogsReply;
  };
  /** Log of a container, merged across its replicas; before anything has run, what the engine has done to start it. */
  getContainerLogs: {
    body: ContainerLogsQueryPayload;
    reply: GetContainerLogsReply;
  };
  /** Start a container or a deployment of a model. */
  startContainer: {
    body: ContainerStartPayload;
    reply: StartContainerReply;
  };
  /** What a start can choose from. */
  getStartForm: {
    reply: GetStartFormReply;
  };
  /** Stop a container or delete a deployment, and clear its record. */
  deleteContainer: {
    params: {
      /** Name of the model that the container serves, compared without regard to case */
      model_name: string;
    };
    reply: ContainerStopped;
  };
  /** Stop a container or delete a deployment, and clear its record. */
  stopContainer: {
    body: ContainerStopPayload;
    reply: ContainerStopped;
  };
  /** The image catalog. */
  getImageCatalog: {
    reply: GetImageCatalogReply;
  };
  /** Agents the caller may read; with name=, one of them. */
  listAgents: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default name) */
      sort_key?: "name" | "description" | "runtime_type" | "state" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
      /** Return the record of this name in config instead of a list */
      name?: string;
    };
    reply: ListAgentsReply;
  };
  /** Create an agent. A cloud runtime is requested, and a search follows its creation; other agents are available at once. */
  createAgent: {
    body: AgentCreate;
    reply: AgentStarted;
  };
  /** Change an agent: name and any subset of its fields; applies from its next run on. */
  updateAgent: {
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: AgentUpdate;
    reply: AgentReply;
  };
  /** One agent: its keys at top level and under config. */
  getAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime */
      agent_name: string;
    };
    reply: GetAgentReply;
  };
  /** Delete an agent. A cloud runtime is deleted first, and a search follows that; other agents are gone at once. */
  deleteAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime */
      agent_name: string;
    };
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: AgentDeleting;
  };
  /** Request the runtime again for an agent whose creation failed. */
  retryAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime */
      agent_name: string;
    };
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: AgentStarted;
  };
  /** Poll a creation or deletion once: asks the cloud unless it was just asked, and stores the state. */
  followAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime */
      agent_name: string;
    };
    body: AgentFollow;
    reply: AgentProgress;
  };
  /** Feature flags and the source of each value. */
  getFeatureFlags: {
    reply: GetFeatureFlagsReply;
  };
  /** Whether the agent builder is on. */
  getAgentFeatureFlag: {
    reply: GetAgentFeatureFlagReply;
  };
  /** Choices of the caller about curated time series models. */
  getCtsmFeature: {
    reply: CtsmReply;
  };
  /** Opt out of curated time series models, or back in; only for the caller. */
  setCtsmFeature: {
    body: SetCtsmFeatureInput;
    reply: CtsmReply;
  };
  /** Acknowledge the prompt about curated time series models, only for the caller; idempotent. */
  acknowledgeCtsm: {
    body?: AcknowledgeCtsmInput;
    reply: CtsmReply;
  };
  /** Experiments the caller may read; stages only with detail=true. */
  listExperiments: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default title) */
      sort_key?: "title" | "type" | "status" | "owner" | "created_at" | "last_updated_at";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
      /** Kind of workflow; it cannot change */
      type?: ExperimentType;
      /** Only those of this user */
      owner?: string;
      /** Status of the experiment, set by callers */
      status?: ExperimentStatus;
      /** Include the stages (default false) */
      detail?: boolean;
    };
    reply: ListExperimentsReply;
  };
  /** Create an experiment; the server assigns its id. */
  createExperiment: {
    body: ExperimentCreate;
    reply: CreateExperimentReply;
  };
  /** One experiment with its stages. */
  getExperiment: {
    params: {
      /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    reply: ExperimentReply;
  };
  /** Change an experiment: any subset of its fields. Objects merge, arrays are replaced, null unsets. */
  updateExperiment: {
    params: {
      /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: ExperimentUpdate;
    reply: ExperimentReply;
  };
  /** Delete an experiment, its history, and the models whose names contain its id. */
  deleteExperiment: {
    params: {
      /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    query?: {
      /** Keep its models (default false) */
      keep_models?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: DeleteExperimentReply;
  };
  /** Runs and changes of an experiment, newest first; the newest 1,000 are kept. */
  listExperimentHistory: {
    params: {
      /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default timestamp) */
      sort_key?: "timestamp";
      /** Sort order (default desc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in message, user or action, case-insensitive */
      search?: string;
      /** The action. The server adds create, update and clone_models; note is for remarks. */
      action?: HistoryAction;
      /** Result of the action */
      status?: Outcome;
      /** Only entries from this time on: epoch seconds or an ISO 8601 date */
      earliest?: string;
      /** Only entries before this time: epoch seconds or an ISO 8601 date */
      latest?: string;
    };
    reply: ListExperimentHistoryReply;
  };
  /** Add an entry to the history of an experiment; the server sets time and user. */
  addExperimentHistory: {
    params: {
      /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    body: HistoryEntryInput;
    reply: AddExperimentHistoryReply;
  };
  /** Copy models of an experiment under other names. Successful copies stay if others fail. */
  cloneExperimentModels: {
    params: {
      /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    body?: ModelClones;
    reply: CloneExperimentModelsReply;
  };
  /** Vector stores the caller may read; with name=, one of them. */
  listVectorStores: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default name) */
      sort_key?: "name" | "type" | "description" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
      /** Return the record of this name in config instead of a list */
      name?: string;
    };
    reply: VectorStoreList;
  };
  /** Create a vector store connection. */
  createVectorStore: {
    query?: {
      /** Test the new record, including new secrets, before saving it. If the test fails the reply is verification_refused and nothing is saved. (default false) */
      verify?: boolean;
    };
    body: VectorStoreCreate;
    reply: VectorStoreReply;
  };
  /** Change a vector store: name and any subset of its fields. */
  updateVectorStore: {
    query?: {
      /** Test the new record, including new secrets, before saving it. If the test fails the reply is verification_refused and nothing is saved. (default false) */
      verify?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: VectorStoreUpdate;
    reply: VectorStoreReply;
  };
  /** One vector store. */
  getVectorStore: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    reply: VectorStoreReply;
  };
  /** Delete a vector store and its secret; documents go with a store in the platform, elsewhere they stay. */
  deleteVectorStore: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    query?: {
      /** Delete even if other records use it (default false) */
      force?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: NameReply;
  };
  /** Contact the knowledge base of a saved or given vector store; only last_test is written. */
  testVectorStore: {
    body: VectorStoreTest;
    reply: VectorStoreTestReply;
  };
  /** One registered cloud model. */
  getRegistration: {
    query: {
      /** Unique name, compared without regard to case */
      model_name: string;
    };
    reply: RegisteredModelReply;
  };
  /** Register a cloud model whose endpoint is in service; with test_connection=1, only ask for its state. */
  registerModel: {
    query?: {
      /** 1 or true: describe the endpoint and store nothing. 0, false or empty: register. */
      test_connection?: string;
      /** Test the new record, including new secrets, before saving it. If the test fails the reply is verification_refused and nothing is saved. (default false) */
      verify?: boolean;
    };
    body: RegisteredModelCreate;
    reply: RegisteredModelTestReply;
  };
  /** Change a registration: model_name and any subset of its fields. A new endpoint has to be in service. */
  updateRegistration: {
    query?: {
      /** Test the new record, including new secrets, before saving it. If the test fails the reply is verification_refused and nothing is saved. (default false) */
      verify?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: RegisteredModelUpdate;
    reply: RegisteredModelReply;
  };
  /** Delete a registration and its secret; the endpoint itself stays. */
  deleteRegistration: {
    query: {
      /** Unique name, compared without regard to case */
      model_name: string;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: DeleteRegistrationReply;
  };
  /** Model aliases the caller may read; with name=, one of them. */
  listModelAliases: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default name) */
      sort_key?: "name" | "description" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
      /** Return the record of this name in config instead of a list */
      name?: string;
    };
    reply: ModelAliasList;
  };
  /** Create a model alias. */
  createModelAlias: {
    body: ModelAliasCreate;
    reply: ModelAliasReply;
  };
  /** Change a model alias: name and any subset of its fields. */
  updateModelAlias: {
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: ModelAliasUpdate;
    reply: ModelAliasReply;
  };
  /** One model alias. */
  getModelAlias: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    reply: ModelAliasReply;
  };
  /** Delete a model alias; its LLM configurations stay. */
  deleteModelAlias: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    query?: {
      /** Delete even if other records use it (default false) */
      force?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: NameReply;
  };
  /** Usage limits; with name=, one of them. */
  listUsageLimits: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default name) */
      sort_key?: "name" | "description" | "window" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
      /** Return the record of this name in config instead of a list */
      name?: string;
    };
    reply: UsageLimitList;
  };
  /** Create a usage limit. */
  createUsageLimit: {
    body: UsageLimitCreate;
    reply: UsageLimitReply;
  };
  /** Change a usage limit: name and any subset of its fields. */
  updateUsageLimit: {
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: UsageLimitUpdate;
    reply: UsageLimitReply;
  };
  /** What is left of the usage limits that hold the caller. */
  getOwnUsageLimits: {
    reply: OwnUsageLimits;
  };
  /** One usage limit, and what is used of it. */
  getUsageLimit: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    reply: UsageLimitDetailReply;
  };
  /** Delete a usage limit; what was used does not count for a new one of this name. */
  deleteUsageLimit: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: NameReply;
  };
  /** Search tools the caller may read; with name=, one of them. */
  listSearchTools: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default name) */
      sort_key?: "name" | "description" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
      /** Return the record of this name in config instead of a list */
      name?: string;
    };
    reply: SearchToolList;
  };
  /** Create a search tool. */
  createSearchTool: {
    body: SearchToolCreate;
    reply: SearchToolReply;
  };
  /** Change a search tool: name and any subset of its fields. */
  updateSearchTool: {
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: SearchToolUpdate;
    reply: SearchToolReply;
  };
  /** One search tool. */
  getSearchTool: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    reply: SearchToolReply;
  };
  /** Delete a search tool. */
  deleteSearchTool: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    query?: {
      /** Delete even if other records use it (default false) */
      force?: boolean;
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: NameReply;
  };
  /** Run the search of a saved or given search tool as the caller; only last_test is written. */
  testSearchTool: {
    body: SearchToolTest;
    reply: SearchToolTestReply;
  };
  /** Masking policies; with name=, one of them. */
  listMaskingPolicies: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default name) */
      sort_key?: "name" | "description" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
      /** Return the record of this name in config instead of a list */
      name?: string;
    };
    reply: MaskingPolicyList;
  };
  /** Create a masking policy, which is in force within 2 seconds. */
  createMaskingPolicy: {
    body: MaskingPolicyCreate;
    reply: MaskingPolicyReply;
  };
  /** Change a masking policy: name and any subset of its fields. */
  updateMaskingPolicy: {
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    body: MaskingPolicyUpdate;
    reply: MaskingPolicyReply;
  };
  /** One masking policy. */
  getMaskingPolicy: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    reply: MaskingPolicyReply;
  };
  /** Delete a masking policy; within 2 seconds nothing is masked by it. */
  deleteMaskingPolicy: {
    params: {
      /** Unique name, case-insensitive */
      name: string;
    };
    query?: {
      /** Make the change only if the record has this version */
      version?: number;
    };
    ifMatch?: number;
    reply: NameReply;
  };
  /** Mask a text by a saved or given policy; nothing is stored or sent. */
  previewMaskingPolicy: {
    body: PolicyPreview;
    reply: PolicyPreviewReply;
  };
  /** LLM, Docker and Kubernetes connections that the caller may read: all, or pages with count=. */
  listConnections: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 0) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default connection_type) */
      sort_key?: "connection_type" | "connection_name";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in the name, case-insensitive */
      search?: string;
    };
    reply: ListConnectionsReply;
  };
  /** Health of the connections of all families that the caller may read. */
  listConnectionHealth: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default family) */
      sort_key?: "family" | "name" | "type" | "state" | "expires_at";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, type or reason, case-insensitive */
      search?: string;
      /** The family that the connection belongs to */
      family?: "mcp-connections" | "llm-providers" | "container-connections" | "vector-stores" | "model-registrations" | "model_aliases" | "usage_limits" | "search_tools";
      /** reauth_required: sign in again. failing: the last test failed, a credential has expired, or a usage limit is used up. expiring: a credential expires within 14 days, or 80 % of a usage limit is used. untested: no test so far. ok: the last test passed. */
      state?: HealthState;
    };
    reply: ListConnectionHealthReply;
  };
  /** Test saved connections that the caller may test, for at most 25 s, and report their health. */
  checkConnectionHealth: {
    body?: ConnectionCheck;
    reply: CheckConnectionHealthReply;
  };
  /** Models of the platform and registered cloud models that the caller may read. */
  listModels: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default name) */
      sort_key?: "name" | "type" | "owner" | "app" | "sharing" | "updated_at";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in the name, case-insensitive */
      search?: string;
      /** onnx: uploaded. cloud: registered, at an endpoint in the cloud. lookup: made by the fit command. */
      type?: ModelType;
      /** Only those of this user */
      owner?: string;
    };
    reply: ListModelsReply;
  };
  /** Upload an ONNX model: base64 in JSON, or multipart/form-data with a part model_file. */
  uploadModel: {
    body: ModelUpload;
    reply: UploadModelReply;
  };
  /** Delete an uploaded model; of several with the same name, first the caller's own, then the app's. */
  deleteModel: {
    params: {
      /** Name of the model; its lookup file is __mlspl_<name>.onnx */
      model_name: string;
    };
    query?: {
      /** Which of several with this name: that of this user, as list_models shows it */
      owner?: string;
      /** Which of several with this name: user: a private one; app: the shared one */
      sharing?: Exclude<Sharing, "global">;
    };
    reply: DeleteModelReply;
  };
  /** Who changed, tested, started and stopped what, newest first. */
  listAudit: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default time) */
      sort_key?: "time";
      /** Sort order (default desc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, user, action, family or error code, case-insensitive */
      search?: string;
      /** Resource family */
      family?: ResourceFamily;
      /** Only entries with this name, compared without regard to case */
      name?: string;
      /** The attempted action */
      action?: AuditAction;
      /** Only entries of this user */
      user?: string;
      /** Result; unknown: the end could not be recorded */
      outcome?: AuditOutcome;
      /** Only entries with this code */
      error_code?: string;
      /** Only entries of this request */
      request_id?: string;
      /** Only entries from this time on: epoch seconds or an ISO 8601 date */
      earliest?: string;
      /** Only entries before this time: epoch seconds or an ISO 8601 date */
      latest?: string;
    };
    reply: ListAuditReply;
  };
  /** One entry of the audit trail. */
  getAuditEntry: {
    params: {
      /** Id of the entry */
      audit_id: string;
    };
    reply: AuditEntryReply;
  };
  /** Who used what, how often and at what cost: own uses, with list_ml_usage those of all. */
  getUsage: {
    query: {
      /** One or two of user, operation, provider, connection, model, alias, agent, via, separated by a comma */
      by: string;
      /** Only uses from this time on, rounded down to a whole hour; default: 30 days ago: epoch seconds or an ISO 8601 date */
      earliest?: string;
      /** Only uses before this time, rounded up to a whole hour; default: now: epoch seconds or an ISO 8601 date */
      latest?: string;
      /** Sums for each hour, day or month (UTC). Hours are kept apart for 35 days. */
      interval?: GetUsageInterval;
    };
    reply: GetUsageReply;
  };
  /** The records that the caller may read, as a document without secrets. */
  exportConfiguration: {
    query?: {
      /** Only records of these families, separated by commas */
      family?: string;
      /** Only records of these names, separated by commas; case does not count */
      name?: string;
    };
    reply: ConfigurationExport;
  };
  /** Plan the changes of a document or, with mode apply, make them: each record as the caller's own create or update. */
  importConfiguration: {
    body: ConfigurationImport;
    reply: ConfigurationImportReply;
  };
  /** Version of the app and status of its dependencies. */
  getHealth: {
    reply: GetHealthReply;
  };
  /** This interface as an OpenAPI 3.1 document. */
  getOpenApi: {
    reply: JsonObject;
  };
  /** Asks a language model, in the form of OpenAI's Chat Completions. */
  createChatCompletion: {
    query?: {
      /** Leave out what the provider cannot do and name it in ml.warnings, instead of failing; the header X-ML-Drop-Unsupported does the same */
      drop_unsupported?: boolean;
      /** Time limit in seconds, up to long_deadline_s. Default: deadline_s */
      deadline_s?: number;
    };
    body: ChatCompletionRequest;
    reply: ChatCompletion;
  };
  /** Asks a language model, in the form of OpenAI's Responses. */
  createResponse: {
    query?: {
      /** Leave out what the provider cannot do and name it in ml.warnings, instead of failing; the header X-ML-Drop-Unsupported does the same */
      drop_unsupported?: boolean;
    };
    body: ResponsesRequest;
    reply: ResponsesObject;
  };
  /** Asks a language model, in the form of Anthropic's Messages. */
  createMessage: {
    query?: {
      /** Leave out what the provider cannot do and name it in ml.warnings, instead of failing; the header X-ML-Drop-Unsupported does the same */
      drop_unsupported?: boolean;
    };
    body: MessagesRequest;
    reply: MessagesObject;
  };
  /** Estimates the tokens of a message, without asking a provider. */
  countMessageTokens: {
    body: CountTokensRequest;
    reply: CountTokensObject;
  };
  /** Makes vectors of texts, in the form of OpenAI's Embeddings. */
  createEmbedding: {
    body: EmbeddingRequest;
    reply: EmbeddingList;
  };
  /** That the gateway is there, as clients ask at their start. */
  probeGateway: {
    reply: GatewayProbe;
  };
  /** The same at the address that clients of OpenAI are given. */
  probeGatewayApi: {
    reply: GatewayProbe;
  };
  /** The models that the caller may use, aliases first. */
  listGatewayModels: {
    reply: GatewayModelList;
  };
  /** One model that the caller may use. */
  getGatewayModel: {
    params: {
      /** A model reference */
      model: string;
    };
    reply: GatewayModel;
  };
  /** Writes documents into a vector store, each in place of what its id had. */
  indexDocuments: {
    body: IndexRequest;
    reply: IndexResult;
  };
  /** Documents that this app wrote into a vector store. */
  listDocuments: {
    query: {
      /** Name of a vector store that you may change */
      store: string;
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default id) */
      sort_key?: "id" | "updated_at";
      /** Sort order (default asc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
    };
    reply: DocumentListReply;
  };
  /** Deletes documents of a vector store. */
  deleteDocuments: {
    body: DeleteDocumentsRequest;
    reply: DeleteDocumentsResult;
  };
  /** Looks for passages in a vector store. */
  retrievePassages: {
    body: RetrieveRequest;
    reply: RetrieveResult;
  };
  /** Applies an uploaded or registered model, or one in a container, to rows. */
  predict: {
    body: PredictRequest;
    reply: PredictResult;
  };
  /** Begins the use of a model by a search that applies it by itself: judges rights and limits. */
  beginPrediction: {
    body: PredictBegin;
    reply: PredictBegun;
  };
  /** Ends such a use, once, and records it. */
  endPrediction: {
    body: PredictEnd;
    reply: PredictEnded;
  };
  /** An MCP server with the tools of all MCP connections that the caller may read. */
  serveMcp: {
    body: McpMessage;
    reply: McpAnswer;
  };
  /** An MCP server with the tools of one MCP connection, by their own names. */
  serveMcpConnection: {
    params: {
      /** Name of the MCP connection */
      connection: string;
    };
    body: McpMessage;
    reply: McpAnswer;
  };
  /** Calls a tool of an MCP connection, at most once. */
  callTool: {
    body: ToolCallRequest;
    reply: ToolCallReply;
  };
  /** Calls a search tool: searches the platform as the caller. */
  callSearchTool: {
    body: SearchCallRequest;
    reply: SearchCallReply;
  };
  /** Many small uses in one request. */
  runBatch: {
    body: BatchRequest;
    reply: BatchResult;
  };
  /** Starts a run of an agent or of a definition, or the runs of an alert. */
  startRun: {
    body: RunRequest;
    reply: RunStartReply;
  };
  /** Runs that the caller may read, newest first. */
  listRuns: {
    query?: {
      /** Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset. (default 30) */
      count?: number;
      /** Entries to skip (default 0) */
      offset?: number;
      /** Field to sort by (default started_at) */
      sort_key?: "started_at";
      /** Sort order (default desc) */
      sort_dir?: SortDirection;
      /** Only entries with this text in name, title or description, case-insensitive */
      search?: string;
      /** Only runs of this agent */
      agent?: string;
      /** State of the run */
      state?: RunState;
      /** Only runs of this user */
      user?: string;
      /** Only runs that alerts of this saved search started */
      search_name?: string;
      /** Only runs whose steps are taken so */
      worker?: RunRequestWorker;
      /** Only runs that began from this time on: epoch seconds or an ISO 8601 date */
      earliest?: string;
      /** Only runs that began before this time: epoch seconds or an ISO 8601 date */
      latest?: string;
    };
    reply: RunListReply;
  };
  /** One run with its steps; waits for its end, if asked to. */
  getRun: {
    params: {
      /** Id of the run */
      run_id: string;
    };
    query?: {
      /** Wait so many seconds until the run ends or waits for approval (default 0) */
      wait_s?: number;
    };
    reply: RunReply;
  };
  /** Takes the next step of a run. */
  stepRun: {
    params: {
      /** Id of the run */
      run_id: string;
    };
    body?: Record<string, JsonValue>;
    reply: RunStepReply;
  };
  /** Decides about a call of a run that waits for approval. */
  approveRun: {
    params: {
      /** Id of the run */
      run_id: string;
    };
    body: RunDecision;
    reply: RunReply;
  };
  /** Cancels a run; a call under way is not awaited. */
  cancelRun: {
    params: {
      /** Id of the run */
      run_id: string;
    };
    body?: Record<string, JsonValue>;
    reply: RunReply;
  };
}

/** Method and path template of each operation. */
export const operations = {
  listMcpConnections: { method: 'GET', path: '/ml/mcp_connection' },
  createMcpConnection: { method: 'POST', path: '/ml/mcp_connection' },
  updateMcpConnection: { method: 'PUT', path: '/ml/mcp_connection' },
  getMcpConnection: { method: 'GET', path: '/ml/mcp_connection/{name}' },
  deleteMcpConnection: { method: 'DELETE', path: '/ml/mcp_connection/{name}' },
  testMcpConnection: { method: 'POST', path: '/ml/mcp_connection/test' },
  listMcpTools: { method: 'POST', path: '/ml/mcp_connection/tools' },
  acceptMcpTools: { method: 'POST', path: '/ml/mcp_connection/accept_tools' },
  listLlmConfigurations: { method: 'GET', path: '/ml/aicommander' },
  saveLlmConfiguration: { method: 'POST', path: '/ml/aicommander' },
  getLlmConfiguration: { method: 'GET', path: '/ml/aicommander/{service}/{connection_name}/{model}' },
  deleteLlmConfiguration: { method: 'DELETE', path: '/ml/aicommander/{service}/{connection_name}/{model}' },
  getLlmCatalogue: { method: 'GET', path: '/ml/aicommander_metadata' },
  actOnLlmProvider: { method: 'POST', path: '/ml/aicommander_metadata' },
  saveContainerConnection: { method: 'POST', path: '/ml/container_connection' },
  listContainerConnections: { method: 'GET', path: '/ml/container_connection/{container_type}' },
  getContainerConnection: { method: 'GET', path: '/ml/container_connection/{container_type}/{connection_name}' },
  deleteContainerConnection: { method: 'DELETE', path: '/ml/container_connection/{container_type}/{connection_name}' },
  testContainerConnection: { method: 'POST', path: '/ml/test_container_connection' },
  listTestedConnections: { method: 'GET', path: '/ml/test_container_connection' },
  getContainerData: { method: 'GET', path: '/ml/container_data' },
  readContainerLogs: { method: 'GET', path: '/ml/container_logs' },
  getContainerLogs: { method: 'POST', path: '/ml/container_logs' },
  startContainer: { method: 'POST', path: '/ml/start_container' },
  getStartForm: { method: 'GET', path: '/ml/start_container' },
  deleteContainer: { method: 'DELETE', path: '/ml/start_container/{model_name}' },
  stopContainer: { method: 'POST', path: '/ml/stop_container' },
  getImageCatalog: { method: 'GET', path: '/ml/stop_container' },
  listAgents: { method: 'GET', path: '/ml/agents' },
  createAgent: { method: 'POST', path: '/ml/agents' },
  updateAgent: { method: 'PUT', path: '/ml/agents' },
  getAgent: { method: 'GET', path: '/ml/agents/{agent_name}' },
  deleteAgent: { method: 'DELETE', path: '/ml/agents/{agent_name}' },
  retryAgent: { method: 'POST', path: '/ml/agents/{agent_name}/retry' },
  followAgent: { method: 'POST', path: '/ml/agents/{agent_name}/status' },
  getFeatureFlags: { method: 'GET', path: '/ml/ml_feature_flags' },
  getAgentFeatureFlag: { method: 'GET', path: '/ml/agent_feature_flag' },
  getCtsmFeature: { method: 'GET', path: '/ml/ctsm_feature' },
  setCtsmFeature: { method: 'POST', path: '/ml/ctsm_feature' },
  acknowledgeCtsm: { method: 'POST', path: '/ml/ctsm_acknowledge' },
  listExperiments: { method: 'GET', path: '/ml/experiments' },
  createExperiment: { method: 'POST', path: '/ml/experiments' },
  getExperiment: { method: 'GET', path: '/ml/experiments/{experiment_id}' },
  updateExperiment: { method: 'POST', path: '/ml/experiments/{experiment_id}' },
  deleteExperiment: { method: 'DELETE', path: '/ml/experiments/{experiment_id}' },
  listExperimentHistory: { method: 'GET', path: '/ml/experiments/{experiment_id}/history' },
  addExperimentHistory: { method: 'POST', path: '/ml/experiments/{experiment_id}/history' },
  cloneExperimentModels: { method: 'POST', path: '/ml/experiments/{experiment_id}/clone_models' },
  listVectorStores: { method: 'GET', path: '/ml/vector_stores' },
  createVectorStore: { method: 'POST', path: '/ml/vector_stores' },
  updateVectorStore: { method: 'PUT', path: '/ml/vector_stores' },
  getVectorStore: { method: 'GET', path: '/ml/vector_stores/{name}' },
  deleteVectorStore: { method: 'DELETE', path: '/ml/vector_stores/{name}' },
  testVectorStore: { method: 'POST', path: '/ml/vector_stores/test' },
  getRegistration: { method: 'GET', path: '/ml/register_model' },
  registerModel: { method: 'POST', path: '/ml/register_model' },
  updateRegistration: { method: 'PUT', path: '/ml/register_model' },
  deleteRegistration: { method: 'DELETE', path: '/ml/register_model' },
  listModelAliases: { method: 'GET', path: '/ml/model_aliases' },
  createModelAlias: { method: 'POST', path: '/ml/model_aliases' },
  updateModelAlias: { method: 'PUT', path: '/ml/model_aliases' },
  getModelAlias: { method: 'GET', path: '/ml/model_aliases/{name}' },
  deleteModelAlias: { method: 'DELETE', path: '/ml/model_aliases/{name}' },
  listUsageLimits: { method: 'GET', path: '/ml/usage_limits' },
  createUsageLimit: { method: 'POST', path: '/ml/usage_limits' },
  updateUsageLimit: { method: 'PUT', path: '/ml/usage_limits' },
  getOwnUsageLimits: { method: 'GET', path: '/ml/usage_limits/status' },
  getUsageLimit: { method: 'GET', path: '/ml/usage_limits/{name}' },
  deleteUsageLimit: { method: 'DELETE', path: '/ml/usage_limits/{name}' },
  listSearchTools: { method: 'GET', path: '/ml/search_tools' },
  createSearchTool: { method: 'POST', path: '/ml/search_tools' },
  updateSearchTool: { method: 'PUT', path: '/ml/search_tools' },
  getSearchTool: { method: 'GET', path: '/ml/search_tools/{name}' },
  deleteSearchTool: { method: 'DELETE', path: '/ml/search_tools/{name}' },
  testSearchTool: { method: 'POST', path: '/ml/search_tools/test' },
  listMaskingPolicies: { method: 'GET', path: '/ml/masking_policies' },
  createMaskingPolicy: { method: 'POST', path: '/ml/masking_policies' },
  updateMaskingPolicy: { method: 'PUT', path: '/ml/masking_policies' },
  getMaskingPolicy: { method: 'GET', path: '/ml/masking_policies/{name}' },
  deleteMaskingPolicy: { method: 'DELETE', path: '/ml/masking_policies/{name}' },
  previewMaskingPolicy: { method: 'POST', path: '/ml/masking_policies/preview' },
  listConnections: { method: 'GET', path: '/ml/list_connections' },
  listConnectionHealth: { method: 'GET', path: '/ml/connection_health' },
  checkConnectionHealth: { method: 'POST', path: '/ml/connection_health/check' },
  listModels: { method: 'GET', path: '/ml/list_models' },
  uploadModel: { method: 'POST', path: '/ml/upload_model' },
  deleteModel: { method: 'DELETE', path: '/ml/list_models/{model_name}' },
  listAudit: { method: 'GET', path: '/ml/audit' },
  getAuditEntry: { method: 'GET', path: '/ml/audit/{audit_id}' },
  getUsage: { method: 'GET', path: '/ml/usage' },
  exportConfiguration: { method: 'GET', path: '/ml/export' },
  importConfiguration: { method: 'POST', path: '/ml/import' },
  getHealth: { method: 'GET', path: '/ml/health' },
  getOpenApi: { method: 'GET', path: '/ml/openapi' },
  createChatCompletion: { method: 'POST', path: '/ai_gateway/v1/chat/completions' },
  createResponse: { method: 'POST', path: '/ai_gateway/v1/responses' },
  createMessage: { method: 'POST', path: '/ai_gateway/v1/messages' },
  countMessageTokens: { method: 'POST', path: '/ai_gateway/v1/messages/count_tokens' },
  createEmbedding: { method: 'POST', path: '/ai_gateway/v1/embeddings' },
  probeGateway: { method: 'GET', path: '/ai_gateway' },
  probeGatewayApi: { method: 'GET', path: '/ai_gateway/v1' },
  listGatewayModels: { method: 'GET', path: '/ai_gateway/v1/models' },
  getGatewayModel: { method: 'GET', path: '/ai_gateway/v1/models/{model}' },
  indexDocuments: { method: 'POST', path: '/ai_gateway/index' },
  listDocuments: { method: 'GET', path: '/ai_gateway/index' },
  deleteDocuments: { method: 'POST', path: '/ai_gateway/index/delete' },
  retrievePassages: { method: 'POST', path: '/ai_gateway/retrieve' },
  predict: { method: 'POST', path: '/ai_gateway/predict' },
  beginPrediction: { method: 'POST', path: '/ai_gateway/predict/begin' },
  endPrediction: { method: 'POST', path: '/ai_gateway/predict/end' },
  serveMcp: { method: 'POST', path: '/ai_gateway/mcp' },
  serveMcpConnection: { method: 'POST', path: '/ai_gateway/mcp/{connection}' },
  callTool: { method: 'POST', path: '/ai_gateway/tools/call' },
  callSearchTool: { method: 'POST', path: '/ai_gateway/search' },
  runBatch: { method: 'POST', path: '/ai_gateway/batch' },
  startRun: { method: 'POST', path: '/ai_gateway/runs' },
  listRuns: { method: 'GET', path: '/ai_gateway/runs' },
  getRun: { method: 'GET', path: '/ai_gateway/runs/{run_id}' },
  stepRun: { method: 'POST', path: '/ai_gateway/runs/{run_id}/step' },
  approveRun: { method: 'POST', path: '/ai_gateway/runs/{run_id}/approve' },
  cancelRun: { method: 'POST', path: '/ai_gateway/runs/{run_id}/cancel' },
} as const satisfies Record<keyof Operations, { method: string; path: string }>;
