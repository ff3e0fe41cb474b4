// Generated from the OpenAPI document (npm run generate). Do not edit.

/** acl_denied: The caller may read the record, but not change it (or not its access list). feature_disabled: The feature flag of this family is off. missing_capability: The caller lacks a capability; `required` names those that this call needs. */
export type AccessDeniedFailure = FailureCommon & {
  error_code: "acl_denied" | "feature_disabled" | "missing_capability";
};

export type AcknowledgeCtsmInput = {
  acknowledge?: true;
};

export type Acl = {
  owner: string;
  sharing: AclSharing;
  perms: AclPerms;
};

/** Who may read and write the record; `*` = everyone. Default: only the creator. */
export type AclInput = {
  owner?: string;
  sharing?: AclSharing;
  perms?: AclInputPerms;
};

export type AclInputPerms = {
  /** Existing roles that may read, or * */
  read?: Array<string>;
  /** Existing roles that may read and write, or * */
  write?: Array<string>;
};

export type AclPerms = {
  read: Array<string>;
  write: Array<string>;
};

export type AclSharing = "user" | "app" | "global";

export type AddExperimentHistoryReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  history_id: string;
  config: HistoryEntry;
};

export type Agent = {
  name: string;
  description: string;
  is_enabled: boolean;
  /** The cloud service that runs the agent */
  runtime_type: "CLOUD_AGENT_CORE";
  state: AgentState;
  /** Why it is in this state, or the last problem */
  state_reason?: string;
  llm?: AgentLlm;
  system_prompt: string;
  task_prompt: string;
  mcps: Array<AgentMcp>;
  knowledge_bases: Array<string>;
  agent_timeout: number;
  acl: Acl;
  versions: Array<AgentVersion>;
  tracking: AgentTracking;
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  last_updated_by: string;
};

export type AgentCreate = {
  /** Unique name, compared without regard to case; also the name of the runtime. */
  name: string;
  description?: string | null;
  /** The cloud service that runs the agent */
  runtime_type?: "CLOUD_AGENT_CORE";
  system_prompt?: string | null;
  task_prompt?: string | null;
  llm?: AgentLlm | null;
  mcps?: Array<AgentMcpInput> | null;
  knowledge_bases?: Array<string> | null;
  /** Seconds that one run may take. Default 450. */
  agent_timeout?: number;
  /** Default true */
  is_enabled?: boolean;
  acl?: AclInput;
};

export type AgentDeleting = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  agent_name: string;
  state: AgentLastState;
  agent_status: "DELETING";
  /** The search that follows it; null if none was started */
  tracking_job_id: string | null;
};

export type AgentFollow = {
  action: AgentTrackingAction;
  /** For a monitor that polls repeatedly: its longest wait, in seconds. The cloud is asked if the last poll is older than the wait that results from this; otherwise the reply comes from the record. Without it, a poll within the last 0.8 seconds is recent enough. */
  interval?: number;
};

export type AgentLastState = "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed" | "Deleted";

/** The saved LLM configuration that the agent thinks with */
export type AgentLlm = {
  service: string;
  connection_name: string;
  model: string;
  max_tokens?: number;
  response_variability?: number;
};

export type AgentMcp = {
  name: string;
  tools: Array<string>;
};

export type AgentMcpInput = {
  /** Unique name, compared without regard to case. */
  name: string;
  /** Names of tools; if none are given, every tool that the connection allows */
  tools?: Array<string>;
};

export type AgentProgress = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  agent_name: string;
  action: string;
  state: AgentLastState;
  previous_state: AgentLastState;
  runtime_id: string;
  /** The cloud's own word for it */
  runtime_status: string;
  attempt: number;
  /** Since the action started */
  elapsed_ms: number;
  done: number;
  /** Empty until done */
  outcome: AgentProgressOutcome;
  /** Empty when all is well */
  error_code: string;
};

export type AgentProgressOutcome = "" | "success" | "fail";

export type AgentReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  config: Agent;
};

export type AgentStarted = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  agent_name: string;
  /** The cloud service that runs the agent */
  runtime_type: "CLOUD_AGENT_CORE";
  state: AgentState;
  /** The search that follows it; null if none was started */
  tracking_job_id: string | null;
};

export type AgentState = "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed";

export type AgentTracking = {
  /** The search that follows the action */
  job_id: string | null;
  action: AgentTrackingAction;
  /** epoch seconds with a fraction */
  started_at: number;
  last_polled_at: number | null;
  /** Polls of the cloud since it started */
  attempts: number;
};

export type AgentTrackingAction = "create" | "delete";

export type AgentUpdate = {
  /** Unique name, compared without regard to case; also the name of the runtime. */
  name: string;
  description?: string | null;
  /** The cloud service that runs the agent */
  runtime_type?: "CLOUD_AGENT_CORE";
  system_prompt?: string | null;
  task_prompt?: string | null;
  llm?: AgentLlm | null;
  mcps?: Array<AgentMcpInput> | null;
  knowledge_bases?: Array<string> | null;
  /** Seconds that one run may take. Default 450. */
  agent_timeout?: number;
  /** Default true */
  is_enabled?: boolean;
  acl?: AclInput;
  /** Condition: the version that this change is based on. */
  version?: number;
};

export type AgentVersion = {
  version: number;
  state: AgentState;
  llm?: AgentLlm;
  system_prompt: string;
  task_prompt: string;
  tools: AgentVersionTools;
  agent_timeout: number;
  runtime_params: AgentVersionRuntimeParams;
};

export type AgentVersionRuntimeParams = {
  runtime_id: string | null;
  runtime_arn?: string;
  runtime_version?: string;
};

export type AgentVersionTools = {
  mcps: Array<AgentMcp>;
  knowledge_bases: Array<string>;
};

/** already_exists: The object already exists. */
export type AlreadyExistsFailure = FailureCommon & {
  error_code: "already_exists";
};

/** already_running: The model is already running. invalid_state: The record is in a state that does not allow this. */
export type CannotStartFailure = FailureCommon & {
  error_code: "already_running" | "invalid_state";
};

export type CloneExperimentModelsReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  result: Array<ModelCloneResult>;
};

export type CloudCredentialsInput = {
  /** AWS region of the endpoint; required to register */
  region?: string;
  access_key_id?: string | null;
  /** Secret access key */
  secret_access_key?: string | null;
  role_arn?: string | null;
};

/** duplicate_name: The name is taken (case does not count), perhaps by a record that the caller may not read. in_use: Something uses this record: `used_by` names the agents, or the models whose containers run through a connection. version_conflict: The record has changed since it was read; `current_version` is its version now. */
export type ConnectionConflictFailure = FailureCommon & {
  error_code: "duplicate_name" | "in_use" | "version_conflict";
};

export type Container = {
  id: string;
  mode: string;
  cluster: string;
  api_url: string;
  api_url_external: string;
  jupyter_url: string;
  tensorboard_url: string;
  mlflow_url: string;
  spark_url: string;
  status: string;
  min_cpu: string;
  max_cpu: string;
  min_memory: string;
  max_memory: string;
  min_replicas: string;
  max_replicas: string;
  cpu_threshold_percent: string;
  hpa_enabled: string;
  status_reason: string;
  status_message: string;
  status_since: string;
  probe_error: string;
  restarts: string;
  image: string;
  image_reference: string;
  runtime: string;
  connection_name: string;
  container_name: string;
};

