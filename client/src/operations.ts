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
  CloneExperimentModelsReply,
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
  CreateExperimentReply,
  CtsmReply,
  DeleteContainerConnectionReply,
  DeleteExperimentReply,
  DeleteModelReply,
  DeleteRegistrationReply,
  ExperimentCreate,
  ExperimentReply,
  ExperimentStatus,
  ExperimentType,
  ExperimentUpdate,
  GetAgentFeatureFlagReply,
  GetAgentReply,
  GetContainerDataReply,
  GetContainerLogsReply,
  GetFeatureFlagsReply,
  GetHealthReply,
  GetImageCatalogReply,
  GetStartFormReply,
  HistoryEntryInput,
  ListAgentsReply,
  ListAgentsSortKey,
  ListConnectionsReply,
  ListConnectionsSortKey,
  ListContainerConnectionsSortKey,
  ListExperimentHistoryAction,
  ListExperimentHistoryReply,
  ListExperimentsReply,
  ListExperimentsSortKey,
  ListLlmConfigurationsReply,
  ListLlmConfigurationsSortKey,
  ListMcpConnectionsSortKey,
  ListModelsReply,
  ListModelsSortKey,
  ListModelsType,
  ListTestedConnectionsReply,
  ListVectorStoresSortKey,
  LlmAction,
  LlmActionResult,
  LlmCatalogueReply,
  LlmConfigurationInput,
  LlmConfigurationReply,
  LlmIdentity,
  LlmService,
  McpConnectionCreate,
  McpConnectionList,
  McpConnectionReply,
  McpConnectionTest,
  McpConnectionTestReply,
  McpConnectionUpdate,
  McpToolList,
  ModelClones,
  ModelSharing,
  ModelUpload,
  NameReply,
  Outcome,
  ReadContainerLogsReply,
  RegisteredModelCreate,
  RegisteredModelReply,
  RegisteredModelTestReply,
  RegisteredModelUpdate,
  SaveLlmConfigurationReply,
  SetCtsmFeatureInput,
  SortDirection,
  StartContainerReply,
  UploadModelReply,
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
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to skip. Default 0. */
      offset?: number;
      /** Default name. */
      sort_key?: ListMcpConnectionsSortKey;
      /** Default asc. */
      sort_dir?: SortDirection;
      /** Case-insensitive part of name, title or description. */
      search?: string;
      /** Unique name, compared without regard to case. */
      name?: string;
    };
    reply: McpConnectionList;
  };
  /** Create an MCP connection. */
  createMcpConnection: {
    body: McpConnectionCreate;
    reply: McpConnectionReply;
  };
  /** Change an MCP connection: name and any subset of its fields. */
  updateMcpConnection: {
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: McpConnectionUpdate;
    reply: McpConnectionReply;
  };
  /** One MCP connection. */
  getMcpConnection: {
    params: {
      /** Unique name, compared without regard to case. */
      name: string;
    };
    reply: McpConnectionReply;
  };
  /** Delete an MCP connection and its secrets. */
  deleteMcpConnection: {
    params: {
      /** Unique name, compared without regard to case. */
      name: string;
    };
    query?: {
      /** Delete it even if agents use it */
      force?: boolean;
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
  /** LLM configurations, secrets masked. */
  listLlmConfigurations: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to skip. Default 0. */
      offset?: number;
      /** Default service. */
      sort_key?: ListLlmConfigurationsSortKey;
      /** Default asc. */
      sort_dir?: SortDirection;
      /** Case-insensitive part of name, title or description. */
      search?: string;
      /** The kind of provider */
      service?: LlmService;
      /** Free-form name, compared without regard to case; the first spelling stays. */
      connection_name?: string;
    };
    reply: ListLlmConfigurationsReply;
  };
  /** Create or replace an LLM configuration; settings and secrets of its connection change for all its models. */
  saveLlmConfiguration: {
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: LlmConfigurationInput;
    reply: SaveLlmConfigurationReply;
  };
  /** One LLM configuration; the model is the entire rest of the path. */
  getLlmConfiguration: {
    params: {
      /** The kind of provider */
      service: LlmService;
      /** Free-form name, compared without regard to case; the first spelling stays. */
      connection_name: string;
      /** The provider's model id, compared exactly; it may hold / and :. */
      model: string;
    };
    reply: LlmConfigurationReply;
  };
  /** Delete an LLM configuration; with a connection's last one, its secrets are deleted too. */
  deleteLlmConfiguration: {
    params: {
      /** The kind of provider */
      service: LlmService;
      /** Free-form name, compared without regard to case; the first spelling stays. */
      connection_name: string;
      /** The provider's model id, compared exactly; it may hold / and :. */
      model: string;
    };
    query?: {
      /** Delete it even if agents use it */
      force?: boolean;
      version?: number;
    };
    ifMatch?: number;
    reply: LlmIdentity;
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
      /** As is_edit of the body */
      is_edit?: boolean;
      /** Point to another engine although containers are running on the present one */
      force?: boolean;
      version?: number;
    };
    ifMatch?: number;
    body: ContainerConnectionInputPayload;
    reply: ContainerConnectionSaved;
  };
  /** Container connections of one type; with name=, one of them. */
  listContainerConnections: {
    params: {
      /** docker or kubernetes */
      container_type: ContainerType;
    };
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to skip. Default 0. */
      offset?: number;
      /** Default connection_name. */
      sort_key?: ListContainerConnectionsSortKey;
      /** Default asc. */
      sort_dir?: SortDirection;
      /** Case-insensitive part of name, title or description. */
      search?: string;
      /** Unique name, compared without regard to case. */
      name?: string;
    };
    reply: ContainerConnectionList;
  };
  /** One container connection. */
  getContainerConnection: {
    params: {
      /** docker or kubernetes */
      container_type: ContainerType;
      /** Unique name, compared without regard to case. */
      connection_name: string;
    };
    reply: ContainerConnectionReply;
  };
  /** Delete a container connection and its secrets. */
  deleteContainerConnection: {
    params: {
      /** docker or kubernetes */
      container_type: ContainerType;
      /** Unique name, compared without regard to case. */
      connection_name: string;
    };
    query?: {
      version?: number;
    };
    ifMatch?: number;
    reply: DeleteContainerConnectionReply;
  };
  /** Verify a container connection with its engine, then save it. */
  testContainerConnection: {
    query?: {
      /** As is_edit of the body */
      is_edit?: boolean;
      /** Point to another engine although containers are running on the present one */
      force?: boolean;
      version?: number;
    };
    ifMatch?: number;
    body: ContainerConnectionInputPayload;
    reply: ContainerConnectionSaved;
  };
  /** The last test of each container connection. */
  listTestedConnections: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to skip. Default 0. */
      offset?: number;
      /** Default connection_name. */
      sort_key?: ListContainerConnectionsSortKey;
      /** Default asc. */
      sort_dir?: SortDirection;
      /** Case-insensitive part of name, title or description. */
      search?: string;
    };
    reply: ListTestedConnectionsReply;
  };
  /** Runtime records, after asking every engine and every application; with model=, one of them. */
  getContainerData: {
    query?: {
      /** Name of the model */
      model?: string;
    };
    reply: GetContainerDataReply;
  };
  /** Containers that have a log; with model=, the log of one. */
  readContainerLogs: {
    query?: {
      /** Name of the model */
      model?: string;
      tail?: string;
      since?: string;
      previous?: string;
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
      /** Name of the model */
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
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to skip. Default 0. */
      offset?: number;
      /** Default name. */
      sort_key?: ListAgentsSortKey;
      /** Default asc. */
      sort_dir?: SortDirection;
      /** Case-insensitive part of name, title or description. */
      search?: string;
      /** Unique name, compared without regard to case; also the name of the runtime. */
      name?: string;
    };
    reply: ListAgentsReply;
  };
  /** Create an agent and request its runtime; a search follows the creation. */
  createAgent: {
    body: AgentCreate;
    reply: AgentStarted;
  };
  /** Change an agent: name and any subset of its fields; applies from its next run on. */
  updateAgent: {
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: AgentUpdate;
    reply: AgentReply;
  };
  /** One agent: its keys at top level and under config. */
  getAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime. */
      agent_name: string;
    };
    reply: GetAgentReply;
  };
  /** Delete an agent and its runtime; a search follows the deletion. */
  deleteAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime. */
      agent_name: string;
    };
    query?: {
      version?: number;
    };
    ifMatch?: number;
    reply: AgentDeleting;
  };
  /** Request the runtime again for an agent whose creation failed. */
  retryAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime. */
      agent_name: string;
    };
    query?: {
      version?: number;
    };
    ifMatch?: number;
    reply: AgentStarted;
  };
  /** One step of following a creation or deletion: asks the cloud, unless that was just done, and records what it learns. */
  followAgent: {
    params: {
      /** Unique name, compared without regard to case; also the name of the runtime. */
      agent_name: string;
    };
    body: AgentFollow;
    reply: AgentProgress;
  };
  /** Feature flags and where each value comes from. */
  getFeatureFlags: {
    reply: GetFeatureFlagsReply;
  };
  /** Whether the agent builder is on. */
  getAgentFeatureFlag: {
    reply: GetAgentFeatureFlagReply;
  };
  /** What the caller has decided about curated time series models. */
  getCtsmFeature: {
    reply: CtsmReply;
  };
  /** Opt out of curated time series models, or back in; only for the caller. */
  setCtsmFeature: {
    body: SetCtsmFeatureInput;
    reply: CtsmReply;
  };
  /** Acknowledge the prompt about curated time series models; only for the caller. Doing so again changes nothing. */
  acknowledgeCtsm: {
    body?: AcknowledgeCtsmInput;
    reply: CtsmReply;
  };
  /** Experiments the caller may read; stages only with detail=true. */
  listExperiments: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to skip. Default 0. */
      offset?: number;
      /** Default title. */
      sort_key?: ListExperimentsSortKey;
      /** Default asc. */
      sort_dir?: SortDirection;
      /** Case-insensitive part of name, title or description. */
      search?: string;
      type?: ExperimentType;
      owner?: string;
      status?: ExperimentStatus;
      /** With the stages. Default false. */
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
      /** UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    reply: ExperimentReply;
  };
  /** Change an experiment: any subset of its fields. Objects merge, arrays are replaced, null unsets. */
  updateExperiment: {
    params: {
      /** UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: ExperimentUpdate;
    reply: ExperimentReply;
  };
  /** Delete an experiment, its history, and the models whose names contain its id. */
  deleteExperiment: {
    params: {
      /** UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    query?: {
      /** Keep its models. Default false. */
      keep_models?: boolean;
      version?: number;
    };
    ifMatch?: number;
    reply: DeleteExperimentReply;
  };
  /** Runs and changes of an experiment, newest first; the newest 1,000 are kept. */
  listExperimentHistory: {
    params: {
      /** UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to skip. Default 0. */
      offset?: number;
      /** Default timestamp. */
      sort_key?: "timestamp";
      /** Default desc. */
      sort_dir?: SortDirection;
      /** Case-insensitive part of message, user or action. */
      search?: string;
      action?: ListExperimentHistoryAction;
      status?: Outcome;
      /** Epoch seconds or an ISO 8601 date */
      earliest?: string;
      /** Epoch seconds or an ISO 8601 date */
      latest?: string;
    };
    reply: ListExperimentHistoryReply;
  };
  /** Add an entry to the history of an experiment; the server sets time and user. */
  addExperimentHistory: {
    params: {
      /** UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    body: HistoryEntryInput;
    reply: AddExperimentHistoryReply;
  };
  /** Copy models of an experiment under other names; what was copied stays, whatever happens to the rest. */
  cloneExperimentModels: {
    params: {
      /** UUIDv4 without dashes, assigned by the server */
      experiment_id: string;
    };
    body?: ModelClones;
    reply: CloneExperimentModelsReply;
  };
  /** Vector stores the caller may read; with name=, one of them. */
  listVectorStores: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to skip. Default 0. */
      offset?: number;
      /** Default name. */
      sort_key?: ListVectorStoresSortKey;
      /** Default asc. */
      sort_dir?: SortDirection;
      /** Case-insensitive part of name, title or description. */
      search?: string;
      /** Unique name, compared without regard to case. */
      name?: string;
    };
    reply: VectorStoreList;
  };
  /** Create a vector store connection. */
  createVectorStore: {
    body: VectorStoreCreate;
    reply: VectorStoreReply;
  };
  /** Change a vector store: name and any subset of its fields. */
  updateVectorStore: {
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: VectorStoreUpdate;
    reply: VectorStoreReply;
  };
  /** One vector store. */
  getVectorStore: {
    params: {
      /** Unique name, compared without regard to case. */
      name: string;
    };
    reply: VectorStoreReply;
  };
  /** Delete a vector store connection and its secret; the knowledge base itself stays. */
  deleteVectorStore: {
    params: {
      /** Unique name, compared without regard to case. */
      name: string;
    };
    query?: {
      /** Delete it even if agents use it */
      force?: boolean;
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
    query?: {
      /** Unique name, compared without regard to case. */
      model_name: string;
    };
    reply: RegisteredModelReply;
  };
  /** Register a cloud model whose endpoint is in service; with test_connection=1, only ask for its state. */
  registerModel: {
    query?: {
      /** 1 or true: describe the endpoint and store nothing. 0, false or empty: register. */
      test_connection?: string;
    };
    body: RegisteredModelCreate;
    reply: RegisteredModelTestReply;
  };
  /** Change a registration: model_name and any subset of its fields. A new endpoint has to be in service. */
  updateRegistration: {
    query?: {
      version?: number;
    };
    ifMatch?: number;
    body: RegisteredModelUpdate;
    reply: RegisteredModelReply;
  };
  /** Delete a registration and its secret; the endpoint itself stays. */
  deleteRegistration: {
    query?: {
      /** Unique name, compared without regard to case. */
      model_name: string;
      version?: number;
    };
    ifMatch?: number;
    reply: DeleteRegistrationReply;
  };
  /** LLM, Docker and Kubernetes connections of the families that the caller may read: all of them, or pages with count=. */
  listConnections: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to skip. Default 0. */
      offset?: number;
      /** Default connection_type. */
      sort_key?: ListConnectionsSortKey;
      /** Default asc. */
      sort_dir?: SortDirection;
      /** Case-insensitive part of name, title or description. */
      search?: string;
    };
    reply: ListConnectionsReply;
  };
  /** Models of the platform and registered cloud models that the caller may read. */
  listModels: {
    query?: {
      /** Page size; 0 = all. Default 30. */
      count?: number;
      /** Entries to skip. Default 0. */
      offset?: number;
      /** Default name. */
      sort_key?: ListModelsSortKey;
      /** Default asc. */
      sort_dir?: SortDirection;
      /** Case-insensitive part of name, title or description. */
      search?: string;
      type?: ListModelsType;
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
      /** Name of the model; its lookup file is __mlspl_<name>.onnx. */
      model_name: string;
    };
    query?: {
      sharing?: ModelSharing;
    };
    reply: DeleteModelReply;
  };
  /** Version of the app and state of what it depends on. */
  getHealth: {
    reply: GetHealthReply;
  };
  /** This interface as an OpenAPI 3.1 document. */
  getOpenApi: {
    reply: Record<string, unknown>;
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
  listConnections: { method: 'GET', path: '/ml/list_connections' },
  listModels: { method: 'GET', path: '/ml/list_models' },
  uploadModel: { method: 'POST', path: '/ml/upload_model' },
  deleteModel: { method: 'DELETE', path: '/ml/list_models/{model_name}' },
  getHealth: { method: 'GET', path: '/ml/health' },
  getOpenApi: { method: 'GET', path: '/ml/openapi' },
} as const satisfies Record<keyof Operations, { method: string; path: string }>;