export type ContainerConnection = {
  /** docker or kubernetes */
  container_type: ContainerType;
  connection_name: string;
  /** Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
  docker_url?: string;
  /** 'true' or 'false' (default): whether the application is told to serve https */
  container_enable_https?: string;
  /** Host at which the platform reaches containers */
  endpoint_hostname?: string;
  /** Host at which browsers reach containers */
  endpoint_hostname_external?: string;
  /** Docker network that containers join; it has to exist */
  docker_network?: string;
  /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
  docker_logging_endpoint_hostname?: string;
  /** cert-key, user-token, user-login, cloud-iam or service-account (kubernetes) */
  auth_mode?: string;
  /** Address of the cluster API */
  cluster_url?: string;
  /** CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder */
  cluster_ca?: string;
  /** Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder */
  client_cert?: string;
  /** User (user-login) */
  user_name?: string;
  /** Name of the cluster (cloud-iam) */
  cloud_cluster_name?: string;
  /** Access key id (cloud-iam); without keys, the instance's own role is used */
  cloud_access_key_id?: string;
  /** Region (cloud-iam) */
  cloud_region_name?: string;
  /** 'None' (default) or names of secrets, comma-separated */
  image_pull_secrets?: string;
  /** '1': the platform runs as a pod of the cluster; default '0' */
  in_cluster_mode?: string;
  /** Namespace; default 'default' */
  namespace?: string;
  /** Storage class of the volume for /srv */
  storage_class?: string;
  /** nodeport (default), loadbalancer or ingress */
  service_type?: string;
  /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} may be used too */
  ingress_host_pattern?: string;
  /** JSON object, as a string */
  ingress_annotations?: string;
  /** Host at which the platform reaches node ports */
  node_port_hostname_internal?: string;
  /** Host at which browsers reach node ports */
  node_port_hostname_external?: string;
  /** Whether containers export traces */
  obs_enabled?: string;
  /** OTLP endpoint */
  obs_otel_endpoint?: string;
  /** Service name of the traces */
  obs_otel_service_name?: string;
  /** Whether notebooks may search the platform */
  platform_access_enabled?: string;
  /** Host of the platform, as containers reach it */
  platform_access_host?: string;
  /** Management port of the platform */
  platform_access_port?: string;
  /** Whether notebooks may send events to the platform */
  platform_ingest_enabled?: string;
  /** Ingest endpoint, as containers reach it */
  platform_ingest_url?: string;
  /** Whether the certificate of a container has to name its host; default 'false' */
  endpoint_cert_check_hostname?: string;
  /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
  endpoint_cert_filename_or_path?: string;
  /** Token of the application; 64 random characters if omitted; ***MASKED*** when one is stored */
  api_token?: string;
  /** Hashed Jupyter password; ***MASKED*** when one is stored */
  jupyter_passwd?: string;
  /** Ingest token of the Docker log driver; ***MASKED*** when one is stored */
  docker_logging_platform_token?: string;
  /** Private key: PEM, base64 of PEM, or the path of a file in an allowed folder; ***MASKED*** when one is stored */
  client_key?: string;
  /** Bearer token (user-token); ***MASKED*** when one is stored */
  user_token?: string;
  /** Password (user-login); ***MASKED*** when one is stored */
  user_password?: string;
  /** Secret access key (cloud-iam); ***MASKED*** when one is stored */
  cloud_secret_access_key?: string;
  /** Token (service-account); ***MASKED*** when one is stored */
  service_account_token?: string;
  /** Token for the OTLP endpoint; ***MASKED*** when one is stored */
  obs_access_token?: string;
  /** Token for the platform; ***MASKED*** when one is stored */
  platform_access_token?: string;
  /** Token for the ingest endpoint; ***MASKED*** when one is stored */
  platform_ingest_token?: string;
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  last_updated_by: string;
  last_test?: LastTest;
};

export type ContainerConnectionInput = {
  /** docker or kubernetes */
  container_type: ContainerType;
  /** Unique name, compared without regard to case. */
  connection_name: string;
  /** 'true' changes the connection of this name; never stored */
  is_edit?: string | null;
  /** Condition: the version that this change is based on. */
  version?: number | string;
  /** Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
  docker_url?: string | null;
  /** 'true' or 'false' (default): whether the application is told to serve https */
  container_enable_https?: string | null;
  /** Host at which the platform reaches containers */
  endpoint_hostname?: string | null;
  /** Host at which browsers reach containers */
  endpoint_hostname_external?: string | null;
  /** Docker network that containers join; it has to exist */
  docker_network?: string | null;
  /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
  docker_logging_endpoint_hostname?: string | null;
  /** cert-key, user-token, user-login, cloud-iam or service-account (kubernetes) */
  auth_mode?: string | null;
  /** Address of the cluster API */
  cluster_url?: string | null;
  /** CA certificates: PEM, base64 of PEM, or the path of a file in an allowed folder */
  cluster_ca?: string | null;
  /** Client certificate: PEM, base64 of PEM, or the path of a file in an allowed folder */
  client_cert?: string | null;
  /** User (user-login) */
  user_name?: string | null;
  /** Name of the cluster (cloud-iam) */
  cloud_cluster_name?: string | null;
  /** Access key id (cloud-iam); without keys, the instance's own role is used */
  cloud_access_key_id?: string | null;
  /** Region (cloud-iam) */
  cloud_region_name?: string | null;
  /** 'None' (default) or names of secrets, comma-separated */
  image_pull_secrets?: string | null;
  /** '1': the platform runs as a pod of the cluster; default '0' */
  in_cluster_mode?: string | null;
  /** Namespace; default 'default' */
  namespace?: string | null;
  /** Storage class of the volume for /srv */
  storage_class?: string | null;
  /** nodeport (default), loadbalancer or ingress */
  service_type?: string | null;
  /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} may be used too */
  ingress_host_pattern?: string | null;
  /** JSON object, as a string */
  ingress_annotations?: string | null;
  /** Host at which the platform reaches node ports */
  node_port_hostname_internal?: string | null;
  /** Host at which browsers reach node ports */
  node_port_hostname_external?: string | null;
  /** Whether containers export traces */
  obs_enabled?: string | null;
  /** OTLP endpoint */
  obs_otel_endpoint?: string | null;
  /** Service name of the traces */
  obs_otel_service_name?: string | null;
  /** Whether notebooks may search the platform */
  platform_access_enabled?: string | null;
  /** Host of the platform, as containers reach it */
  platform_access_host?: string | null;
  /** Management port of the platform */
  platform_access_port?: string | null;
  /** Whether notebooks may send events to the platform */
  platform_ingest_enabled?: string | null;
  /** Ingest endpoint, as containers reach it */
  platform_ingest_url?: string | null;
  /** Whether the certificate of a container has to name its host; default 'false' */
  endpoint_cert_check_hostname?: string | null;
  /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
  endpoint_cert_filename_or_path?: string | null;
  /** Token of the application; 64 random characters if omitted */
  api_token?: string | null;
  /** Hashed Jupyter password */
  jupyter_passwd?: string | null;
  /** Ingest token of the Docker log driver */
  docker_logging_platform_token?: string | null;
  /** Private key: PEM, base64 of PEM, or the path of a file in an allowed folder */
  client_key?: string | null;
  /** Bearer token (user-token) */
  user_token?: string | null;
  /** Password (user-login) */
  user_password?: string | null;
  /** Secret access key (cloud-iam) */
  cloud_secret_access_key?: string | null;
  /** Token (service-account) */
  service_account_token?: string | null;
  /** Token for the OTLP endpoint */
  obs_access_token?: string | null;
  /** Token for the platform */
  platform_access_token?: string | null;
  /** Token for the ingest endpoint */
  platform_ingest_token?: string | null;
};

export type ContainerConnectionInputPayload = {
  payload: ContainerConnectionInput;
};

export type ContainerConnectionList = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  result?: Array<ContainerConnection>;
  pagination?: Pagination;
  config?: ContainerConnection;
};

export type ContainerConnectionReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  config: ContainerConnection;
};

export type ContainerConnectionSaved = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  updated_config: ContainerConnection;
};

export type ContainerImage = {
  label: string;
  image: string;
};

export type ContainerLogs = {
  entries: Array<ContainerLogsEntriesItem>;
};

export type ContainerLogsEntriesItem = {
  /** UTC with milliseconds, from the engine's own timestamp */
  _time: string;
  log: string;
};

export type ContainerLogsQuery = {
  /** Name of the model */
  model: string;
  /** 1 to 10000 lines across all replicas; default 1000 */
  tail?: string;
  /** ISO 8601 time (inclusive), or how many whole seconds to go back */
  since?: string;
  /** 'true': the instance before the last crash */
  previous?: string;
};

export type ContainerLogsQueryPayload = {
  payload: ContainerLogsQuery;
};

export type ContainerStart = {
  /** Key of the image catalog */
  image: string;
  /** Name of the model */
  model: string;
  /** Where it runs (default docker) */
  cluster?: ContainerStartCluster;
  /** Needed when the type has several connections */
  connection_name?: string;
  /** DEV: API and tools; PROD: only the API (default DEV) */
  mode?: ContainerStartMode;
  /** If the image allows it (default None) */
  runtime?: ContainerStartRuntime;
  /** Scale by CPU use; for kubernetes only (default 0) */
  hpa_enabled?: ContainerStartHpaEnabled;
  /** Thousandths of a CPU, such as 500m (default 500m) */
  min_cpu?: string;
  /** Thousandths of a CPU; not less than min_cpu (default 1000m) */
  max_cpu?: string;
  /** Memory, such as 512Mi or 4Gi (default 1Gi) */
  min_memory?: string;
  /** Memory; not less than min_memory (default 4Gi) */
  max_memory?: string;
  /** 1 to 100 (default 1) */
  min_replicas?: string;
  /** 1 to 100, not less than min_replicas; needed with hpa_enabled (default 1) */
  max_replicas?: string;
  /** 1 to 100; needed with hpa_enabled */
  cpu_threshold_percent?: string;
};

export type ContainerStartCluster = "" | "docker" | "kubernetes";

export type ContainerStartHpaEnabled = "" | "0" | "1" | "true" | "false";

export type ContainerStartMode = "" | "DEV" | "PROD";

export type ContainerStartPayload = {
  payload: ContainerStart;
};

export type ContainerStartRuntime = "" | "None" | "nvidia";

export type ContainerStop = {
  /** Name of the model */
  model: string;
};

export type ContainerStopPayload = {
  payload: ContainerStop;
};

export type ContainerStopped = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  model: string;
  cluster: string;
  previous_status: string;
};

export type ContainerType = "docker" | "kubernetes";

export type CreateExperimentReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  experiment_id: string;
  config: Experiment;
};

export type CtsmReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  /** The caller does not want curated time series models */
  ctsm_opt_out: boolean;
  /** The caller has acknowledged the prompt */
  ctsm_acknowledge: boolean;
  /** When first acknowledged, epoch seconds with a fraction */
  acknowledged_at?: number;
};

export type DeleteContainerConnectionReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  /** docker or kubernetes */
  container_type: ContainerType;
  connection_name: string;
};

export type DeleteExperimentReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  experiment_id: string;
  deleted_models: Array<string>;
  deleted_history: number;
};

export type DeleteModelReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  model_name: string;
  owner: string;
  sharing: AclSharing;
};

export type DeleteRegistrationReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  model_name: string;
};

/** upstream_error: The server answered with an error, with a redirect, with something that is not its protocol, or with more than 8 MiB; or the proxy refused to pass the call on. The reason, without secrets, is in the message. */
export type EngineFailedFailure = FailureCommon & {
  error_code: "upstream_error";
};

/** upstream_timeout: The container engine did not answer in time. */
export type EngineTimeoutFailure = FailureCommon & {
  error_code: "upstream_timeout";
};

/** What went wrong, for programs; docs/errors.md tells of each. */
export type ErrorCode = "kb_not_active" | "kb_not_found" | "endpoint_not_found" | "endpoint_not_in_service" | "malformed_json" | "masked_value_without_stored_secret" | "secret_required_for_new_host" | "unknown_reference" | "validation_failed" | "acl_denied" | "feature_disabled" | "missing_capability" | "not_found" | "unknown_endpoint" | "method_not_allowed" | "already_exists" | "already_running" | "duplicate_name" | "in_use" | "invalid_state" | "version_conflict" | "payload_too_large" | "rate_limited" | "internal_error" | "verification_failed" | "auth_failed" | "bad_request" | "blocked_by_policy" | "configuration_invalid" | "connection_refused" | "connection_reset" | "dns_failed" | "model_not_found" | "model_not_invokable" | "not_supported" | "permission_denied" | "quota_exceeded" | "tls_expired" | "tls_hostname_mismatch" | "tls_protocol" | "tls_untrusted" | "upstream_error" | "store_unavailable" | "timeout" | "upstream_timeout";

export type Experiment = {
  experiment_id: string;
  title: string;
  description: string;
  type: ExperimentType;
  data_source?: ExperimentDataSource;
  /** In lists only with detail=true */
  search_stages?: Array<SearchStage>;
  statistics: JsonObject;
  status: ExperimentStatus;
  /** Derived from the stages */
  models: Array<string>;
  schedule?: ExperimentSchedule;
  tags: Array<string>;
  acl: Acl;
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  last_updated_by: string;
};

export type ExperimentCreate = {
  title: string;
  type: ExperimentType;
  description?: string | null;
  data_source?: ExperimentCreateDataSource | null;
  search_stages?: Array<SearchStage> | null;
  statistics?: JsonObject | null;
  status?: ExperimentStatus;
  tags?: Array<string> | null;
  acl?: AclInput;
  schedule?: ExperimentCreateSchedule | null;
};

export type ExperimentCreateDataSource = {
  /** Default search */
  type?: ExperimentDataSourceType;
  search?: string | null;
  earliest?: string | number | null;
  latest?: string | number | null;
};

export type ExperimentCreateSchedule = {
  cron: string;
  enabled?: boolean;
};

export type ExperimentDataSource = {
  type: ExperimentDataSourceType;
  search?: string;
  /** A time as the platform takes it: relative, epoch seconds or a date */
  earliest?: string | number;
  /** A time as the platform takes it: relative, epoch seconds or a date */
  latest?: string | number;
};

export type ExperimentDataSourceType = "search" | "dataset" | "datamodel" | "metrics";

export type ExperimentReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  config: Experiment;
};

export type ExperimentSchedule = {
  cron: string;
  enabled: boolean;
};

export type ExperimentStatus = "draft" | "trained" | "published";

export type ExperimentType = "predict_numeric_fields" | "predict_categorical_fields" | "detect_numeric_outliers" | "detect_categorical_outliers" | "forecast_time_series" | "cluster_numeric_events" | "smart_forecast" | "smart_outlier_detection" | "smart_clustering" | "smart_prediction";

export type ExperimentUpdate = {
  /** UUIDv4 without dashes, assigned by the server */
  experiment_id?: string;
  title?: string;
  type?: ExperimentType;
  description?: string | null;
  data_source?: ExperimentCreateDataSource | null;
  search_stages?: Array<SearchStage> | null;
  statistics?: JsonObject | null;
  status?: ExperimentStatus;
  tags?: Array<string> | null;
  acl?: AclInput;
  schedule?: ExperimentUpdateSchedule | null;
  /** Condition: the version that this change is based on. */
  version?: number;
};

export type ExperimentUpdateSchedule = {
  cron?: string;
  enabled?: boolean;
};

/** Any failure */
export type Failure = FailureCommon & {
  error_code: ErrorCode;
};

export type FailureCommon = {
  status: "fail";
  /** For a person */
  message: string;
  /** What a person can do about this code */
  remedy: string;
  /** Also in the log */
  request_id: string;
  messages: Array<FailureMessage>;
  /** Every problem found (400) */
  errors?: Array<FieldProblem>;
  /** Capabilities of the call (missing_capability) */
  required?: Array<string>;
  /** version_conflict */
  current_version?: number;
  /** in_use */
  used_by?: Array<string>;
  /** Seconds (rate_limited) */
  retry_after?: number;
};

export type FailureMessage = {
  type: "ERROR";
  text: string;
};

/** feature_disabled: The feature flag of this family is off. */
export type FeatureDisabledFailure = FailureCommon & {
  error_code: "feature_disabled";
};

export type FieldProblem = {
  field: string;
  message: string;
};

export type FlagSource = "default" | "conf";

export type GetAgentFeatureFlagReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  agent_builder_feature_enabled: boolean;
};

export type GetAgentReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  name: string;
  description: string;
  is_enabled: boolean;
  /** The cloud service that runs the agent */
  runtime_type: "CLOUD_AGENT_CORE";
  state: AgentState;
  /** Why it is in this state, or the last problem */
  state_reason?: string;
  llm?: AgentLlm;
  system_prompt: string;
  task_prompt: string;
  mcps: Array<AgentMcp>;
  knowledge_bases: Array<string>;
  agent_timeout: number;
  acl: Acl;
  versions: Array<AgentVersion>;
  tracking: AgentTracking;
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  last_updated_by: string;
  config: Agent;
};

export type GetContainerDataReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  config: Record<string, Container>;
};

export type GetContainerLogsReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  container_logs: ContainerLogs;
};

export type GetFeatureFlagsReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  flags: GetFeatureFlagsReplyFlags;
  source: GetFeatureFlagsReplySource;
};

export type GetFeatureFlagsReplyFlags = {
  agent_builder: boolean;
  ctsm: boolean;
  vector_stores: boolean;
  mcp_connections: boolean;
  containers: boolean;
  experiments: boolean;
  llm_providers: boolean;
  model_upload: boolean;
  model_registration: boolean;
};

export type GetFeatureFlagsReplySource = {
  agent_builder: FlagSource;
  ctsm: FlagSource;
  vector_stores: FlagSource;
  mcp_connections: FlagSource;
  containers: FlagSource;
  experiments: FlagSource;
  llm_providers: FlagSource;
  model_upload: FlagSource;
  model_registration: FlagSource;
};

export type GetHealthReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  version: string;
  /** `ready`, or the state of the record store in the platform's own word */
  store: string;
  /** `ready`, or why the password storage cannot be used */
  secrets: string;
  /** The driver process that answers; the platform does not tell it about the others */
  drivers: Array<GetHealthReplyDriversItem>;
};

export type GetHealthReplyDriversItem = {
  pid: number;
  runtime: string;
  uptime_s: number;
  /** Resident set */
  memory_bytes: number;
  /** Served by this process */
  requests: number;
};

export type GetImageCatalogReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  /** Image key -> display text and image reference */
  docker_images: Record<string, ContainerImage>;
};

export type GetStartFormReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  /** Image key -> display text and image reference */
  docker_images: Record<string, ContainerImage>;
  clusters: Array<string>;
  connections: Array<GetStartFormReplyConnectionsItem>;
  runtimes: Array<string>;
  modes: Array<string>;
  defaults: Record<string, string>;
};

export type GetStartFormReplyConnectionsItem = {
  /** docker or kubernetes */
  container_type: ContainerType;
  connection_name: string;
};

export type HistoryEntry = {
  history_id: string;
  experiment_id: string;
  action: ListExperimentHistoryAction;
  /** When added, epoch seconds with a fraction; set by the server */
  timestamp: number;
  /** Who added it; set by the server */
  user: string;
  sid?: string;
  search?: string;
  models?: Array<string>;
  parameters?: JsonObject;
  statistics?: JsonObject;
  duration_ms?: number;
  status: Outcome;
  message?: string;
};

export type HistoryEntryInput = {
  action: ListExperimentHistoryAction;
  sid?: string;
  /** SPL */
  search?: string;
  models?: Array<string>;
  parameters?: JsonObject;
  statistics?: JsonObject;
  duration_ms?: number;
  /** Default success */
  status?: Outcome;
  message?: string;
};

/** in_use: Something uses this record: `used_by` names the agents, or the models whose containers run through a connection. version_conflict: The record has changed since it was read; `current_version` is its version now. */
export type InUseFailure = FailureCommon & {
  error_code: "in_use" | "version_conflict";
};

/** internal_error: A bug in this app; the log has the cause under `request_id`. */
export type InternalErrorFailure = FailureCommon & {
  error_code: "internal_error";
};

/** malformed_json: The body is not a JSON object: it is broken, empty, an array, or not UTF-8. validation_failed: Fields, parameters or headers are wrong; `errors` lists every one of them. */
export type InvalidBodyFailure = FailureCommon & {
  error_code: "malformed_json" | "validation_failed";
};

/** malformed_json: The body is not a JSON object: it is broken, empty, an array, or not UTF-8. masked_value_without_stored_secret: The mask was sent where no secret is stored. validation_failed: Fields, parameters or headers are wrong; `errors` lists every one of them. */
export type InvalidNewSecretsFailure = FailureCommon & {
  error_code: "malformed_json" | "masked_value_without_stored_secret" | "validation_failed";
};

/** validation_failed: Fields, parameters or headers are wrong; `errors` lists every one of them. */
export type InvalidParametersFailure = FailureCommon & {
  error_code: "validation_failed";
};

/** malformed_json: The body is not a JSON object: it is broken, empty, an array, or not UTF-8. unknown_reference: A connection, tool, store or model that the body names does not exist, or the caller may not read it. validation_failed: Fields, parameters or headers are wrong; `errors` lists every one of them. */
export type InvalidReferencesFailure = FailureCommon & {
  error_code: "malformed_json" | "unknown_reference" | "validation_failed";
};

/** endpoint_not_found: AWS knows no SageMaker endpoint with this name in this region and account. endpoint_not_in_service: The endpoint exists but is not in service; `endpoint_status` tells its state. malformed_json: The body is not a JSON object: it is broken, empty, an array, or not UTF-8. masked_value_without_stored_secret: The mask was sent where no secret is stored. secret_required_for_new_host: An address that secrets go to has changed, or the server there would be verified less strictly, and the request keeps a stored secret: a secret stays with the host it was saved for. validation_failed: Fields, parameters or headers are wrong; `errors` lists every one of them. */
export type InvalidRegistrationFailure = FailureCommon & {
  error_code: "endpoint_not_found" | "endpoint_not_in_service" | "malformed_json" | "masked_value_without_stored_secret" | "secret_required_for_new_host" | "validation_failed";
};

/** malformed_json: The body is not a JSON object: it is broken, empty, an array, or not UTF-8. masked_value_without_stored_secret: The mask was sent where no secret is stored. secret_required_for_new_host: An address that secrets go to has changed, or the server there would be verified less strictly, and the request keeps a stored secret: a secret stays with the host it was saved for. validation_failed: Fields, parameters or headers are wrong; `errors` lists every one of them. */
export type InvalidSecretsFailure = FailureCommon & {
  error_code: "malformed_json" | "masked_value_without_stored_secret" | "secret_required_for_new_host" | "validation_failed";
};

/** Any JSON object */
export type JsonObject = Record<string, unknown>;

export type LastTest = {
  status: Outcome;
  error_code: string | null;
  /** When tested, epoch seconds with a fraction */
  tested_at: number;
  response_time_ms: number;
};

export type ListAgentsReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  name?: string;
  description?: string;
  is_enabled?: boolean;
  /** The cloud service that runs the agent */
  runtime_type?: "CLOUD_AGENT_CORE";
  state?: AgentState;
  /** Why it is in this state, or the last problem */
  state_reason?: string;
  llm?: AgentLlm;
  system_prompt?: string;
  task_prompt?: string;
  mcps?: Array<AgentMcp>;
  knowledge_bases?: Array<string>;
  agent_timeout?: number;
  acl?: Acl;
  versions?: Array<AgentVersion>;
  tracking?: AgentTracking;
  version?: number;
  /** When created, epoch seconds with a fraction */
  created_at?: number;
  created_by?: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at?: number;
  last_updated_by?: string;
  result?: Array<Agent>;
  pagination?: Pagination;
  config?: Agent;
};

export type ListAgentsSortKey = "name" | "description" | "state" | "runtime_type" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";

export type ListConnectionsReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  result: Array<ListedConnection>;
  pagination?: Pagination;
};

export type ListConnectionsSortKey = "connection_type" | "connection_name";

export type ListContainerConnectionsSortKey = "connection_name" | "container_type" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";

export type ListExperimentHistoryAction = "create" | "update" | "train" | "scheduled_train" | "apply" | "publish" | "clone_models" | "alert" | "delete" | "note";

export type ListExperimentHistoryReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  result: Array<HistoryEntry>;
  pagination: Pagination;
};

export type ListExperimentsReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  result: Array<Experiment>;
  pagination: Pagination;
};

export type ListExperimentsSortKey = "title" | "type" | "status" | "owner" | "created_at" | "last_updated_at";

export type ListLlmConfigurationsReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  result: Array<LlmConfiguration>;
  pagination: Pagination;
};

export type ListLlmConfigurationsSortKey = "service" | "connection_name" | "model" | "created_at" | "last_updated_at";

export type ListMcpConnectionsSortKey = "name" | "type" | "description" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "auth_state" | "version";

export type ListModelsReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  result: Array<Model>;
  pagination: Pagination;
};

export type ListModelsSortKey = "name" | "type" | "owner" | "app" | "sharing" | "updated_at";

export type ListModelsType = "onnx" | "cloud" | "lookup";

export type ListTestedConnectionsReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  result: Array<TestedContainerConnection>;
  pagination: Pagination;
};

export type ListVectorStoresSortKey = "name" | "type" | "description" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "version";

export type ListedConnection = {
  connection_type: ListedConnectionConnectionType;
  /** llm: the service */
  Provider?: string;
  /** llm */
  Model?: string;
  /** llm */
  "Connection Name"?: string;
  /** docker, kubernetes */
  connection_name?: string;
  /** docker */
  docker_url?: string;
  /** docker */
  tls_enabled?: boolean;
  /** kubernetes; empty inside the cluster */
  cluster_url?: string;
};

export type ListedConnectionConnectionType = "llm" | "docker" | "kubernetes";

/** Free-form: unknown fields are kept; strings in those that look like credentials are treated as secrets. */
export type LlmAction = {
  /** Default test */
  action?: LlmActionAction;
  /** chat (default) asks the model; list asks for the list of models, which is free of charge */
  probe?: LlmActionProbe;
  /** The kind of provider */
  service: LlmService;
  /** Free-form name, compared without regard to case; the first spelling stays. */
  connection_name?: string;
  /** The provider's model id, compared exactly; it may hold / and :. */
  model?: string;
  servicesettings?: LlmServiceSettings;
  modelsettings?: LlmModelSettings;
  /** false = a draft; default true */
  is_saved?: boolean;
  /** false = a draft; default true */
  is_model_saved?: boolean;
};

export type LlmActionAction = "test" | "refresh_models";

export type LlmActionProbe = "chat" | "list";

export type LlmActionResult = {
  status: Outcome;
  message?: string;
  error_code?: ErrorCode;
  /** What a person can do about this code */
  remedy?: string;
  warnings?: Array<string>;
  success: boolean;
  /** The service in lower case */
  provider?: string;
  /** The kind of provider */
  service: LlmService;
  model?: string | null;
  /** Null when no answer came */
  http_status_code?: number | null;
  /** Seconds */
  response_time?: number;
  /** What the model said, at most 200 characters */
  response_content?: string;
  /** Seconds to wait, if the provider said so */
  retry_after?: number;
  /** refresh_models */
  models?: Array<string>;
  /** refresh_models */
  count?: number;
};

export type LlmCatalogue = {
  services: LlmCatalogueServices;
  limits: JsonObject;
};

export type LlmCatalogueField = {
  label: string;
  type: LlmCatalogueFieldType;
  /** Needed before the provider can be called */
  required: boolean;
  secret: boolean;
  default: string | number | boolean | null;
  description: string;
  minimum?: number;
  maximum?: number;
};

export type LlmCatalogueFieldType = "string" | "integer" | "number" | "boolean" | "text";

export type LlmCatalogueModel = {
  id: string;
  /** provider: from the last refresh_models; configured: from a stored configuration */
  source: LlmCatalogueModelSource;
};

export type LlmCatalogueModelSource = "provider" | "configured";

export type LlmCatalogueReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  config: LlmCatalogue;
};

export type LlmCatalogueService = {
  display_name: string;
  default_endpoint: string | null;
  fields: Record<string, LlmCatalogueField>;
  model_fields: Record<string, LlmCatalogueField>;
  models: Array<LlmCatalogueModel>;
  supports: LlmCatalogueServiceSupports;
};

export type LlmCatalogueServiceSupports = {
  list_models: boolean;
};

export type LlmCatalogueServices = {
  General_Chat: LlmCatalogueService;
  Enterprise_Cloud_Chat: LlmCatalogueService;
  Assistant_Family: LlmCatalogueService;
  Cloud_Model_Hub: LlmCatalogueService;
  Fast_Inference: LlmCatalogueService;
  Search_Vendor_Models: LlmCatalogueService;
  Local_Runtime: LlmCatalogueService;
  Platform_Hosted_Models: LlmCatalogueService;
};

/** Free-form: unknown fields are kept; strings in those that look like credentials are treated as secrets. */
export type LlmConfiguration = {
  /** The kind of provider */
  service: LlmService;
  connection_name: string;
  model: string;
  /** As submitted; secrets as ***MASKED*** */
  servicesettings: JsonObject;
  modelsettings?: JsonObject;
  is_saved: boolean;
  is_model_saved: boolean;
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  last_updated_by: string;
  last_test?: LastTest;
};

/** Free-form: unknown fields are kept; strings in those that look like credentials are treated as secrets. */
export type LlmConfigurationInput = {
  /** The kind of provider */
  service: LlmService;
  /** Free-form name, compared without regard to case; the first spelling stays. */
  connection_name: string;
  /** The provider's model id, compared exactly; it may hold / and :. */
  model: string;
  servicesettings?: LlmServiceSettings;
  modelsettings?: LlmModelSettings;
  /** false = a draft; default true */
  is_saved?: boolean;
  /** false = a draft; default true */
  is_model_saved?: boolean;
  /** Condition: the version that this change is based on. */
  version?: number;
};

export type LlmConfigurationReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  config: LlmConfiguration;
};

export type LlmIdentity = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  /** The kind of provider */
  service: LlmService;
  /** Free-form name, compared without regard to case; the first spelling stays. */
  connection_name: string;
  /** The provider's model id, compared exactly; it may hold / and :. */
  model: string;
};

export type LlmModelSettings = {
  max_tokens?: LlmModelSettingsMaxTokens | null;
  response_variability?: LlmModelSettingsResponseVariability | null;
};

export type LlmModelSettingsMaxTokens = {
  value?: number | null;
};

export type LlmModelSettingsResponseVariability = {
  value?: number | null;
};

export type LlmService = "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";

/** Settings of the connection, shared by all its models */
export type LlmServiceSettings = {
  endpoint?: LlmServiceSettingsEndpoint | null;
  access_token?: LlmServiceSettingsAccessToken | null;
  request_timeout?: LlmServiceSettingsRequestTimeout | null;
  enterprise_api_version?: LlmServiceSettingsEnterpriseApiVersion | null;
  region?: LlmServiceSettingsRegion | null;
  cloud_access_key_id?: LlmServiceSettingsCloudAccessKeyId | null;
  cloud_access_token?: LlmServiceSettingsCloudAccessToken | null;
  role_arn?: LlmServiceSettingsRoleArn | null;
  verify_tls?: LlmServiceSettingsVerifyTls | null;
  ca_certificate?: LlmServiceSettingsCaCertificate | null;
};

export type LlmServiceSettingsAccessToken = {
  /** API key */
  value?: string | null;
};

export type LlmServiceSettingsCaCertificate = {
  value?: string | null;
};

export type LlmServiceSettingsCloudAccessKeyId = {
  value?: string | null;
};

export type LlmServiceSettingsCloudAccessToken = {
  /** Cloud_Model_Hub: secret access key */
  value?: string | null;
};

export type LlmServiceSettingsEndpoint = {
  value?: string | null;
};

export type LlmServiceSettingsEnterpriseApiVersion = {
  value?: string | null;
};

export type LlmServiceSettingsRegion = {
  value?: string | null;
};

export type LlmServiceSettingsRequestTimeout = {
  value?: number | null;
};

export type LlmServiceSettingsRoleArn = {
  value?: string | null;
};

export type LlmServiceSettingsVerifyTls = {
  value?: boolean | null;
};

export type McpAuthState = "ok" | "refresh_due" | "reauth_required" | "unknown";

export type McpConnection = {
  name: string;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  type: McpConnectionType;
  description: string;
  details: McpConnectionDetails;
  tools_allowed?: Array<string>;
  acl: Acl;
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  last_updated_by: string;
  transport_detected?: McpTransport;
  token_url_detected?: string;
  auth_state: McpAuthState;
  last_test?: LastTest;
};

export type McpConnectionCreate = {
  /** Unique name, compared without regard to case. */
  name: string;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  type: McpConnectionType;
  details: McpConnectionDetailsCreate;
  description?: string | null;
  tools_allowed?: Array<string> | null;
  acl?: AclInput;
};

export type McpConnectionDetails = {
  url: string;
  /** Token: ***MASKED*** when one is stored */
  token?: string;
  client_id?: string;
  /** Client secret: ***MASKED*** when one is stored */
  client_secret?: string;
  /** Refresh token: ***MASKED*** when one is stored */
  refresh_token?: string;
  is_auto_refresh_enabled?: boolean;
  token_url?: string;
  verify_tls: boolean;
  ca_certificate?: string;
  headers?: Record<string, string>;
};

export type McpConnectionDetailsCreate = {
  /** http(s) address without user name and password */
  url: string;
  /** Bearer or OAuth access token */
  token?: string | null;
  client_id?: string | null;
  /** OAuth client secret (ISSUE_TRACKER) */
  client_secret?: string | null;
  /** OAuth refresh token (ISSUE_TRACKER) */
  refresh_token?: string | null;
  /** Refresh the token before and after it expires (ISSUE_TRACKER) */
  is_auto_refresh_enabled?: boolean;
  token_url?: string | null;
  /** Default true */
  verify_tls?: boolean;
  ca_certificate?: string | null;
  headers?: Record<string, string | null> | null;
};

export type McpConnectionDetailsUpdate = {
  /** http(s) address without user name and password */
  url?: string;
  /** Bearer or OAuth access token */
  token?: string | null;
  client_id?: string | null;
  /** OAuth client secret (ISSUE_TRACKER) */
  client_secret?: string | null;
  /** OAuth refresh token (ISSUE_TRACKER) */
  refresh_token?: string | null;
  /** Refresh the token before and after it expires (ISSUE_TRACKER) */
  is_auto_refresh_enabled?: boolean;
  token_url?: string | null;
  /** Default true */
  verify_tls?: boolean;
  ca_certificate?: string | null;
  headers?: Record<string, string | null> | null;
};

export type McpConnectionList = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  result?: Array<McpConnection>;
  pagination?: Pagination;
  config?: McpConnection;
};

export type McpConnectionReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  config: McpConnection;
};

export type McpConnectionTest = {
  /** Unique name, compared without regard to case. */
  name?: string;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  type?: McpConnectionType;
  details?: McpConnectionDetailsUpdate;
};

export type McpConnectionTestReply = {
  status: Outcome;
  message?: string;
  error_code?: ErrorCode;
  /** What a person can do about this code */
  remedy?: string;
  warnings?: Array<string>;
  success: boolean;
  data: McpConnectionTestReplyData;
};

export type McpConnectionTestReplyData = {
  mcp_name: string | null;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  mcp_type: McpConnectionType;
  /** Without user name, password and query */
  mcp_server_url: string;
  response_time_ms: number;
  http_status: number | null;
  /** An MCP answer arrived without 401 or 403 */
  authenticated: boolean;
  /** An HTTP answer arrived */
  reachable: boolean;
  transport: McpTransport | null;
  protocol_version: string | null;
  server_info?: McpServerInfo;
};

export type McpConnectionType = "PLATFORM" | "ISSUE_TRACKER";

export type McpConnectionUpdate = {
  /** Unique name, compared without regard to case. */
  name: string;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  type?: McpConnectionType;
  details?: McpConnectionDetailsUpdate;
  description?: string | null;
  tools_allowed?: Array<string> | null;
  acl?: AclInput;
  /** Condition: the version that this change is based on. */
  version?: number;
};

export type McpServerInfo = {
  name: string;
  version: string;
  title?: string;
};

export type McpTool = {
  name: string;
  title?: string;
  description: string;
  input_schema?: JsonObject;
  annotations?: JsonObject;
  /** Whether `tools_allowed` lets agents call it */
  allowed: boolean;
};

export type McpToolList = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  success: boolean;
  data: McpToolListData;
};

export type McpToolListData = {
  mcp_name: string | null;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  mcp_type: McpConnectionType;
  /** Without user name, password and query */
  mcp_server_url: string;
  response_time_ms: number;
  tool_count: number;
  tools: Array<McpTool>;
  drift: McpToolListDataDrift;
  /** The listing is not complete; see warnings */
  truncated?: boolean;
};

/** Tool names, against the last successful listing of the saved record */
export type McpToolListDataDrift = {
  added: Array<string>;
  removed: Array<string>;
  changed: Array<string>;
};

export type McpTransport = "streamable_http" | "sse";

/** missing_capability: The caller lacks a capability; `required` names those that this call needs. */
export type MissingCapabilityFailure = FailureCommon & {
  error_code: "missing_capability";
};

export type Model = {
  name: string;
  type: ListModelsType;
  algorithm?: string;
  features: Array<string>;
  targets: Array<string>;
  /** Of a cloud model */
  endpoint_name?: string;
  owner: string;
  app: string;
  sharing: AclSharing;
  /** Of the file */
  size_bytes?: number;
  /** Epoch seconds with a fraction; 0 where this member does not have the file */
  updated_at: number;
};

export type ModelCloneResult = {
  source: string;
  destination: string;
  status: ModelCloneResultStatus;
  error_code?: string;
};

export type ModelCloneResultStatus = "cloned" | "skipped" | "failed";

export type ModelClones = {
  /** Default: every draft model of the experiment, to its final name */
  models?: Array<ModelClonesModelsItem>;
  /** Of the copies; default user */
  sharing?: ModelSharing;
  /** Default false */
  overwrite?: boolean;
};

export type ModelClonesModelsItem = {
  source: string;
  destination: string;
};

export type ModelSharing = "user" | "app";

export type ModelTensor = {
  name: string;
  /** null for an open dimension, or where there is no shape */
  shape: Array<number | null> | null;
};

export type ModelUpload = {
  /** Name of the model; its lookup file is __mlspl_<name>.onnx. */
  model_name: string;
  /** Fields that the model is given, in the order of its first input: a list, or their names joined by commas */
  features: Array<string> | string;
  /** Fields that it predicts: a list, or their names joined by commas */
  targets: Array<string> | string;
  /** The ONNX file, at most 31,457,280 bytes */
  model_file: string;
  /** The caller's own name for it; kept for information */
  file_name?: string;
  /** Replace a model of this name. Default false. */
  overwrite?: boolean | ModelUploadOverwrite;
  /** Private (user) or the app's. Default user. */
  sharing?: ModelSharing;
};

export type ModelUploadOverwrite = "true" | "false" | "1" | "0";

export type NameReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  name: string;
};

/** duplicate_name: The name is taken (case does not count), perhaps by a record that the caller may not read. */
export type NameTakenFailure = FailureCommon & {
  error_code: "duplicate_name";
};

/** acl_denied: The caller may read the record, but not change it (or not its access list). feature_disabled: The feature flag of this family is off. */
export type NotAllowedByOwnerFailure = FailureCommon & {
  error_code: "acl_denied" | "feature_disabled";
};

/** feature_disabled: The feature flag of this family is off. missing_capability: The caller lacks a capability; `required` names those that this call needs. */
export type NotAllowedFailure = FailureCommon & {
  error_code: "feature_disabled" | "missing_capability";
};

/** not_found: There is no such record, or the caller may not read it. */
export type NotFoundFailure = FailureCommon & {
  error_code: "not_found";
};

/** internal_error: A bug in this app; the log has the cause under `request_id`. verification_failed: A container connection was not saved because it could not be verified. */
export type NotVerifiedFailure = FailureCommon & {
  error_code: "internal_error" | "verification_failed";
};

export type Outcome = "success" | "fail";

export type Pagination = {
  offset: number;
  count: number;
  total: number;
  returned: number;
  has_more: boolean;
  next_offset: number | null;
};

/** The platform's own body */
export type PlatformMessages = {
  messages?: Array<Record<string, unknown>>;
};

/** rate_limited: The server asked to slow down; `retry_after` tells for how many seconds, if the server said so. */
export type RateLimitedFailure = FailureCommon & {
  error_code: "rate_limited";
};

export type ReadContainerLogsReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  container_logs?: ContainerLogs;
  result?: Array<ReadContainerLogsReplyResultItem>;
};

export type ReadContainerLogsReplyResultItem = {
  model: string;
  id: string;
  cluster: string;
  status: string;
};

export type RegisteredModel = {
  model_name: string;
  endpoint_name: string;
  cloud_credentials: RegisteredModelCloudCredentials;
  /** Field of a search -> where its value goes in the request: `instances[*].cpu` */
  input_feature_map: Record<string, string>;
  /** Where a value is in the response -> field of the result: `predictions[*]` -> `result` */
  output_prediction_map: Record<string, string>;
  /** OpenAPI 3 document with POST /invocations; the maps are checked against it */
  openapi_spec?: JsonObject;
  batch_size: number;
  acl: Acl;
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  last_updated_by: string;
  last_test?: LastTest;
};

export type RegisteredModelCloudCredentials = {
  region: string;
  access_key_id?: string;
  /** ***MASKED*** when one is stored */
  secret_access_key?: string;
  role_arn?: string;
};

export type RegisteredModelCreate = {
  /** Unique name, compared without regard to case. */
  model_name: string;
  /** Name of the SageMaker endpoint */
  endpoint_name?: string;
  cloud_credentials?: CloudCredentialsInput;
  /** Field of a search -> where its value goes in the request: `instances[*].cpu` */
  input_feature_map?: Record<string, string>;
  /** Where a value is in the response -> field of the result: `predictions[*]` -> `result` */
  output_prediction_map?: Record<string, string>;
  openapi_spec?: JsonObject | null;
  /** Rows per request. Default 100. */
  batch_size?: number;
  acl?: AclInput;
};

export type RegisteredModelReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  config: RegisteredModel;
};

export type RegisteredModelTestReply = {
  status: Outcome;
  message?: string;
  error_code?: ErrorCode;
  /** What a person can do about this code */
  remedy?: string;
  /** Registration only */
  warnings?: Array<string>;
  success: boolean;
  /** Registration only */
  model_name?: string;
  endpoint_name: string;
  /** Test only: InService, Creating, Failed … */
  endpoint_status?: string | null;
  /** Test only */
  test_type?: "connection_test";
  /** Test only */
  response_time_ms?: number;
};

export type RegisteredModelUpdate = {
  /** Unique name, compared without regard to case. */
  model_name: string;
  /** Name of the SageMaker endpoint */
  endpoint_name?: string;
  cloud_credentials?: CloudCredentialsInput;
  /** Field of a search -> where its value goes in the request: `instances[*].cpu` */
  input_feature_map?: Record<string, string>;
  /** Where a value is in the response -> field of the result: `predictions[*]` -> `result` */
  output_prediction_map?: Record<string, string>;
  openapi_spec?: JsonObject | null;
  /** Rows per request. Default 100. */
  batch_size?: number;
  acl?: AclInput;
  /** Condition: the version that this change is based on. */
  version?: number;
};

export type SaveLlmConfigurationReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  updated_config: LlmConfiguration;
};

export type SearchStage = {
  role: SearchStageRole;
  /** SPL */
  search: string;
  algorithm?: string;
  parameters?: JsonObject;
  fields?: Array<string> | JsonObject;
  model_name?: string;
};

export type SearchStageRole = "preprocess" | "fit" | "apply" | "validate" | "visualize";

/** auth_failed: The server refused the credentials. bad_request: The server did not accept the request; its own reason is in the message. blocked_by_policy: The address may not be called: link-local and metadata addresses never, private ones not with allow_private = 0. configuration_invalid: The record, or a setting of the site, lacks something that this call needs, or holds something that it must not; nothing was sent. connection_refused: Nothing listens at this address and port, or no route leads there. connection_reset: The connection was cut. dns_failed: The host name cannot be resolved on the machine that runs splunkd. model_not_found: The provider does not know the model. model_not_invokable: The model exists but cannot be called this way. not_supported: The server does not offer this. permission_denied: The credentials are valid, but do not permit this. quota_exceeded: The quota or the credit is used up. tls_expired: The certificate has expired, or is not valid yet. tls_hostname_mismatch: The certificate is for another host name. tls_protocol: The port does not speak TLS, or no version that both sides support. tls_untrusted: The certificate is not signed by an authority that is trusted. upstream_error: The server answered with an error, with a redirect, with something that is not its protocol, or with more than 8 MiB; or the proxy refused to pass the call on. The reason, without secrets, is in the message. */
export type ServerFailedFailure = FailureCommon & {
  error_code: "auth_failed" | "bad_request" | "blocked_by_policy" | "configuration_invalid" | "connection_refused" | "connection_reset" | "dns_failed" | "model_not_found" | "model_not_invokable" | "not_supported" | "permission_denied" | "quota_exceeded" | "tls_expired" | "tls_hostname_mismatch" | "tls_protocol" | "tls_untrusted" | "upstream_error";
};

/** timeout: The server did not answer in time. */
export type ServerTimeoutFailure = FailureCommon & {
  error_code: "timeout";
};

export type SetCtsmFeatureInput = {
  ctsm_opt_out: boolean;
};

export type SortDirection = "asc" | "desc";

export type StartContainerReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  updated_config: StartedContainer;
};

export type StartedContainer = {
  id: string;
  api_url: string;
  api_url_external: string;
  jupyter_url: string;
  tensorboard_url: string;
  mlflow_url: string;
  spark_url: string;
  status: string;
  status_reason: string;
  status_message: string;
  cluster: string;
  mode: string;
  model: string;
  connection_name: string;
  container_name: string;
};

/** invalid_state: The record is in a state that does not allow this. version_conflict: The record has changed since it was read; `current_version` is its version now. */
export type StateConflictFailure = FailureCommon & {
  error_code: "invalid_state" | "version_conflict";
};

/** store_unavailable: The KV store or the password storage is not ready: it is starting, read-only or down. */
export type StoreUnavailableFailure = FailureCommon & {
  error_code: "store_unavailable";
};

export type TestedContainerConnection = {
  /** docker or kubernetes */
  container_type: ContainerType;
  connection_name: string;
  last_test: LastTest | null;
};

/** payload_too_large: The body is larger than this endpoint accepts (1 MB; more for model uploads), or the record would become too large. */
export type TooLargeFailure = FailureCommon & {
  error_code: "payload_too_large";
};

/** unknown_reference: A connection, tool, store or model that the body names does not exist, or the caller may not read it. validation_failed: Fields, parameters or headers are wrong; `errors` lists every one of them. */
export type UnknownReferenceFailure = FailureCommon & {
  error_code: "unknown_reference" | "validation_failed";
};

export type UploadModelReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  model_name: string;
  config: UploadedModel;
};

export type UploadedModel = {
  name: string;
  type: ListModelsType;
  algorithm?: string;
  features: Array<string>;
  targets: Array<string>;
  /** Of a cloud model */
  endpoint_name?: string;
  owner: string;
  app: string;
  sharing: AclSharing;
  /** Of the file */
  size_bytes?: number;
  /** Epoch seconds with a fraction; 0 where this member does not have the file */
  updated_at: number;
  file_name?: string;
  ir_version: number;
  opset_version: number | null;
  inputs: Array<ModelTensor>;
  outputs: Array<ModelTensor>;
};

export type VectorStore = {
  name: string;
  /** CLOUD_KB: a knowledge base of Amazon Bedrock */
  type: "CLOUD_KB";
  description: string;
  details: VectorStoreDetails;
  acl: Acl;
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  last_updated_by: string;
  last_test?: LastTest;
};

export type VectorStoreCreate = {
  /** Unique name, compared without regard to case. */
  name: string;
  /** CLOUD_KB: a knowledge base of Amazon Bedrock */
  type: "CLOUD_KB";
  details: VectorStoreDetailsCreate;
  description?: string | null;
  acl?: AclInput;
};

export type VectorStoreDetails = {
  cloud_access_key_id?: string;
  /** Secret access key: ***MASKED*** when one is stored */
  cloud_access_key_token?: string;
  role_arn?: string;
  cloud_region: string;
  kb_id: string;
};

export type VectorStoreDetailsCreate = {
  /** AWS region of the knowledge base */
  cloud_region: string;
  /** Identifier of the knowledge base */
  kb_id: string;
  cloud_access_key_id?: string | null;
  /** Secret access key */
  cloud_access_key_token?: string | null;
  role_arn?: string | null;
};

export type VectorStoreDetailsUpdate = {
  /** AWS region of the knowledge base */
  cloud_region?: string;
  /** Identifier of the knowledge base */
  kb_id?: string;
  cloud_access_key_id?: string | null;
  /** Secret access key */
  cloud_access_key_token?: string | null;
  role_arn?: string | null;
};

export type VectorStoreList = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  result?: Array<VectorStore>;
  pagination?: Pagination;
  config?: VectorStore;
};

export type VectorStoreReply = {
  status: "success";
  message?: string;
  warnings?: Array<string>;
  config: VectorStore;
};

export type VectorStoreTest = {
  /** Unique name, compared without regard to case. */
  name?: string;
  /** CLOUD_KB: a knowledge base of Amazon Bedrock */
  type?: "CLOUD_KB";
  details?: VectorStoreDetailsUpdate;
  /** Also retrieve passages for this text */
  query?: string;
};

export type VectorStoreTestReply = {
  status: Outcome;
  message?: string;
  error_code?: ErrorCode;
  /** What a person can do about this code */
  remedy?: string;
  warnings?: Array<string>;
  success: boolean;
  data: VectorStoreTestReplyData;
};

export type VectorStoreTestReplyData = {
  name: string | null;
  /** CLOUD_KB: a knowledge base of Amazon Bedrock */
  type: "CLOUD_KB";
  kb_id: string;
  region: string;
  /** ACTIVE, CREATING, FAILED … */
  knowledge_base_status: string | null;
  knowledge_base_name?: string;
  response_time_ms: number;
  /** AWS answered */
  reachable: boolean;
  /** AWS accepted the credentials */
  authenticated: boolean;
  steps: Array<VectorStoreTestStep>;
};

export type VectorStoreTestStep = {
  step: VectorStoreTestStepStep;
  status: VectorStoreTestStepStatus;
  error_code?: string;
  ms: number;
};

export type VectorStoreTestStepStatus = "success" | "fail" | "skipped";

export type VectorStoreTestStepStep = "assume_role" | "get_knowledge_base" | "retrieve";

export type VectorStoreUpdate = {
  /** Unique name, compared without regard to case. */
  name: string;
  /** CLOUD_KB: a knowledge base of Amazon Bedrock */
  type?: "CLOUD_KB";
  details?: VectorStoreDetailsUpdate;
  description?: string | null;
  acl?: AclInput;
  /** Condition: the version that this change is based on. */
  version?: number;
};

/** version_conflict: The record has changed since it was read; `current_version` is its version now. */
export type VersionConflictFailure = FailureCommon & {
  error_code: "version_conflict";
};
