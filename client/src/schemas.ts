// Generated from the OpenAPI document (npm run generate). Do not edit.

/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** An acknowledgement; the body may be empty */
export type AcknowledgeCtsmInput = {
  /** May be omitted */
  acknowledge?: true;
};

/** Who may read and write the record */
export type Acl = {
  /** User who may always read and write the record */
  owner: string;
  /** user: only the owner; perms are ignored. app or global: perms apply. */
  sharing: Sharing;
  perms: AclPerms;
};

/** Who may read and write the record. Default: only the creator. An update keeps omitted keys; changes require the owner or admin_all_objects. */
export type AclInput = {
  /** User who may always read and write the record; setting another user requires admin_all_objects */
  owner?: string;
  /** user: only the owner; perms are ignored. app or global: perms apply. */
  sharing?: Sharing;
  perms?: AclInputPerms;
};

/** Roles with access to the record, unless sharing is user */
export type AclInputPerms = {
  /** Existing roles that may read, or * for everyone; replaces the stored list */
  read?: Array<string>;
  /** Existing roles that may read and write, or * for everyone; replaces the stored list */
  write?: Array<string>;
};

/** Roles with access to the record, unless sharing is user */
export type AclPerms = {
  /** Roles that may read; * is everyone */
  read: Array<string>;
  /** Roles that may read and write; * is everyone */
  write: Array<string>;
};

/** The new entry with its id */
export type AddExperimentHistoryReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Id of the entry, set by the server */
  history_id: string;
  config: HistoryEntry;
};

/** A prompt, a language model and tools, run by the app, a container or a cloud service */
export type Agent = {
  /** Name of the agent, as written at its creation */
  name: string;
  /** Purpose of the agent, in free text */
  description: string;
  /** Whether the agent is enabled; false does not change its runtime */
  is_enabled: boolean;
  /** What runs the agent; it cannot change. CLOUD_AGENT_CORE: Amazon Bedrock AgentCore. BUILT_IN: the app. CONTAINER: the container of runtime.container. */
  runtime_type: AgentRuntimeType;
  runtime?: AgentRuntime;
  llm?: AgentLlm;
  /** System prompt of the model */
  system_prompt: string;
  /** Task of the agent */
  task_prompt: string;
  /** Time limit of one run, in seconds */
  agent_timeout: number;
  /** Limit of the requests to the model in one run */
  max_steps: number;
  /** Limit of the input and output tokens of one run together, checked before each request; absent if there is none */
  max_tokens_per_run?: number;
  /** Calls that a person has to approve. destructive: of tools that say they destroy. writes: of all but those that say they only read. always, never: all calls, or none. */
  approve_tools: AgentApproval;
  /** Tools whose calls a person has to approve whatever approve_tools says, named as the model sees them: <connection>__<tool> */
  approve_tools_named: Array<string>;
  /** Seconds that a call waits for approval; 0: no limit of its own */
  approval_timeout_s: number;
  /** Nobody approved a call in time. reject: the call is rejected. cancel: the run is cancelled. */
  on_approval_timeout: AgentOnApprovalTimeout;
  /** A server, store or search tool that the agent names is not available. fail: the run fails after three tries. continue: the model is told what is missing. */
  on_unavailable: AgentOnUnavailable;
  /** JSON schema of an object that the answer of a run has to be, at most 16 KB; absent: any text */
  output_schema?: JsonObject;
  /** Whether the values of an answer are looked up in the data of its run; absent: where the agent has tools, knowledge bases or search tools */
  check_evidence?: boolean;
  /** The answer has values that do not stand in the data of the run. mark: they are marked. ask_again: the model is asked once more. fail: the run fails. */
  on_unverified: AgentOnUnverified;
  /** MCP connections whose tools the agent may call */
  mcps: Array<AgentMcp>;
  /** Names of the vector stores that the agent may search */
  knowledge_bases: Array<string>;
  /** Search tools that the agent may call, by names without prefix: those of the records, and spl, indexes, sourcetypes, fields, lookups, data_models, saved_searches */
  search_tools: Array<string>;
  /** Creating: the runtime is being created. Available: the agent can run. Failed: the creation failed, see state_reason; it can be retried. Deleting: the runtime is being removed. Delete Failed: the deletion failed and can be repeated. */
  state: Exclude<AgentState, "Deleted">;
  /** Reason of the state, or error of the last poll; absent if there is none */
  state_reason?: string;
  /** Code of state_reason */
  error_code?: string;
  /** What a person can do about error_code */
  remedy?: string;
  tracking: AgentTracking;
  /** The versions of the agent; there is one */
  versions: Array<AgentVersion>;
  acl: Acl;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
};

export type AgentAction = "create" | "delete";

export type AgentApproval = "never" | "destructive" | "writes" | "always";

/** A new agent; the records that it names must exist and be readable by the caller */
export type AgentCreate = {
  /** Unique name, compared without regard to case; also the name of the runtime */
  name: string;
  /** Purpose of the agent, in free text; null empties it */
  description?: string | null;
  /** Whether the agent is enabled; false does not change its runtime (default true) */
  is_enabled?: boolean;
  /** What runs the agent; it cannot change. CLOUD_AGENT_CORE: Amazon Bedrock AgentCore. BUILT_IN: the app. CONTAINER: the container of runtime.container. (default CLOUD_AGENT_CORE) */
  runtime_type?: AgentRuntimeType;
  /** What the runtime type needs. It is replaced as a whole. */
  runtime?: AgentRuntime | null;
  /** Model of the agent. It is replaced as a whole; null removes it. */
  llm?: AgentLlm | null;
  /** System prompt of the model; null empties it */
  system_prompt?: string | null;
  /** Task of the agent; null empties it */
  task_prompt?: string | null;
  /** Time limit of one run, in seconds (default 450) */
  agent_timeout?: number;
  /** Limit of the requests to the model in one run (default 20) */
  max_steps?: number;
  /** Limit of the input and output tokens of one run together, checked before each request; null removes it */
  max_tokens_per_run?: number | null;
  /** Calls that a person has to approve. destructive: of tools that say they destroy. writes: of all but those that say they only read. always, never: all calls, or none. (default destructive) */
  approve_tools?: AgentApproval;
  /** Tools whose calls a person has to approve whatever approve_tools says, named as the model sees them: <connection>__<tool>. The list is replaced as a whole; null empties it. */
  approve_tools_named?: Array<string> | null;
  /** Seconds that a call waits for approval; 0: no limit of its own (default 0) */
  approval_timeout_s?: number;
  /** Nobody approved a call in time. reject: the call is rejected. cancel: the run is cancelled. (default reject) */
  on_approval_timeout?: AgentOnApprovalTimeout;
  /** A server, store or search tool that the agent names is not available. fail: the run fails after three tries. continue: the model is told what is missing. (default fail) */
  on_unavailable?: AgentOnUnavailable;
  /** JSON schema of an object that the answer of a run has to be, at most 16 KB; absent: any text */
  output_schema?: JsonObject | null;
  /** Whether the values of an answer are looked up in the data of its run; absent: where the agent has tools, knowledge bases or search tools; null removes it */
  check_evidence?: boolean | null;
  /** The answer has values that do not stand in the data of the run. mark: they are marked. ask_again: the model is asked once more. fail: the run fails. (default mark) */
  on_unverified?: AgentOnUnverified;
  /** MCP connections whose tools the agent may call. The list is replaced as a whole; null empties it. */
  mcps?: Array<AgentMcp> | null;
  /** Names of the vector stores that the agent may search. The list is replaced as a whole; null empties it. */
  knowledge_bases?: Array<string> | null;
  /** Search tools that the agent may call, by names without prefix: those of the records, and spl, indexes, sourcetypes, fields, lookups, data_models, saved_searches. The list is replaced as a whole; null empties it. */
  search_tools?: Array<string> | null;
  acl?: AclInput;
};

/** An agent without a name; the records that it names must exist and be readable by the caller */
export type AgentDefinition = {
  /** Purpose of the agent, in free text; null empties it */
  description?: string | null;
  /** Whether the agent is enabled; false does not change its runtime (default true) */
  is_enabled?: boolean;
  /** What runs the agent; it cannot change. CLOUD_AGENT_CORE: Amazon Bedrock AgentCore. BUILT_IN: the app. CONTAINER: the container of runtime.container. (default BUILT_IN) */
  runtime_type?: AgentRuntimeType;
  /** What the runtime type needs. It is replaced as a whole. */
  runtime?: AgentRuntime | null;
  /** Model of the agent. It is replaced as a whole; null removes it. */
  llm?: AgentLlm | null;
  /** System prompt of the model; null empties it */
  system_prompt?: string | null;
  /** Task of the agent; null empties it */
  task_prompt?: string | null;
  /** Time limit of one run, in seconds (default 450) */
  agent_timeout?: number;
  /** Limit of the requests to the model in one run (default 20) */
  max_steps?: number;
  /** Limit of the input and output tokens of one run together, checked before each request; null removes it */
  max_tokens_per_run?: number | null;
  /** Calls that a person has to approve. destructive: of tools that say they destroy. writes: of all but those that say they only read. always, never: all calls, or none. (default destructive) */
  approve_tools?: AgentApproval;
  /** Tools whose calls a person has to approve whatever approve_tools says, named as the model sees them: <connection>__<tool>. The list is replaced as a whole; null empties it. */
  approve_tools_named?: Array<string> | null;
  /** Seconds that a call waits for approval; 0: no limit of its own (default 0) */
  approval_timeout_s?: number;
  /** Nobody approved a call in time. reject: the call is rejected. cancel: the run is cancelled. (default reject) */
  on_approval_timeout?: AgentOnApprovalTimeout;
  /** A server, store or search tool that the agent names is not available. fail: the run fails after three tries. continue: the model is told what is missing. (default fail) */
  on_unavailable?: AgentOnUnavailable;
  /** JSON schema of an object that the answer of a run has to be, at most 16 KB; absent: any text */
  output_schema?: JsonObject | null;
  /** Whether the values of an answer are looked up in the data of its run; absent: where the agent has tools, knowledge bases or search tools; null removes it */
  check_evidence?: boolean | null;
  /** The answer has values that do not stand in the data of the run. mark: they are marked. ask_again: the model is asked once more. fail: the run fails. (default mark) */
  on_unverified?: AgentOnUnverified;
  /** MCP connections whose tools the agent may call. The list is replaced as a whole; null empties it. */
  mcps?: Array<AgentMcp> | null;
  /** Names of the vector stores that the agent may search. The list is replaced as a whole; null empties it. */
  knowledge_bases?: Array<string> | null;
  /** Search tools that the agent may call, by names without prefix: those of the records, and spl, indexes, sourcetypes, fields, lookups, data_models, saved_searches. The list is replaced as a whole; null empties it. */
  search_tools?: Array<string> | null;
};

/** An agent that is being deleted, or is deleted already */
export type AgentDeleting = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the agent */
  agent_name: string;
  /** State of the agent now; Deleted: the record is gone */
  state: AgentState;
  /** Constant; see state for the progress */
  agent_status: "DELETING";
  /** Id of the monitoring search; null if there is nothing to follow, or if it could not be started: see warnings */
  tracking_job_id: string | null;
};

/** One poll of an agent */
export type AgentFollow = {
  /** The action to poll: creation or deletion */
  action: AgentAction;
  /** For a monitor that polls repeatedly: its longest wait, in seconds. The cloud is asked if the last poll is older than the resulting wait; otherwise the reply comes from the record. Default: 0.8 seconds. */
  interval?: number;
};

/** Model of the agent. It is replaced as a whole; null removes it. */
export type AgentLlm = {
  /** LLM provider, as LlmService names it */
  service?: string;
  /** LLM connection, compared without regard to case */
  connection_name?: string;
  /** With service and connection_name the provider's id of the model, compared exactly. Alone a model reference: an alias, <connection>/<model>, <service>/<connection>/<model>, or a model that only one configuration has. */
  model: string;
  /** Max output tokens */
  max_tokens?: number;
  /** Temperature: 0 is the most predictable */
  response_variability?: number;
};

/** An MCP connection that an agent may use */
export type AgentMcp = {
  /** Name of the MCP connection */
  name: string;
  /** Names of the tools that it may call; empty: none; absent: all tools that the connection allows */
  tools?: Array<string>;
};

export type AgentOnApprovalTimeout = "reject" | "cancel";

export type AgentOnUnavailable = "fail" | "continue";

export type AgentOnUnverified = "mark" | "ask_again" | "fail";

/** Progress of the creation or deletion of an agent; also a row of | agentstatus */
export type AgentProgress = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the agent */
  agent_name: string;
  /** The polled action: create or delete */
  action: string;
  /** State of the agent now; Deleted: the record is gone */
  state: AgentState;
  /** State of the agent before this step */
  previous_state: AgentState;
  /** Id of the runtime in the cloud; empty while unknown */
  runtime_id: string;
  /** The cloud's name for the runtime state; GONE after removal, empty while unknown */
  runtime_status: string;
  /** Polls of the cloud since the action began */
  attempt: number;
  /** Milliseconds since the action began */
  elapsed_ms: number;
  /** 1: the action has ended; 0: it is in progress */
  done: number;
  /** How the action ended; empty until then */
  outcome: AgentProgressOutcome;
  /** Code of the last error; empty if there is none */
  error_code: string;
  /** What a person can do about error_code */
  remedy?: string;
};

export type AgentProgressOutcome = "" | "success" | "fail";

/** Record in config */
export type AgentReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: Agent;
};

/** What the runtime type needs. It is replaced as a whole. */
export type AgentRuntime = {
  /** Model of the container that runs the agent; required for CONTAINER */
  container?: string;
};

export type AgentRuntimeType = "CLOUD_AGENT_CORE" | "BUILT_IN" | "CONTAINER";

/** An agent that is available, or whose runtime was requested */
export type AgentStarted = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the agent */
  agent_name: string;
  /** What runs the agent; it cannot change. CLOUD_AGENT_CORE: Amazon Bedrock AgentCore. BUILT_IN: the app. CONTAINER: the container of runtime.container. */
  runtime_type: AgentRuntimeType;
  /** Creating: the runtime is being created. Available: the agent can run. Failed: the creation failed, see state_reason; it can be retried. Deleting: the runtime is being removed. Delete Failed: the deletion failed and can be repeated. */
  state: Exclude<AgentState, "Deleted">;
  /** Id of the monitoring search; null if there is nothing to follow, or if it could not be started: see warnings */
  tracking_job_id: string | null;
};

export type AgentState = "Creating" | "Available" | "Failed" | "Deleting" | "Delete Failed" | "Deleted";

/** Monitoring of the last creation or deletion */
export type AgentTracking = {
  /** Id of the monitoring search; null if there is nothing to follow, or if it could not be started: see warnings */
  job_id: string | null;
  /** The last action on the runtime */
  action: AgentAction;
  /** When it began, epoch seconds with a fraction */
  started_at: number;
  /** When the cloud was last polled, epoch seconds with a fraction; null if not yet */
  last_polled_at: number | null;
  /** Polls of the cloud since it began */
  attempts: number;
};

/** A change of the agent with this name. Omitted fields stay; runtime_type cannot change. */
export type AgentUpdate = {
  /** Unique name, compared without regard to case; also the name of the runtime */
  name: string;
  /** Purpose of the agent, in free text; null empties it */
  description?: string | null;
  /** Whether the agent is enabled; false does not change its runtime */
  is_enabled?: boolean;
  /** What runs the agent; it cannot change. CLOUD_AGENT_CORE: Amazon Bedrock AgentCore. BUILT_IN: the app. CONTAINER: the container of runtime.container. */
  runtime_type?: AgentRuntimeType;
  /** What the runtime type needs. It is replaced as a whole. */
  runtime?: AgentRuntime | null;
  /** Model of the agent. It is replaced as a whole; null removes it. */
  llm?: AgentLlm | null;
  /** System prompt of the model; null empties it */
  system_prompt?: string | null;
  /** Task of the agent; null empties it */
  task_prompt?: string | null;
  /** Time limit of one run, in seconds */
  agent_timeout?: number;
  /** Limit of the requests to the model in one run */
  max_steps?: number;
  /** Limit of the input and output tokens of one run together, checked before each request; null removes it */
  max_tokens_per_run?: number | null;
  /** Calls that a person has to approve. destructive: of tools that say they destroy. writes: of all but those that say they only read. always, never: all calls, or none. */
  approve_tools?: AgentApproval;
  /** Tools whose calls a person has to approve whatever approve_tools says, named as the model sees them: <connection>__<tool>. The list is replaced as a whole; null empties it. */
  approve_tools_named?: Array<string> | null;
  /** Seconds that a call waits for approval; 0: no limit of its own */
  approval_timeout_s?: number;
  /** Nobody approved a call in time. reject: the call is rejected. cancel: the run is cancelled. */
  on_approval_timeout?: AgentOnApprovalTimeout;
  /** A server, store or search tool that the agent names is not available. fail: the run fails after three tries. continue: the model is told what is missing. */
  on_unavailable?: AgentOnUnavailable;
  /** JSON schema of an object that the answer of a run has to be, at most 16 KB; absent: any text */
  output_schema?: JsonObject | null;
  /** Whether the values of an answer are looked up in the data of its run; absent: where the agent has tools, knowledge bases or search tools; null removes it */
  check_evidence?: boolean | null;
  /** The answer has values that do not stand in the data of the run. mark: they are marked. ask_again: the model is asked once more. fail: the run fails. */
  on_unverified?: AgentOnUnverified;
  /** MCP connections whose tools the agent may call. The list is replaced as a whole; null empties it. */
  mcps?: Array<AgentMcp> | null;
  /** Names of the vector stores that the agent may search. The list is replaced as a whole; null empties it. */
  knowledge_bases?: Array<string> | null;
  /** Search tools that the agent may call, by names without prefix: those of the records, and spl, indexes, sourcetypes, fields, lookups, data_models, saved_searches. The list is replaced as a whole; null empties it. */
  search_tools?: Array<string> | null;
  acl?: AclInput;
  /** Condition: version that this change is based on. */
  version?: number;
};

/** Definition of the agent. The same fields are at the top level of the agent. */
export type AgentVersion = {
  /** Number of this version: 1 */
  version: number;
  /** Creating: the runtime is being created. Available: the agent can run. Failed: the creation failed, see state_reason; it can be retried. Deleting: the runtime is being removed. Delete Failed: the deletion failed and can be repeated. */
  state: Exclude<AgentState, "Deleted">;
  runtime?: AgentRuntime;
  llm?: AgentLlm;
  /** System prompt of the model */
  system_prompt: string;
  /** Task of the agent */
  task_prompt: string;
  /** Time limit of one run, in seconds */
  agent_timeout: number;
  /** Limit of the requests to the model in one run */
  max_steps: number;
  /** Limit of the input and output tokens of one run together, checked before each request; absent if there is none */
  max_tokens_per_run?: number;
  /** Calls that a person has to approve. destructive: of tools that say they destroy. writes: of all but those that say they only read. always, never: all calls, or none. */
  approve_tools: AgentApproval;
  /** Tools whose calls a person has to approve whatever approve_tools says, named as the model sees them: <connection>__<tool> */
  approve_tools_named: Array<string>;
  /** Seconds that a call waits for approval; 0: no limit of its own */
  approval_timeout_s: number;
  /** Nobody approved a call in time. reject: the call is rejected. cancel: the run is cancelled. */
  on_approval_timeout: AgentOnApprovalTimeout;
  /** A server, store or search tool that the agent names is not available. fail: the run fails after three tries. continue: the model is told what is missing. */
  on_unavailable: AgentOnUnavailable;
  /** JSON schema of an object that the answer of a run has to be, at most 16 KB; absent: any text */
  output_schema?: JsonObject;
  /** Whether the values of an answer are looked up in the data of its run; absent: where the agent has tools, knowledge bases or search tools */
  check_evidence?: boolean;
  /** The answer has values that do not stand in the data of the run. mark: they are marked. ask_again: the model is asked once more. fail: the run fails. */
  on_unverified: AgentOnUnverified;
  tools: AgentVersionTools;
  runtime_params: AgentVersionRuntimeParams;
};

/** The runtime in the cloud */
export type AgentVersionRuntimeParams = {
  /** Id of the runtime in the cloud; null while unknown, and without a cloud */
  runtime_id: string | null;
  /** ARN of the runtime; absent while unknown */
  runtime_arn?: string;
  /** Version of the runtime in the cloud; absent while unknown */
  runtime_version?: string;
};

/** Tools and vector stores of the agent */
export type AgentVersionTools = {
  /** MCP connections whose tools the agent may call */
  mcps: Array<AgentMcp>;
  /** Names of the vector stores that the agent may search */
  knowledge_bases: Array<string>;
  /** Search tools that the agent may call, by names without prefix: those of the records, and spl, indexes, sourcetypes, fields, lookups, data_models, saved_searches */
  search_tools: Array<string>;
};

/** Values for calls that do not set their own */
export type AliasDefaults = {
  /** Temperature: 0 is the most predictable */
  temperature?: number;
  /** Max output tokens */
  max_tokens?: number;
  /** Precedes the system message of the caller */
  system_prompt?: string;
};

/** Values for calls that do not set their own. Omitted values stay; null removes a value. */
export type AliasDefaultsInput = {
  /** Temperature: 0 is the most predictable */
  temperature?: number | null;
  /** Max output tokens */
  max_tokens?: number | null;
  /** Precedes the system message of the caller */
  system_prompt?: string | null;
};

export type AliasStrategy = "first" | "spread";

/** An LLM configuration that answers for an alias */
export type AliasTarget = {
  /** LLM provider, as LlmService names it */
  service: string;
  /** LLM connection, compared without regard to case */
  connection_name: string;
  /** The provider's id of the model, compared exactly */
  model: string;
  cooldown?: Cooldown;
};

export type AuditAction = "create" | "update" | "delete" | "test" | "tool_list" | "model_list" | "start" | "stop" | "log_read" | "upload" | "clone" | "retry" | "import" | "export" | "token_refresh" | "call" | "run" | "execute_tool" | "index" | "approve" | "reject" | "cancel";

/** Change of one field */
export type AuditChange = {
  /** Dotted path of the field; * stands for the changes beyond the first 200 or 64 KB */
  field: string;
  /** Value before, cut at 256 characters; absent if there was none */
  before?: JsonValue;
  /** Value after, cut at 256 characters; absent if there was none */
  after?: JsonValue;
  /** Change of a secret, whose values are never recorded */
  secret?: AuditChangeSecret;
};

export type AuditChangeSecret = "set" | "replaced" | "removed";

/** An attempted action; after completion only what it counts changes */
export type AuditEntry = {
  /** Id of the entry; ids sort by time */
  audit_id: string;
  /** When it began, epoch seconds with a fraction */
  time: number;
  /** User; splunk-system-user is the app itself */
  user: string;
  /** The attempted action */
  action: AuditAction;
  /** Resource family */
  family: ResourceFamily;
  /** Name or id of the record; several parts are joined with /, such as docker/lab. Empty if there is none. */
  name: string;
  /** Tool that was called; `name` is its connection */
  tool?: string;
  /** Result; unknown: the end could not be recorded */
  outcome: AuditOutcome;
  /** Code of the failure, or why the result is unknown */
  error_code?: string;
  /** Attempts that the entry stands for, if more than one: refusals of one user, action, family and code in a minute, refused records of an import; by one user in an hour reads of a log, runs of an agent or of definitions, calls of a tool (in one run or search) */
  count?: number;
  /** How many of these calls of a tool have failed */
  failed?: number;
  /** Run that was started or decided, or whose call it was; absent for several runs */
  run_id?: string;
  /** Search that called the tool, if the platform knows it */
  sid?: string;
  /** Changed fields of the record */
  changed: Array<AuditChange>;
  /** Version of the record before; absent if there was none */
  version_before?: number;
  /** Version of the record after; absent if there was none */
  version_after?: number;
  /** Id of the request, as in its failure and in the log */
  request_id: string;
  /** Duration in milliseconds, of all counted calls of a tool together; null until the end is recorded */
  duration_ms: number | null;
  /** Origin: REST, a search command, or the app itself */
  via: AuditEntryVia;
};

/** Record in config */
export type AuditEntryReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: AuditEntry;
};

export type AuditEntryVia = "rest" | "search" | "worker";

export type AuditOutcome = "success" | "fail" | "unknown";

/** Many small uses in one request */
export type BatchRequest = {
  /** What each item asks for */
  operation: BatchRequestOperation;
  /** Fields of every item */
  common?: Record<string, JsonValue>;
  /** Uses */
  items: Array<Record<string, JsonValue>>;
  /** Calls at a time (default 8) */
  parallel?: number;
  /** Calls that take longer fail with timeout (default 25) */
  deadline_s?: number;
  /** No call begins later. Default: deadline_s */
  begin_within_s?: number;
  /** Ask once for items that differ in id only; tools are called for each (default true) */
  dedup?: boolean;
  /** With chat and embed: ask nobody; estimate tokens and cost (default false) */
  dry_run?: boolean;
};

export type BatchRequestOperation = "chat" | "embed" | "tool" | "retrieve" | "predict";

/** Results of a batch */
export type BatchResult = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** In the order of the items */
  result: Array<BatchResultResultItem>;
  usage: BatchResultUsage;
};

/** Result of an item */
export type BatchResultResultItem = {
  /** Id of the item */
  id: string;
  /** not_reached: nothing was asked */
  status: ConfigurationResultOutcome;
  /** The body of the operation */
  response?: JsonObject;
  /** Code of a failed item */
  error_code?: string;
  /** Why it failed */
  message?: string;
  /** Whether trying again may help */
  should_retry?: boolean;
  /** Seconds to wait, if the provider said so */
  retry_after?: number;
};

/** Tokens of all calls, each counted once */
export type BatchResultUsage = {
  /** Tokens read */
  prompt_tokens: number;
  /** Tokens written */
  completion_tokens: number;
  /** The sum of both */
  total_tokens: number;
  /** US dollars; absent if no call has a price */
  cost?: number;
};

/** OpenAI's object with ml */
export type ChatCompletion = {
  /** Id of the answer */
  id: string;
  /** Kind of object */
  object: "chat.completion";
  /** Epoch seconds */
  created: number;
  /** The reference that was asked for */
  model: string;
  /** One answer */
  choices: Array<JsonObject>;
  usage: TokenUsage;
  ml: UseFacts;
};

/** OpenAI's Chat Completions request. Other fields go through to providers that speak OpenAI's dialect, and are not_supported elsewhere. */
export type ChatCompletionRequest = {
  /** An alias, `<connection>/<model>`, `<service>/<connection>/<model>`, the model of one configuration only, or `container/<model>` for a container that serves one. Default: the alias `default` */
  model?: string | null;
  /** The conversation, oldest first */
  messages: Array<ChatMessage>;
  /** Tools that the model may call */
  tools?: Array<ChatTool> | null;
  /** `auto`, `none`, `required`, or {type: function, function: {name}} */
  tool_choice?: JsonValue;
  /** Whether an answer may have several calls */
  parallel_tool_calls?: boolean | null;
  /** Longest answer; at most that of the configuration */
  max_tokens?: number | null;
  /** The same */
  max_completion_tokens?: number | null;
  /** Default: that of the configuration */
  temperature?: number | null;
  /** Nucleus sampling */
  top_p?: number | null;
  /** Sampling of this many tokens; 0 and -1: of all */
  top_k?: number | null;
  /** Texts that end the answer */
  stop?: string | Array<string> | null;
  /** For repeatable answers */
  seed?: number | null;
  /** Only 1 */
  n?: number | null;
  /** From -2 to 2 */
  frequency_penalty?: number | null;
  /** From -2 to 2 */
  presence_penalty?: number | null;
  /** Whether to return log probabilities */
  logprobs?: boolean | null;
  /** How many for each token */
  top_logprobs?: number | null;
  /** Token -> bias */
  logit_bias?: Record<string, number | null> | null;
  /** none, minimal, low, medium, high or xhigh */
  reasoning_effort?: string | null;
  /** low, medium or high */
  verbosity?: string | null;
  /** {type: text}, {type: json_object} or {type: json_schema, json_schema: {name, schema, strict}} */
  response_format?: JsonValue;
  /** Answer with a complete event stream */
  stream?: boolean | null;
  /** Options of the stream */
  stream_options?: ChatCompletionRequestStreamOptions | null;
  /** End user, a hint for the provider */
  user?: string | null;
  /** A hint for the provider */
  safety_identifier?: string | null;
  /** A hint for the provider */
  prompt_cache_key?: string | null;
  /** A hint for the provider */
  service_tier?: string | null;
  /** A hint for the provider */
  metadata?: Record<string, string | null> | null;
  /** A hint for the provider */
  store?: boolean | null;
  /** Leave out what the provider cannot do and name it in ml.warnings, instead of failing */
  drop_unsupported?: boolean | null;
  /** Fields whose values are masked, besides those that policies name */
  mask_fields?: Array<string> | null;
  /** The row that the texts were made of: values of named fields are masked wherever they stand */
  row?: JsonObject | null;
};

/** Options of the stream */
export type ChatCompletionRequestStreamOptions = {
  /** Whether the last chunk has the usage */
  include_usage?: boolean | null;
};

/** A message as in OpenAI's Chat Completions */
export type ChatMessage = {
  /** Who speaks */
  role: ChatMessageRole;
  /** Text, or parts: {type: text, text}, and of users and tools {type: image_url, image_url: {url}}, {type: file, file}; may be null beside tool_calls */
  content?: JsonValue;
  /** Name of the speaker */
  name?: string | null;
  /** Refusal of the model */
  refusal?: string | null;
  /** Calls of an assistant message */
  tool_calls?: Array<JsonValue> | null;
  /** Thoughts of an earlier answer, for the servers that gave them */
  reasoning_content?: string | null;
  /** The call that this message answers */
  tool_call_id?: string | null;
};

export type ChatMessageRole = "system" | "developer" | "user" | "assistant" | "tool";

/** A tool that the model may call */
export type ChatTool = {
  /** The only kind */
  type: "function";
  function: ChatToolFunction;
};

/** The tool */
export type ChatToolFunction = {
  /** Name of the tool */
  name: string;
  /** What it does */
  description?: string | null;
  /** JSON schema of the arguments */
  parameters?: JsonObject | null;
  /** Arguments must match the schema */
  strict?: boolean | null;
};

/** The connections after the check */
export type CheckConnectionHealthReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** All selected connections, tested or not */
  result: Array<ConnectionHealth & {
    /** Whether this call tested it */
    checked: boolean;
  }>;
};

/** Result of each copy */
export type CloneExperimentModelsReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Result of each copy, in the order of the request */
  result: Array<ModelCloneResult>;
};

/** Region of the endpoint and AWS credentials; a change keeps omitted fields */
export type CloudCredentialsInput = {
  /** AWS region of the endpoint; required to register */
  region?: string;
  /** AWS access key id; default: the credentials of the instance. null or '' unsets it. */
  access_key_id?: string | null;
  /** AWS secret access key. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  secret_access_key?: string | null;
  /** ARN of an IAM role to assume; null or '' unsets it */
  role_arn?: string | null;
};

/** Configuration as a file */
export type ConfigurationDocument = {
  /** Identifies these documents */
  format: "ml_extension";
  /** Version of the format */
  format_version: 1;
  /** The records, by family and name */
  records: Array<ConfigurationRecord>;
};

/** The records that the caller may read, as a document */
export type ConfigurationExport = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Configuration as a file: the same bytes for the same state */
  document: ConfigurationDocument & {
    /** The records, by family and name */
    records: Array<ConfigurationRecord & {
      /** Dotted paths of the secrets of the record; a dot within a key is escaped with a backslash */
      secrets: Array<string>;
      acl?: Acl;
    }>;
  };
  /** What was left out, apart from records that the caller may not read */
  not_included: Array<ConfigurationLeftOut>;
};

/** A document to plan with or to apply */
export type ConfigurationImport = {
  /** A document from an export, or a handwritten one */
  document: ConfigurationDocument;
  /** plan: report the changes. apply: make them. (default plan) */
  mode?: ConfigurationMode;
  /** Action for an existing record that differs: update it, skip it, or block it (default update) */
  on_existing?: ConfigurationImportOnExisting;
  secrets?: ConfigurationSecrets;
  /** Also create agents, whose runtimes cost money (default false) */
  include_agents?: boolean;
};

export type ConfigurationImportOnExisting = "update" | "skip" | "fail";

/** Result of the plan or import */
export type ConfigurationImportReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** plan: report the changes. apply: make them. (default plan) */
  mode: ConfigurationMode;
  summary: ConfigurationSummary;
  /** Result of each record, in the order of the document */
  result: Array<ConfigurationResult>;
};

/** Something that an export leaves out */
export type ConfigurationLeftOut = {
  /** What was left out */
  what: string;
  /** Why, and where to get it */
  why: string;
};

export type ConfigurationMode = "plan" | "apply";

/** A problem of a record */
export type ConfigurationProblem = {
  /** Dotted path in the spec, name, acl…; $record for the record as a whole */
  field: string;
  /** Description of the problem */
  message: string;
  /** Code that the endpoint of the family would answer */
  error_code?: string;
};

/** A record of a document */
export type ConfigurationRecord = {
  /** The family of a record */
  family: Exclude<ResourceFamily, "containers" | "models" | "feature-flags" | "configuration" | "connection-health" | "runs">;
  /** Name of the record in its family. LLM configurations: service/connection_name/model. Container connections: container_type/connection_name. Experiments: the title, with #2 and so on for further ones of the same title. */
  name: string;
  /** Body of the POST of the family, without secrets and acl */
  spec: JsonObject;
  /** Dotted paths of the secrets of the record; a dot within a key is escaped with a backslash */
  secrets?: Array<string>;
  /** Who may read and write the record */
  acl?: JsonObject;
};

/** Result of one record */
export type ConfigurationResult = {
  /** The family of a record */
  family: Exclude<ResourceFamily, "containers" | "models" | "feature-flags" | "configuration" | "connection-health" | "runs">;
  /** Name of the record in the document */
  name: string;
  /** create, update: the planned change. unchanged: no difference. skip: not touched. blocked: see problems. */
  action: ConfigurationResultAction;
  /** For an update: dotted paths of changed fields; secrets by path only */
  changed: Array<string>;
  /** Dotted paths of secrets that are neither stored nor sent */
  missing_secrets: Array<string>;
  /** Why it is blocked, skipped or failed */
  problems: Array<ConfigurationProblem>;
  /** Result of a create or update; not_reached: out of time, repeat the call */
  outcome?: ConfigurationResultOutcome;
  /** Code of the problem */
  error_code?: string;
};

export type ConfigurationResultAction = "create" | "update" | "unchanged" | "skip" | "blocked";

export type ConfigurationResultOutcome = "done" | "failed" | "not_reached";

/** Secrets of records, by family/name; at most 100 and 65536 characters a record. No reply contains them. Stored secrets stay unless replaced. */
export type ConfigurationSecrets = Record<string, TextMap>;

/** Number of records by action and outcome */
export type ConfigurationSummary = {
  /** Records that are to be created */
  create: number;
  /** Records that are to be updated */
  update: number;
  /** Records that match the document */
  unchanged: number;
  /** Records that are skipped */
  skip: number;
  /** Records that cannot be created or updated */
  blocked: number;
  /** Records that were created or updated */
  done: number;
  /** Records that could not be created or updated */
  failed: number;
  /** Records that are left for the next call for lack of time */
  not_reached: number;
};

/** Which connections to test */
export type ConnectionCheck = {
  /** The family that the connection belongs to */
  family?: "mcp-connections" | "llm-providers" | "container-connections" | "vector-stores" | "model-registrations" | "model_aliases" | "usage_limits" | "search_tools";
  /** Only connections with these names, compared without regard to case */
  names?: Array<string>;
  /** Skip connections tested within this many seconds (default 300) */
  max_age_s?: number;
};

/** Health of a connection, by its last test and the expiry of its credentials */
export type ConnectionHealth = {
  /** The family that the connection belongs to */
  family: "mcp-connections" | "llm-providers" | "container-connections" | "vector-stores" | "model-registrations" | "model_aliases" | "usage_limits" | "search_tools";
  /** Name within the family. LLM connections: service/connection_name. Container connections: type/connection_name if the name alone is ambiguous. */
  name: string;
  /** Type within the family: PLATFORM, General_Chat, docker, CLOUD_KB, cloud, alias, limit … */
  type: string;
  /** reauth_required: sign in again. failing: the last test failed, a credential has expired, or a usage limit is used up. expiring: a credential expires within 14 days, or 80 % of a usage limit is used. untested: no test so far. ok: the last test passed. */
  state: HealthState;
  /** Reason of the state, for a person */
  reason: string;
  /** Code of the failed test or of the expired certificate */
  error_code?: string;
  /** What to do about it */
  remedy?: string;
  last_test: LastTestIfAny;
  /** Earliest expiry of its credentials, epoch seconds: a token that the app cannot refresh, a client certificate or a CA certificate */
  expires_at?: number;
  cooldown?: Cooldown & {
    /** In connection health: the model, as <connection_name>/<model> */
    model: string;
  };
  drift?: ToolDrift;
  /** Tools of the MCP server that are new or have changed since they were accepted */
  unaccepted?: Array<string>;
  /** The readable agents and aliases that use it; for a container connection, the models that run on it */
  used_by: Array<string>;
  /** In a check: whether it was tested */
  checked?: boolean;
};

/** What is known of the container of a model. All values are texts. */
export type Container = {
  /** Id that the engine gave it; empty while there is none */
  id: string;
  /** Engine of the container */
  cluster: string;
  /** Address of the API, as the platform reaches it; empty while there is none */
  api_url: string;
  /** Address of the API, as browsers reach it; empty while there is none */
  api_url_external: string;
  /** Address of Jupyter; empty unless published */
  jupyter_url: string;
  /** Address of TensorBoard; empty unless published */
  tensorboard_url: string;
  /** Address of MLflow; empty unless published */
  mlflow_url: string;
  /** Address of Spark; empty unless published */
  spark_url: string;
  /** Waiting for Url to start; Active: the application answers; Unreachable: it no longer does; Failed: the engine says so; Stopped: the container is gone or has ended */
  status: string;
  /** Key of the image in the catalog */
  image: string;
  /** Reference of the image that was started */
  image_reference: string;
  /** How the application speaks: dsdl, v2, openai, mlflow, agent; auto until it has answered */
  protocol: string;
  /** Port of the API inside the container */
  api_port: string;
  /** Whether the application speaks https: true, false, or empty if the connection says it */
  https: string;
  /** DEV: exposes the API and the tools (Jupyter, TensorBoard, MLflow, Spark). PROD: exposes only the API. */
  mode: string;
  /** Container runtime: nvidia for GPU access, or None */
  runtime: string;
  /** Whether replicas follow the use of CPU: 0 or 1 */
  hpa_enabled: string;
  /** CPU request in millicores, such as 500m */
  min_cpu: string;
  /** CPU limit in millicores */
  max_cpu: string;
  /** Memory request, such as 512Mi or 4Gi */
  min_memory: string;
  /** Memory limit, such as 512Mi or 4Gi */
  max_memory: string;
  /** Fewest replicas */
  min_replicas: string;
  /** Most replicas */
  max_replicas: string;
  /** CPU utilization in percent at which replicas are added; empty unless they do */
  cpu_threshold_percent: string;
  /** Why it has this status, for programs, such as pulling or oom_killed; empty when all is well */
  status_reason: string;
  /** Why it has this status, for a person; empty when all is well */
  status_message: string;
  /** Since when it has this status: ISO 8601, UTC */
  status_since: string;
  /** Why the last call to the application failed, such as timeout, refused or token_rejected; empty if it did not */
  probe_error: string;
  /** How often the engine has restarted it */
  restarts: string;
  /** What a person can do about status_reason; empty where nothing is to be done */
  remedy: string;
  /** Name of the connection that it runs through */
  connection_name: string;
  /** Name of the container or deployment on the engine */
  container_name: string;
};

/** A connection to an engine that runs containers; what is not set is absent */
export type ContainerConnection = {
  /** The engine of the connection */
  container_type: ContainerType;
  /** Name of the connection, as it was written when it was created */
  connection_name: string;
  /** Address of the Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
  docker_url?: string;
  /** Whether the application is told to serve https */
  container_enable_https?: string;
  /** Host at which the platform reaches containers; the engine's own unless given */
  endpoint_hostname?: string;
  /** Host at which browsers reach containers; endpoint_hostname unless given */
  endpoint_hostname_external?: string;
  /** Docker network that containers join; it has to exist */
  docker_network?: string;
  /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
  docker_logging_endpoint_hostname?: string;
  /** How the app shows the cluster who it is: client certificate, bearer token, user and password, role in the cloud, or token of a service account */
  auth_mode?: string;
  /** Address of the cluster's API; not needed inside the cluster, and found by its name for cloud-iam */
  cluster_url?: string;
  /** CA certificates that the engine is verified with, instead of those of the system: PEM, base64 of PEM, or the path of a file in an allowed folder */
  cluster_ca?: string;
  /** Certificate that the app shows the engine: PEM, base64 of PEM, or the path of a file in an allowed folder */
  client_cert?: string;
  /** Name of the user, for auth_mode user-login */
  user_name?: string;
  /** Name of the cluster in the cloud, for auth_mode cloud-iam */
  cloud_cluster_name?: string;
  /** Access key id, for auth_mode cloud-iam; without keys, the instance's own role is used */
  cloud_access_key_id?: string;
  /** Region of the cloud, for auth_mode cloud-iam */
  cloud_region_name?: string;
  /** Secrets of the namespace that images are pulled with: their names, comma-separated, or None */
  image_pull_secrets?: string;
  /** '1': the platform runs as a pod of the cluster */
  in_cluster_mode?: string;
  /** Namespace that everything is made in; it has to exist */
  namespace?: string;
  /** Security of pods: 'restricted' fits the restricted Pod Security Standard (no root, no capabilities, seccomp), 'openshift' its SCC, which gives user and group itself */
  pod_security?: string;
  /** Storage class of the volume for /srv; the cluster's default class unless given */
  storage_class?: string;
  /** How containers are reached from outside the cluster */
  service_type?: string;
  /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} may be used too */
  ingress_host_pattern?: string;
  /** Annotations of ingresses: a JSON object, as a text */
  ingress_annotations?: string;
  /** Host at which the platform reaches node ports; that of cluster_url unless given */
  node_port_hostname_internal?: string;
  /** Host at which browsers reach node ports; node_port_hostname_internal unless given */
  node_port_hostname_external?: string;
  /** Whether containers export traces */
  obs_enabled?: string;
  /** Address that containers send their traces to, over OTLP */
  obs_otel_endpoint?: string;
  /** Service that the traces are filed under */
  obs_otel_service_name?: string;
  /** Whether notebooks may search the platform */
  platform_access_enabled?: string;
  /** Host of the platform, as containers reach it */
  platform_access_host?: string;
  /** Management port of the platform */
  platform_access_port?: string;
  /** Whether notebooks may send events to the platform */
  platform_ingest_enabled?: string;
  /** Address that notebooks send events to, as containers reach it */
  platform_ingest_url?: string;
  /** Whether the certificate of a container has to name its host; 'false' unless given */
  endpoint_cert_check_hostname?: string;
  /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
  endpoint_cert_filename_or_path?: string;
  /** Token that the application asks for; 64 random characters where there would be none; ***MASKED*** when one is stored */
  api_token?: string;
  /** Hash of the Jupyter password, in the form that the application takes; ***MASKED*** when one is stored */
  jupyter_passwd?: string;
  /** Ingest token of the Docker log driver; ***MASKED*** when one is stored */
  docker_logging_platform_token?: string;
  /** Private key of client_cert: PEM, base64 of PEM, or the path of a file in an allowed folder; ***MASKED*** when one is stored */
  client_key?: string;
  /** Bearer token, for auth_mode user-token; ***MASKED*** when one is stored */
  user_token?: string;
  /** Password of the user, for auth_mode user-login; ***MASKED*** when one is stored */
  user_password?: string;
  /** Secret access key, for auth_mode cloud-iam; ***MASKED*** when one is stored */
  cloud_secret_access_key?: string;
  /** Token of the service account, for auth_mode service-account; the pod's own inside the cluster; ***MASKED*** when one is stored */
  service_account_token?: string;
  /** Token for obs_otel_endpoint; ***MASKED*** when one is stored */
  obs_access_token?: string;
  /** Token with which notebooks search the platform; ***MASKED*** when one is stored */
  platform_access_token?: string;
  /** Token for platform_ingest_url; ***MASKED*** when one is stored */
  platform_ingest_token?: string;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
  /** Host of the first login server that the cluster named, for auth_mode user-login; the password goes to no other one */
  login_host?: string;
  last_test?: LastTest;
};

/** A connection to an engine. With is_edit, what is left out stays (a client that fills in defaults must leave them out then); null or an empty text unsets a field, which then has its default again. Fields of the other engines mean nothing. */
export type ContainerConnectionInput = {
  /** The engine of the connection */
  container_type: ContainerType;
  /** Name of the connection, unique among those of its type without regard to case */
  connection_name: string;
  /** 'true' changes the connection of this name, otherwise it is a new one; never stored */
  is_edit?: Flag;
  /** Condition: the version that this change is based on. */
  version?: number | string;
  /** Address of the Docker daemon: unix:///path, tcp://host:port or http(s)://host[:port] */
  docker_url?: string;
  /** Whether the application is told to serve https (default false) */
  container_enable_https?: Exclude<Flag, "1" | "0">;
  /** Host at which the platform reaches containers; the engine's own unless given */
  endpoint_hostname?: string;
  /** Host at which browsers reach containers; endpoint_hostname unless given */
  endpoint_hostname_external?: string;
  /** Docker network that containers join; it has to exist */
  docker_network?: string;
  /** Ingest endpoint of the Docker log driver: host[:port] or URL (default https, 8088) */
  docker_logging_endpoint_hostname?: string;
  /** How the app shows the cluster who it is: client certificate, bearer token, user and password, role in the cloud, or token of a service account */
  auth_mode?: KubernetesAuthMode;
  /** Address of the cluster's API; not needed inside the cluster, and found by its name for cloud-iam */
  cluster_url?: string;
  /** CA certificates that the engine is verified with, instead of those of the system: PEM, base64 of PEM, or the path of a file in an allowed folder */
  cluster_ca?: string;
  /** Certificate that the app shows the engine: PEM, base64 of PEM, or the path of a file in an allowed folder */
  client_cert?: string;
  /** Name of the user, for auth_mode user-login */
  user_name?: string;
  /** Name of the cluster in the cloud, for auth_mode cloud-iam */
  cloud_cluster_name?: string;
  /** Access key id, for auth_mode cloud-iam; without keys, the instance's own role is used */
  cloud_access_key_id?: string;
  /** Region of the cloud, for auth_mode cloud-iam */
  cloud_region_name?: string;
  /** Secrets of the namespace that images are pulled with: their names, comma-separated, or None (default None) */
  image_pull_secrets?: string;
  /** '1': the platform runs as a pod of the cluster (default 0) */
  in_cluster_mode?: Exclude<Flag, "true" | "false">;
  /** Namespace that everything is made in; it has to exist (default default) */
  namespace?: string;
  /** Security of pods: 'restricted' fits the restricted Pod Security Standard (no root, no capabilities, seccomp), 'openshift' its SCC, which gives user and group itself (default default) */
  pod_security?: PodSecurity;
  /** Storage class of the volume for /srv; the cluster's default class unless given */
  storage_class?: string;
  /** How containers are reached from outside the cluster (default nodeport) */
  service_type?: KubernetesServiceType;
  /** Host of an ingress: * stands for <name>-<port>; {name}, {port} and {namespace} may be used too */
  ingress_host_pattern?: string;
  /** Annotations of ingresses: a JSON object, as a text */
  ingress_annotations?: string;
  /** Host at which the platform reaches node ports; that of cluster_url unless given */
  node_port_hostname_internal?: string;
  /** Host at which browsers reach node ports; node_port_hostname_internal unless given */
  node_port_hostname_external?: string;
  /** Whether containers export traces */
  obs_enabled?: Flag;
  /** Address that containers send their traces to, over OTLP */
  obs_otel_endpoint?: string;
  /** Service that the traces are filed under */
  obs_otel_service_name?: string;
  /** Whether notebooks may search the platform */
  platform_access_enabled?: Flag;
  /** Host of the platform, as containers reach it */
  platform_access_host?: string;
  /** Management port of the platform */
  platform_access_port?: string;
  /** Whether notebooks may send events to the platform */
  platform_ingest_enabled?: Flag;
  /** Address that notebooks send events to, as containers reach it */
  platform_ingest_url?: string;
  /** Whether the certificate of a container has to name its host; 'false' unless given */
  endpoint_cert_check_hostname?: Flag;
  /** Certificates that containers may show: PEM, base64 of PEM, or the path of a file in an allowed folder */
  endpoint_cert_filename_or_path?: string;
  /** Token that the application asks for; 64 random characters where there would be none. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  api_token?: string;
  /** Hash of the Jupyter password, in the form that the application takes. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  jupyter_passwd?: string;
  /** Ingest token of the Docker log driver. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  docker_logging_platform_token?: string;
  /** Private key of client_cert: PEM, base64 of PEM, or the path of a file in an allowed folder. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  client_key?: string;
  /** Bearer token, for auth_mode user-token. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  user_token?: string;
  /** Password of the user, for auth_mode user-login. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  user_password?: string;
  /** Secret access key, for auth_mode cloud-iam. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  cloud_secret_access_key?: string;
  /** Token of the service account, for auth_mode service-account; the pod's own inside the cluster. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  service_account_token?: string;
  /** Token for obs_otel_endpoint. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  obs_access_token?: string;
  /** Token with which notebooks search the platform. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  platform_access_token?: string;
  /** Token for platform_ingest_url. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  platform_ingest_token?: string;
};

/** Endpoints about containers take their fields under the key payload */
export type ContainerConnectionInputPayload = {
  payload: ContainerConnectionInput;
};

/** Page of the list in result; with name=, the record in config */
export type ContainerConnectionList = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result?: Array<ContainerConnection>;
  pagination?: Pagination;
  config?: ContainerConnection;
};

/** Record in config */
export type ContainerConnectionReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: ContainerConnection;
};

/** The connection, as it was saved */
export type ContainerConnectionSaved = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  updated_config: ContainerConnection;
};

/** An image that containers can be started from */
export type ContainerImage = {
  /** What a form calls the image */
  label: string;
  /** Reference of the image: repository, name and tag */
  image: string;
};

/** One line */
export type ContainerLogLine = {
  /** ISO 8601, UTC with milliseconds, from the engine's own timestamp */
  _time: string;
  /** The line, without its line break */
  log: string;
};

/** A part of the log of a container */
export type ContainerLogs = {
  /** The lines of all replicas, oldest first */
  entries: Array<ContainerLogLine>;
};

/** Which part of the log of a container to read */
export type ContainerLogsQuery = {
  /** Name of the model that the container serves, compared without regard to case */
  model: string;
  /** How many of the newest lines, 1 to 10000, over all replicas; empty asks for the default (default 1000) */
  tail?: string;
  /** Only lines from this time on: ISO 8601, or a whole number of seconds to go back; empty means all */
  since?: string;
  /** 'true': the log of the instance before the last crash (default false) */
  previous?: Flag;
};

/** Endpoints about containers take their fields under the key payload */
export type ContainerLogsQueryPayload = {
  payload: ContainerLogsQuery;
};

/** A container to start. All values are texts; an empty one asks for the default. */
export type ContainerStart = {
  /** Key of the image in the catalog */
  image: string;
  /** Name of the model that the container serves, compared without regard to case */
  model: string;
  /** Engine of the container (default docker) */
  cluster?: ContainerStartCluster;
  /** Connection to the engine; required if there are several */
  connection_name?: string;
  /** DEV: exposes the API and the tools (Jupyter, TensorBoard, MLflow, Spark). PROD: exposes only the API. (default DEV) */
  mode?: ContainerStartMode;
  /** Container runtime: nvidia for GPU access, or None; the catalog lists those of the image (default None) */
  runtime?: ContainerStartRuntime;
  /** Whether to scale replicas by CPU utilization; only for kubernetes (default 0) */
  hpa_enabled?: Flag;
  /** CPU request in millicores, such as 500m (default 500m) */
  min_cpu?: string;
  /** CPU limit in millicores; not less than min_cpu (default 1000m) */
  max_cpu?: string;
  /** Memory request, such as 512Mi or 4Gi (default 1Gi) */
  min_memory?: string;
  /** Memory limit, such as 512Mi or 4Gi; not less than min_memory (default 4Gi) */
  max_memory?: string;
  /** Fewest replicas, 1 to 100; without hpa_enabled, how many there are (default 1) */
  min_replicas?: string;
  /** Most replicas, 1 to 100, not less than min_replicas; needed with hpa_enabled (default 1) */
  max_replicas?: string;
  /** CPU utilization in percent at which replicas are added, 1 to 100; needed with hpa_enabled */
  cpu_threshold_percent?: string;
};

export type ContainerStartCluster = "" | "docker" | "kubernetes";

export type ContainerStartMode = "" | "DEV" | "PROD";

/** Endpoints about containers take their fields under the key payload */
export type ContainerStartPayload = {
  payload: ContainerStart;
};

export type ContainerStartRuntime = "" | "None" | "nvidia";

/** Which container to stop */
export type ContainerStop = {
  /** Name of the model that the container serves, compared without regard to case */
  model: string;
};

/** Endpoints about containers take their fields under the key payload */
export type ContainerStopPayload = {
  payload: ContainerStop;
};

/** A container that was stopped */
export type ContainerStopped = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the model that it serves */
  model: string;
  /** Engine of the container */
  cluster: string;
  /** Status that it had when it was stopped */
  previous_status: string;
};

export type ContainerType = "docker" | "kubernetes";

/** After a failed call, aliases ask a model only where no other is left */
export type Cooldown = {
  /** When it ends, epoch seconds. A success or a successful test ends it earlier. */
  until: number;
  /** Code of the failed call */
  reason: string;
  /** In connection health: the model, as <connection_name>/<model> */
  model?: string;
};

/** Anthropic's object with ml */
export type CountTokensObject = {
  /** Tokens of the prompt, rather too many than too few */
  input_tokens: number;
  ml: CountTokensObjectMl;
};

/** How the count came about */
export type CountTokensObjectMl = {
  /** Made here, without asking a provider */
  estimated: true;
};

/** Anthropic's request to count the tokens of a prompt */
export type CountTokensRequest = {
  /** An alias, `<connection>/<model>`, `<service>/<connection>/<model>`, the model of one configuration only, or `container/<model>` for a container that serves one. Default: the alias `default` */
  model?: string | null;
  /** The conversation, oldest first */
  messages: Array<MessagesMessage>;
  /** Instructions: a text, or blocks of text */
  system?: string | Array<JsonValue> | null;
  /** Tools that the model may call */
  tools?: Array<MessagesTool> | null;
  /** {type: auto | any | none, disable_parallel_tool_use}, or {type: tool, name, disable_parallel_tool_use} */
  tool_choice?: JsonValue;
  /** {type: disabled | adaptive | enabled, budget_tokens, display}: becomes a reasoning effort */
  thinking?: JsonValue;
  /** {effort, format: {type: json_schema, schema}} */
  output_config?: JsonValue;
  /** The older place of output_config.format */
  output_format?: JsonValue;
  /** A mark at the end of the last message */
  cache_control?: JsonValue;
  /** {edits}: keeping all is what happens anyway; the others are left out */
  context_management?: JsonValue;
};

/** The new experiment with its id */
export type CreateExperimentReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
  experiment_id: string;
  config: Experiment;
};

/** Choices of the caller about curated time series models */
export type CtsmReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** The caller does not want curated time series models */
  ctsm_opt_out: boolean;
  /** The caller has acknowledged the prompt */
  ctsm_acknowledge: boolean;
  /** When first acknowledged, epoch seconds with a fraction */
  acknowledged_at?: number;
};

/** The connection that was deleted */
export type DeleteContainerConnectionReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** The engine of the connection */
  container_type: ContainerType;
  /** Name of the connection, as it was written when it was created */
  connection_name: string;
};

/** Documents to delete: ids, or all */
export type DeleteDocumentsRequest = {
  /** Name of a vector store that you may change */
  store: string;
  /** Documents to delete */
  ids?: Array<string>;
  /** Delete all documents, in place of ids */
  all?: true;
};

/** What was deleted */
export type DeleteDocumentsResult = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Documents deleted */
  deleted: number;
};

/** What was deleted */
export type DeleteExperimentReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
  experiment_id: string;
  /** Names of the deleted models; warnings name those that could not be deleted */
  deleted_models: Array<string>;
  /** How many history entries were deleted with it */
  deleted_history: number;
};

/** The configuration that was deleted */
export type DeleteLlmConfigurationReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** The provider: General_Chat is OpenAI, Enterprise_Cloud_Chat Azure, Assistant_Family Anthropic, Cloud_Model_Hub Amazon Bedrock, Fast_Inference Groq, Search_Vendor_Models Gemini, Local_Runtime Ollama, Platform_Hosted_Models the site itself, or Splunk for its tenant */
  service: LlmService;
  /** What the provider's connection is called, compared without regard to case; the first spelling stays */
  connection_name: string;
  /** The provider's id of the model, compared exactly; it may hold / and : */
  model: string;
};

/** The model that was deleted */
export type DeleteModelReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the model */
  model_name: string;
  /** User whose model it is */
  owner: string;
  /** Who can see it, in the words of the platform: its owner, users of the app, users of all apps */
  sharing: Sharing;
};

/** What was deleted */
export type DeleteRegistrationReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the registration that was deleted */
  model_name: string;
};

/** A page of documents */
export type DocumentListReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result: Array<StoreDocument>;
  pagination: Pagination;
};

/** A driver process of the app */
export type Driver = {
  /** Process id on its host */
  pid: number;
  /** Runtime and version */
  runtime: string;
  /** Uptime in seconds */
  uptime_s: number;
  /** Resident set size in bytes */
  memory_bytes: number;
  /** Requests served, including this one */
  requests: number;
};

/** OpenAI's object with ml */
export type EmbeddingList = {
  /** Kind of object */
  object: "list";
  /** One entry for each input, in order */
  data: Array<JsonObject>;
  /** The reference that was asked for */
  model: string;
  usage: TokenUsage;
  ml: UseFacts;
};

/** OpenAI's Embeddings request with input_type */
export type EmbeddingRequest = {
  /** An alias, `<connection>/<model>`, `<service>/<connection>/<model>`, the model of one configuration only, or `container/<model>` for a container that serves one. Default: the alias `default` */
  model?: string | null;
  /** A text, up to 2048 texts, or token ids for providers that take them */
  input: JsonValue;
  /** Length of each vector */
  dimensions?: number | null;
  /** Form of the vectors; base64 of little-endian float32 */
  encoding_format?: EmbeddingRequestEncodingFormat | null;
  /** What the texts are, for models that tell them apart */
  input_type?: EmbeddingRequestInputType | null;
  /** End user, a hint for the provider */
  user?: string | null;
  /** Fields whose values are masked, besides those that policies name */
  mask_fields?: Array<string> | null;
  /** The row that the texts were made of: values of named fields are masked wherever they stand */
  row?: JsonObject | null;
};

export type EmbeddingRequestEncodingFormat = "float" | "base64";

export type EmbeddingRequestInputType = "document" | "query";

/** What went wrong, for programs; docs/errors.md describes each code. */
export type ErrorCode = "ambiguous_reference" | "content_filtered" | "content_refused" | "context_length_exceeded" | "endpoint_not_found" | "endpoint_not_in_service" | "malformed_json" | "masked_value_without_stored_secret" | "model_not_runnable" | "search_failed" | "search_not_allowed" | "secret_required_for_new_host" | "store_full" | "tool_changed" | "unknown_reference" | "validation_failed" | "acl_denied" | "feature_disabled" | "missing_capability" | "origin_not_allowed" | "system_user" | "kb_not_found" | "not_found" | "tool_not_found" | "unknown_endpoint" | "method_not_allowed" | "already_exists" | "already_running" | "duplicate_name" | "in_use" | "invalid_state" | "verification_refused" | "version_conflict" | "payload_too_large" | "limit_exceeded" | "rate_limited" | "too_many_records" | "too_many_requests" | "too_many_runs" | "too_many_searches" | "internal_error" | "unreadable_record" | "verification_failed" | "auth_failed" | "bad_request" | "blocked_by_policy" | "configuration_invalid" | "connection_refused" | "connection_reset" | "dns_failed" | "invalid_structured_output" | "kb_not_active" | "model_not_found" | "model_not_invokable" | "not_supported" | "permission_denied" | "quota_exceeded" | "tls_expired" | "tls_hostname_mismatch" | "tls_protocol" | "tls_untrusted" | "upstream_error" | "busy" | "masking_failed" | "newer_schema" | "runtime_missing" | "store_unavailable" | "timeout" | "upstream_timeout";

/** A usage limit that is used up, or reserved: if several, the one that resets last */
export type ExceededLimit = {
  /** Name of the limit */
  name: string;
  /** What is used up */
  of: ExceededLimitOf;
  /** After which time the limit resets */
  window: LimitWindow;
  /** Whether each user has the amount, or all together */
  per: LimitSubject;
  /** What is used of it, without what calls under way have reserved */
  used: number;
  /** What calls under way have reserved; present where the use would fit without it, so that trying again soon helps */
  reserved?: number;
  /** What it allows */
  most: number;
  /** When it resets, epoch seconds */
  resets_at: number;
};

export type ExceededLimitOf = "requests" | "tokens" | "cost";

/** A machine-learning workflow: its data, stages and models */
export type Experiment = {
  /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
  experiment_id: string;
  /** Title; need not be unique */
  title: string;
  /** Description of the experiment, in free text */
  description: string;
  /** Kind of workflow; it cannot change */
  type: ExperimentType;
  data_source?: ExperimentDataSource & {
    /** Kind of data source: a search of events, a dataset, a data model or metrics. Default: search. */
    type: ExperimentDataSourceType;
    /** A search, or a part of one, in SPL */
    search?: string;
    /** Start of the time range, as the platform takes it: relative (-7d@d), epoch seconds or a date */
    earliest?: string | number;
    /** End of the time range, as the platform takes it: relative (-7d@d), epoch seconds or a date */
    latest?: string | number;
  };
  /** Steps of the workflow, in order; in lists only with detail=true */
  search_stages?: Array<SearchStage>;
  /** Measurements, with keys and values of the caller; at most 32 levels deep */
  statistics: Record<string, JsonValue>;
  /** Status of the experiment, set by callers */
  status: ExperimentStatus;
  /** Names of the models in the stages; set by the server */
  models: Array<string>;
  schedule?: ExperimentSchedule & {
    /** Whether the schedule is enabled */
    enabled: boolean;
  };
  /** Keywords for searches */
  tags: Array<string>;
  acl: Acl;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
};

/** A new experiment, at most 1 MB as JSON */
export type ExperimentCreate = {
  /** Title; need not be unique */
  title: string;
  /** Kind of workflow; it cannot change */
  type: ExperimentType;
  /** Description of the experiment, in free text; null empties it */
  description?: string | null;
  /** Where the data of the experiment comes from */
  data_source?: ExperimentDataSource | null;
  /** Steps of the workflow, in order. The list is replaced as a whole; null empties it. */
  search_stages?: Array<SearchStage> | null;
  /** Measurements, with keys and values of the caller; at most 32 levels deep */
  statistics?: Record<string, JsonValue> | null;
  /** Status of the experiment, set by callers (default draft) */
  status?: ExperimentStatus;
  /** Keywords for searches. The list is replaced as a whole; null empties it. */
  tags?: Array<string> | null;
  acl?: AclInput;
  /** Training schedule. The app stores it and does not start anything. */
  schedule?: ExperimentSchedule | null;
};

/** Where the data of the experiment comes from */
export type ExperimentDataSource = {
  /** Kind of data source: a search of events, a dataset, a data model or metrics. Default: search. */
  type?: ExperimentDataSourceType;
  /** A search, or a part of one, in SPL */
  search?: string | null;
  /** Start of the time range, as the platform takes it: relative (-7d@d), epoch seconds or a date */
  earliest?: string | number | null;
  /** End of the time range, as the platform takes it: relative (-7d@d), epoch seconds or a date */
  latest?: string | number | null;
};

export type ExperimentDataSourceType = "search" | "dataset" | "datamodel" | "metrics";

/** Record in config */
export type ExperimentReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: Experiment;
};

/** Training schedule. The app stores it and does not start anything. */
export type ExperimentSchedule = {
  /** Cron schedule with five fields: minute, hour, day of the month, month, day of the week */
  cron: string;
  /** Whether the schedule is enabled (default true) */
  enabled?: boolean;
};

/** Training schedule. The app stores it and does not start anything. */
export type ExperimentScheduleUpdate = {
  /** Cron schedule with five fields: minute, hour, day of the month, month, day of the week */
  cron?: string;
  /** Whether the schedule is enabled */
  enabled?: boolean;
};

export type ExperimentStatus = "draft" | "trained" | "published";

export type ExperimentType = "predict_numeric_fields" | "predict_categorical_fields" | "detect_numeric_outliers" | "detect_categorical_outliers" | "forecast_time_series" | "cluster_numeric_events" | "smart_forecast" | "smart_outlier_detection" | "smart_clustering" | "smart_prediction";

/** A change of an experiment: objects merge, lists are replaced, null unsets, omitted fields stay */
export type ExperimentUpdate = {
  /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
  experiment_id?: string;
  /** Title; need not be unique */
  title?: string;
  /** Kind of workflow; it cannot change */
  type?: ExperimentType;
  /** Description of the experiment, in free text; null empties it */
  description?: string | null;
  /** Where the data of the experiment comes from */
  data_source?: ExperimentDataSource | null;
  /** Steps of the workflow, in order. The list is replaced as a whole; null empties it. */
  search_stages?: Array<SearchStage> | null;
  /** Measurements, with keys and values of the caller; at most 32 levels deep */
  statistics?: Record<string, JsonValue> | null;
  /** Status of the experiment, set by callers */
  status?: ExperimentStatus;
  /** Keywords for searches. The list is replaced as a whole; null empties it. */
  tags?: Array<string> | null;
  acl?: AclInput;
  /** Training schedule. The app stores it and does not start anything. */
  schedule?: ExperimentScheduleUpdate | null;
  /** Condition: version that this change is based on. */
  version?: number;
};

/** A failed call. The fields that are not required depend on error_code. */
export type Failure = {
  /** Distinguishes a failure from a success */
  status: "fail";
  error_code: ErrorCode;
  /** What went wrong, for a person */
  message: string;
  /** What a person can do about this code */
  remedy: string;
  /** Id of this request, which the log has too */
  request_id: string;
  /** The message once more, in the platform's form */
  messages: Array<FailureMessage>;
  /** Every problem found (400) */
  errors?: Array<FieldProblem>;
  /** Capabilities that the call needs (missing_capability) */
  required?: Array<string>;
  /** The version of the record now (version_conflict) */
  current_version?: number;
  /** Records that use it, as far as the caller may know (in_use) */
  used_by?: Array<string>;
  /** Code of the test that failed (verification_refused), or of the first problem (verification_failed) */
  cause?: string;
  /** Every problem found (verification_failed) */
  problems?: Array<string>;
  /** The state of the agent now */
  state?: string;
  /** The agent whose runtime failed */
  agent_name?: string;
  /** The status of the SageMaker endpoint (endpoint_not_in_service) */
  endpoint_status?: string | null;
  /** The size limit in bytes (payload_too_large), or the usage limit (limit_exceeded) */
  limit?: number | ExceededLimit;
  /** Why a container did not start, as in `status_reason` of its record; why the stores are not available (store_unavailable); why nobody has the capability (missing_capability) */
  reason?: string;
  /** Seconds to wait, if the server said so */
  retry_after?: number;
  /** false where a repetition does not help, such as with a disabled KV store, or may do harm, such as a call of a tool that may have run. Below /ai_gateway the header `x-should-retry` says it, too */
  should_retry?: boolean;
  /** Fields that were ignored, and other remarks */
  warnings?: Array<string>;
  /** The outcome for each model (already_exists of clone_models) */
  result?: Array<JsonObject>;
  /** References that fit one model each (ambiguous_reference) */
  candidates?: Array<string>;
  /** Command that is not allowed; null if another part of the search is (search_not_allowed) */
  command?: string | null;
  /** Place of that in the search, from 0 (search_not_allowed) */
  position?: number;
  /** Kinds of values that a masking policy refuses, each with its count of places (content_refused) */
  kinds?: Array<JsonObject>;
  /** Id of the search job (search_failed, too_many_searches) */
  sid?: string;
  /** Field of the request that failed, below /ai_gateway */
  param?: string;
  /** Azure's reason (content_filtered) */
  innererror?: JsonObject;
  /** Of an alias: model and error_code of each target that was asked */
  attempts?: Array<JsonObject>;
  /** Below /ai_gateway/v1, the same for clients of OpenAI: message, type, code, param; below /ai_gateway/v1/messages for those of Anthropic: type, message */
  error?: JsonObject;
  /** Below /ai_gateway/v1/messages: that it is an error, for clients of Anthropic */
  type?: "error";
  /** false: the listing of MCP tools failed */
  success?: boolean;
  /** Of a listing of MCP tools: the server that was asked */
  data?: JsonObject;
};

/** A message as the platform writes them */
export type FailureMessage = {
  /** The severity, in the platform's words */
  type: "ERROR";
  /** The same as message */
  text: string;
};

export type FallbackCode = "rate_limited" | "quota_exceeded" | "timeout" | "upstream_error" | "connection_refused" | "connection_reset" | "dns_failed" | "model_not_found";

/** Source of each value */
export type FeatureFlagSources = {
  /** conf: set in ml_extension.conf [feature_flags]; default: not set there */
  agent_builder: FlagSource;
  /** conf: set in ml_extension.conf [feature_flags]; default: not set there */
  ctsm: FlagSource;
  /** conf: set in ml_extension.conf [feature_flags]; default: not set there */
  vector_stores: FlagSource;
  /** conf: set in ml_extension.conf [feature_flags]; default: not set there */
  mcp_connections: FlagSource;
  /** conf: set in ml_extension.conf [feature_flags]; default: not set there */
  containers: FlagSource;
  /** conf: set in ml_extension.conf [feature_flags]; default: not set there */
  experiments: FlagSource;
  /** conf: set in ml_extension.conf [feature_flags]; default: not set there */
  llm_providers: FlagSource;
  /** conf: set in ml_extension.conf [feature_flags]; default: not set there */
  model_upload: FlagSource;
  /** conf: set in ml_extension.conf [feature_flags]; default: not set there */
  model_registration: FlagSource;
  /** conf: set in ml_extension.conf [feature_flags]; default: not set there */
  search_tools: FlagSource;
};

/** The flags; with its flag off, a family is read-only */
export type FeatureFlags = {
  /** Whether agents can be created, changed and deleted */
  agent_builder: boolean;
  /** Whether users can decide about curated time series models */
  ctsm: boolean;
  /** Whether vector stores can be changed and tested */
  vector_stores: boolean;
  /** Whether MCP connections can be changed, tested and asked for their tools */
  mcp_connections: boolean;
  /** Whether containers can be started and stopped, and their connections changed and tested */
  containers: boolean;
  /** Whether experiments can be changed, with their history and models */
  experiments: boolean;
  /** Whether LLM configurations can be changed and tested */
  llm_providers: boolean;
  /** Whether models can be uploaded and deleted */
  model_upload: boolean;
  /** Whether models in the cloud can be registered, changed and tested */
  model_registration: boolean;
  /** Whether search tools can be changed and tested, and searches can be made as tools */
  search_tools: boolean;
};

/** A problem with one field */
export type FieldProblem = {
  /** Dotted path of the field, or the name of the parameter or header; $body for the whole body */
  field: string;
  /** The problem, for a person; never quotes the value */
  message: string;
};

export type Flag = "" | "true" | "false" | "1" | "0";

export type FlagSource = "default" | "conf";

/** A model that the caller may use */
export type GatewayModel = {
  /** A model reference */
  id: string;
  /** Kind of object */
  object: "model";
  /** Epoch seconds */
  created: number;
  /** Service of the model; `alias` for an alias */
  owned_by: string;
  /** Kind of object, in Anthropic's words */
  type: "model";
  /** The same as id */
  display_name: string;
  /** The same as created, as ISO 8601 */
  created_at: string;
};

/** The models that the caller may use, with the members of OpenAI's list and of Anthropic's */
export type GatewayModelList = {
  /** Kind of object */
  object: "list";
  /** Aliases first */
  data: Array<GatewayModel>;
  /** The list is whole */
  has_more: false;
  /** Id of the first model */
  first_id: string | null;
  /** Id of the last model */
  last_id: string | null;
};

/** The gateway */
export type GatewayProbe = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Version of the app */
  version: string;
};

/** The flag of the agents */
export type GetAgentFeatureFlagReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Whether agents can be created and changed */
  agent_builder_feature_enabled: boolean;
};

/** An agent: its keys at top level, and once more under config */
export type GetAgentReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the agent, as written at its creation */
  name: string;
  /** Purpose of the agent, in free text */
  description: string;
  /** Whether the agent is enabled; false does not change its runtime */
  is_enabled: boolean;
  /** What runs the agent; it cannot change. CLOUD_AGENT_CORE: Amazon Bedrock AgentCore. BUILT_IN: the app. CONTAINER: the container of runtime.container. */
  runtime_type: AgentRuntimeType;
  runtime?: AgentRuntime;
  llm?: AgentLlm;
  /** System prompt of the model */
  system_prompt: string;
  /** Task of the agent */
  task_prompt: string;
  /** Time limit of one run, in seconds */
  agent_timeout: number;
  /** Limit of the requests to the model in one run */
  max_steps: number;
  /** Limit of the input and output tokens of one run together, checked before each request; absent if there is none */
  max_tokens_per_run?: number;
  /** Calls that a person has to approve. destructive: of tools that say they destroy. writes: of all but those that say they only read. always, never: all calls, or none. */
  approve_tools: AgentApproval;
  /** Tools whose calls a person has to approve whatever approve_tools says, named as the model sees them: <connection>__<tool> */
  approve_tools_named: Array<string>;
  /** Seconds that a call waits for approval; 0: no limit of its own */
  approval_timeout_s: number;
  /** Nobody approved a call in time. reject: the call is rejected. cancel: the run is cancelled. */
  on_approval_timeout: AgentOnApprovalTimeout;
  /** A server, store or search tool that the agent names is not available. fail: the run fails after three tries. continue: the model is told what is missing. */
  on_unavailable: AgentOnUnavailable;
  /** JSON schema of an object that the answer of a run has to be, at most 16 KB; absent: any text */
  output_schema?: JsonObject;
  /** Whether the values of an answer are looked up in the data of its run; absent: where the agent has tools, knowledge bases or search tools */
  check_evidence?: boolean;
  /** The answer has values that do not stand in the data of the run. mark: they are marked. ask_again: the model is asked once more. fail: the run fails. */
  on_unverified: AgentOnUnverified;
  /** MCP connections whose tools the agent may call */
  mcps: Array<AgentMcp>;
  /** Names of the vector stores that the agent may search */
  knowledge_bases: Array<string>;
  /** Search tools that the agent may call, by names without prefix: those of the records, and spl, indexes, sourcetypes, fields, lookups, data_models, saved_searches */
  search_tools: Array<string>;
  /** Creating: the runtime is being created. Available: the agent can run. Failed: the creation failed, see state_reason; it can be retried. Deleting: the runtime is being removed. Delete Failed: the deletion failed and can be repeated. */
  state: Exclude<AgentState, "Deleted">;
  /** Reason of the state, or error of the last poll; absent if there is none */
  state_reason?: string;
  /** Code of state_reason */
  error_code?: string;
  /** What a person can do about error_code */
  remedy?: string;
  tracking: AgentTracking;
  /** The versions of the agent; there is one */
  versions: Array<AgentVersion>;
  acl: Acl;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
  config: Agent;
};

/** The containers */
export type GetContainerDataReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of a model -> its container */
  config: Record<string, Container>;
};

/** The log of one container */
export type GetContainerLogsReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  container_logs: ContainerLogs;
};

/** All feature flags */
export type GetFeatureFlagsReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  flags: FeatureFlags;
  source: FeatureFlagSources;
};

/** Health of the app */
export type GetHealthReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Version of the app */
  version: string;
  /** `ready`, `newer_schema`, `unavailable`, or the platform's status of the record store */
  store: string;
  /** `ready`, or `unavailable` */
  secrets: string;
  /** Why a store is not ready, as in failures with `store_unavailable` */
  reason?: string;
  /** What can be done about `reason` */
  remedy?: string;
  /** ready, or what this Node lacks for vector stores in the platform (BUILT_IN) */
  knowledge: string;
  /** The driver process that answers; the others are unknown to it */
  drivers: Array<Driver>;
  /** Unreadable records: at most 100, found within 2 s. Only for holders of admin_all_objects. Histories and the audit trail are not searched. */
  unreadable?: Array<UnreadableRecord>;
};

/** The image catalog */
export type GetImageCatalogReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  docker_images: ImageCatalogue;
};

/** What a form for starting a container offers */
export type GetStartFormReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  docker_images: ImageCatalogue;
  /** Engines that a container can run on */
  clusters: Array<string>;
  /** The connections to engines, by name */
  connections: Array<GetStartFormReplyConnectionsItem>;
  /** Values of runtime */
  runtimes: Array<string>;
  /** Values of mode */
  modes: Array<string>;
  /** Field of a start -> what it is where it is left out */
  defaults: TextMap;
};

/** A connection that a start can name */
export type GetStartFormReplyConnectionsItem = {
  /** The engine of the connection */
  container_type: ContainerType;
  /** Name of the connection, as it was written when it was created */
  connection_name: string;
};

export type GetUsageInterval = "hour" | "day" | "month";

/** A report of usage */
export type GetUsageReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Sums, in the order of time and of the keys */
  result: Array<UsageRow>;
  total: UsageTotal;
  /** Whether rows beyond the first 10000 were left out */
  truncated?: boolean;
};

export type HealthState = "reauth_required" | "failing" | "expiring" | "untested" | "ok";

export type HistoryAction = "create" | "update" | "train" | "scheduled_train" | "apply" | "publish" | "clone_models" | "alert" | "delete" | "note";

/** An event of an experiment; entries never change */
export type HistoryEntry = {
  /** Id of the entry, set by the server */
  history_id: string;
  /** Id of the experiment: a UUIDv4 without dashes, assigned by the server */
  experiment_id: string;
  /** The action. The server adds create, update and clone_models; note is for remarks. */
  action: HistoryAction;
  /** When added, epoch seconds with a fraction; set by the server */
  timestamp: number;
  /** Who added it; set by the server */
  user: string;
  /** Id of the search */
  sid?: string;
  /** A search, or a part of one, in SPL */
  search?: string;
  /** Names of the models */
  models?: Array<string>;
  /** Parameters, with keys and values of the caller */
  parameters?: Record<string, JsonValue>;
  /** Measurements, with keys and values of the caller; at most 32 levels deep */
  statistics?: Record<string, JsonValue>;
  /** Duration in milliseconds */
  duration_ms?: number;
  /** Result of the action */
  status: Outcome;
  /** Text for a person */
  message?: string;
};

/** An entry to add to the history of an experiment */
export type HistoryEntryInput = {
  /** The action. The server adds create, update and clone_models; note is for remarks. */
  action: HistoryAction;
  /** Id of the search */
  sid?: string;
  /** A search, or a part of one, in SPL */
  search?: string;
  /** Names of the models */
  models?: Array<string>;
  /** Parameters, with keys and values of the caller */
  parameters?: Record<string, JsonValue>;
  /** Measurements, with keys and values of the caller; at most 32 levels deep */
  statistics?: Record<string, JsonValue>;
  /** Duration in milliseconds */
  duration_ms?: number;
  /** Result of the action (default success) */
  status?: Outcome;
  /** Text for a person */
  message?: string;
};

/** Key of an image -> what it is called and where it is from */
export type ImageCatalogue = Record<string, ContainerImage>;

export type ImageMode = "allow" | "refuse";

/** Documents to write into a vector store */
export type IndexRequest = {
  /** Name of a vector store that you may change */
  store: string;
  /** Documents, each with another id */
  documents: Array<IndexRequestDocumentsItem>;
};

/** A document */
export type IndexRequestDocumentsItem = {
  /** Id of the document; what the store has under it is replaced */
  id: string;
  /** Text of the document */
  text: string;
  /** Facts to filter by: texts, numbers, true, false, or lists of these; at most 16 KB */
  metadata?: JsonObject;
};

/** What was written */
export type IndexResult = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Documents written */
  indexed: number;
  /** Passages of these documents */
  passages: number;
  /** Documents that failed by themselves */
  failed: Array<IndexResultFailedItem>;
  usage: IndexResultUsage;
  ml?: MaskedFacts;
};

/** A document that was not written */
export type IndexResultFailedItem = {
  /** Id of the document, which stays as it was */
  id: string;
  /** Code of the failure */
  error_code: string;
  /** What happened and what to do */
  message: string;
};

/** Use of the embedding model */
export type IndexResultUsage = {
  /** Tokens of the texts that were embedded */
  prompt_tokens: number;
  /** The same */
  total_tokens: number;
  /** US dollars; absent without a price */
  cost?: number;
};

/** Any JSON object */
export type JsonObject = Record<string, JsonValue>;

export type KubernetesAuthMode = "" | "cert-key" | "user-token" | "user-login" | "cloud-iam" | "service-account";

export type KubernetesServiceType = "" | "ingress" | "nodeport" | "loadbalancer";

/** Result of the last test of the saved record; does not change version or last_updated_at */
export type LastTest = {
  /** Result */
  status: Outcome;
  /** Code of a failed test; null if it passed */
  error_code: string | null;
  /** When tested, epoch seconds with a fraction */
  tested_at: number;
  /** Duration of the test in milliseconds */
  response_time_ms: number;
};

/** Result of the last test of the saved record; empty before the first */
export type LastTestIfAny = {
  /** Result */
  status?: Outcome;
  /** Code of a failed test; null if it passed */
  error_code?: string | null;
  /** When tested, epoch seconds with a fraction */
  tested_at?: number;
  /** Duration of the test in milliseconds */
  response_time_ms?: number;
};

export type LimitAction = "refuse" | "warn";

/** What is left in the present window, of the amounts that the limit states */
export type LimitLeft = {
  /** Uses */
  requests?: number;
  /** Tokens, input and output together */
  tokens?: number;
  /** US dollars, of the uses that have a price */
  cost?: number;
};

/** The present window. With per=user, used is that of all users together, and left that of the user who has least left. */
export type LimitStatus = {
  used: LimitUsed;
  left: LimitLeft;
  /** When the limit resets, epoch seconds */
  resets_at: number;
  /** With per=user: users who have used something */
  users?: number;
  /** With per=user: the ten users who have used most */
  top?: Array<LimitStatusTopItem>;
};

/** What a user has used */
export type LimitStatusTopItem = {
  /** A user */
  user: string;
  used: LimitUsed;
  left: LimitLeft;
};

export type LimitSubject = "user" | "all";

/** What is used in the present window, at most 2 s late */
export type LimitUsed = {
  /** Uses */
  requests: number;
  /** Tokens, input and output together */
  tokens: number;
  /** US dollars, of the uses that have a price */
  cost: number;
};

export type LimitWindow = "minute" | "hour" | "day" | "month";

/** A page of agents in result; with name=, the keys of that agent, at top level and under config */
export type ListAgentsReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the agent, as written at its creation */
  name?: string;
  /** Purpose of the agent, in free text */
  description?: string;
  /** Whether the agent is enabled; false does not change its runtime */
  is_enabled?: boolean;
  /** What runs the agent; it cannot change. CLOUD_AGENT_CORE: Amazon Bedrock AgentCore. BUILT_IN: the app. CONTAINER: the container of runtime.container. */
  runtime_type?: AgentRuntimeType;
  runtime?: AgentRuntime;
  llm?: AgentLlm;
  /** System prompt of the model */
  system_prompt?: string;
  /** Task of the agent */
  task_prompt?: string;
  /** Time limit of one run, in seconds */
  agent_timeout?: number;
  /** Limit of the requests to the model in one run */
  max_steps?: number;
  /** Limit of the input and output tokens of one run together, checked before each request; absent if there is none */
  max_tokens_per_run?: number;
  /** Calls that a person has to approve. destructive: of tools that say they destroy. writes: of all but those that say they only read. always, never: all calls, or none. */
  approve_tools?: AgentApproval;
  /** Tools whose calls a person has to approve whatever approve_tools says, named as the model sees them: <connection>__<tool> */
  approve_tools_named?: Array<string>;
  /** Seconds that a call waits for approval; 0: no limit of its own */
  approval_timeout_s?: number;
  /** Nobody approved a call in time. reject: the call is rejected. cancel: the run is cancelled. */
  on_approval_timeout?: AgentOnApprovalTimeout;
  /** A server, store or search tool that the agent names is not available. fail: the run fails after three tries. continue: the model is told what is missing. */
  on_unavailable?: AgentOnUnavailable;
  /** JSON schema of an object that the answer of a run has to be, at most 16 KB; absent: any text */
  output_schema?: JsonObject;
  /** Whether the values of an answer are looked up in the data of its run; absent: where the agent has tools, knowledge bases or search tools */
  check_evidence?: boolean;
  /** The answer has values that do not stand in the data of the run. mark: they are marked. ask_again: the model is asked once more. fail: the run fails. */
  on_unverified?: AgentOnUnverified;
  /** MCP connections whose tools the agent may call */
  mcps?: Array<AgentMcp>;
  /** Names of the vector stores that the agent may search */
  knowledge_bases?: Array<string>;
  /** Search tools that the agent may call, by names without prefix: those of the records, and spl, indexes, sourcetypes, fields, lookups, data_models, saved_searches */
  search_tools?: Array<string>;
  /** Creating: the runtime is being created. Available: the agent can run. Failed: the creation failed, see state_reason; it can be retried. Deleting: the runtime is being removed. Delete Failed: the deletion failed and can be repeated. */
  state?: Exclude<AgentState, "Deleted">;
  /** Reason of the state, or error of the last poll; absent if there is none */
  state_reason?: string;
  /** Code of state_reason */
  error_code?: string;
  /** What a person can do about error_code */
  remedy?: string;
  tracking?: AgentTracking;
  /** The versions of the agent; there is one */
  versions?: Array<AgentVersion>;
  acl?: Acl;
  /** Incremented by each change; send it with a change to detect conflicts */
  version?: number;
  /** When created, epoch seconds with a fraction */
  created_at?: number;
  /** User who created the record */
  created_by?: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at?: number;
  /** User who made the last change */
  last_updated_by?: string;
  /** Entries of this page */
  result?: Array<Agent>;
  pagination?: Pagination;
  config?: Agent;
};

/** A page of the trail */
export type ListAuditReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result: Array<AuditEntry>;
  pagination: Pagination;
};

/** A page of connections with their health */
export type ListConnectionHealthReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result: Array<ConnectionHealth>;
  pagination: Pagination;
};

/** The connections; pagination is present if count or offset was given */
export type ListConnectionsReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result: Array<ListedConnection>;
  pagination?: Pagination;
};

/** A page of the history */
export type ListExperimentHistoryReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result: Array<HistoryEntry>;
  pagination: Pagination;
};

/** A page of experiments */
export type ListExperimentsReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result: Array<Experiment>;
  pagination: Pagination;
};

/** A page of LLM configurations */
export type ListLlmConfigurationsReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result: Array<LlmConfiguration>;
  pagination: Pagination;
};

/** A page of models */
export type ListModelsReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result: Array<Model>;
  pagination: Pagination;
};

/** A page of connections with their last tests */
export type ListTestedConnectionsReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result: Array<TestedContainerConnection>;
  pagination: Pagination;
};

/** A connection; drafts are not listed */
export type ListedConnection = {
  /** llm: an LLM configuration; else the engine of a container connection */
  connection_type: ListedConnectionConnectionType;
  /** For llm: the provider, as LlmService names it */
  Provider?: string;
  /** For llm: the provider's model id */
  Model?: string;
  /** For llm: name of the connection */
  "Connection Name"?: string;
  /** For docker and kubernetes: name of the connection */
  connection_name?: string;
  /** Of docker: address of the daemon */
  docker_url?: string;
  /** Of docker: whether the daemon is reached over TLS */
  tls_enabled?: boolean;
  /** Of kubernetes: address of the cluster's API; empty inside the cluster */
  cluster_url?: string;
};

export type ListedConnectionConnectionType = "llm" | "docker" | "kubernetes";

/** What to test: service, connection_name and model alone mean the saved configuration; with anything more, the given one is tested and nothing is saved. Masked and absent secrets come from the saved connection. */
export type LlmAction = {
  /** test: call the provider. refresh_models: ask it for its models and remember them. (default test) */
  action?: LlmActionAction;
  /** What a test does: chat asks the model; list asks for the list of models, which is free of charge (default chat) */
  probe?: LlmActionProbe;
  /** The provider: General_Chat is OpenAI, Enterprise_Cloud_Chat Azure, Assistant_Family Anthropic, Cloud_Model_Hub Amazon Bedrock, Fast_Inference Groq, Search_Vendor_Models Gemini, Local_Runtime Ollama, Platform_Hosted_Models the site itself, or Splunk for its tenant */
  service: LlmService;
  /** What the provider's connection is called, compared without regard to case; the first spelling stays */
  connection_name?: string;
  /** The provider's id of the model, compared exactly; it may hold / and : */
  model?: string;
  servicesettings?: LlmServiceSettings;
  modelsettings?: LlmModelSettings;
  /** false: the connection is a draft, which inventories leave out */
  is_saved?: boolean;
  /** false: the model is a draft, which inventories leave out */
  is_model_saved?: boolean;
};

export type LlmActionAction = "test" | "refresh_models";

export type LlmActionProbe = "chat" | "list";

/** What a test, or asking for the models, found */
export type LlmActionResult = {
  /** fail: the test was carried out, and what it tested does not work; error_code tells why */
  status: Outcome;
  /** What was done or found, in a sentence for a person */
  message?: string;
  error_code?: ErrorCode;
  /** What a person can do about this code */
  remedy?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Whether the provider answered as it should */
  success: boolean;
  /** The service in lower case */
  provider?: string;
  /** The provider: General_Chat is OpenAI, Enterprise_Cloud_Chat Azure, Assistant_Family Anthropic, Cloud_Model_Hub Amazon Bedrock, Fast_Inference Groq, Search_Vendor_Models Gemini, Local_Runtime Ollama, Platform_Hosted_Models the site itself, or Splunk for its tenant */
  service: LlmService;
  /** The provider's id of the model that was tested; null if none was named */
  model?: string | null;
  /** HTTP status of the answer; null if none came */
  http_status_code?: number | null;
  /** Seconds that the call took */
  response_time?: number;
  /** Of Platform_Hosted_Models: who hosts the models, "Hosted by Splunk (tenant <name>)" or "Endpoint of this site" */
  hosting?: string;
  /** Of a chat: what the model said, at most 200 characters */
  response_content?: string;
  /** Seconds to wait, if the provider said so */
  retry_after?: number;
  /** Of refresh_models: the provider's ids of its models */
  models?: Array<string>;
  /** Of refresh_models: how many models there are */
  count?: number;
};

/** All providers: everything needed to draw a form */
export type LlmCatalogue = {
  services: LlmCatalogueServices;
  /** Bounds that every configuration is held to */
  limits: JsonObject;
};

/** What a form needs to know of one setting */
export type LlmCatalogueField = {
  /** What a form calls the field */
  label: string;
  /** Needed before the provider can be called */
  required: boolean;
  /** The value is kept in the secret store and never shown */
  secret: boolean;
  /** What the field is for, in a sentence for a form */
  description: string;
  /** Type of the value; text is a string of several lines, map an object of names and strings, object one with the members that fields names */
  type: LlmCatalogueFieldType;
  /** Of an object: name of a member -> what it takes */
  fields?: Record<string, LlmCatalogueMember>;
  /** Where a required field is needed at the host of this address alone: the address */
  required_at?: string;
  /** Where a required field is needed only without another one: the name of that */
  required_without?: string;
  /** What applies where no value is given; null if nothing does */
  default: string | number | boolean | null;
  /** Smallest value of a number */
  minimum?: number;
  /** Largest value of a number */
  maximum?: number;
};

export type LlmCatalogueFieldType = "string" | "integer" | "number" | "boolean" | "text" | "map" | "object";

/** Name of a setting -> what it takes */
export type LlmCatalogueFields = Record<string, LlmCatalogueField>;

/** What a form needs to know of one member of a setting */
export type LlmCatalogueMember = {
  /** What a form calls the field */
  label: string;
  /** Needed before the provider can be called */
  required: boolean;
  /** The value is kept in the secret store and never shown */
  secret: boolean;
  /** What the field is for, in a sentence for a form */
  description: string;
  /** Type of the value */
  type: "string";
  /** Nothing applies where no value is given */
  default: null;
};

/** A model that is known without asking the provider */
export type LlmCatalogueModel = {
  /** The provider's id of the model */
  id: string;
  /** provider: from the last refresh_models; configured: from a stored configuration */
  source: LlmCatalogueModelSource;
};

export type LlmCatalogueModelSource = "provider" | "configured";

/** Record in config */
export type LlmCatalogueReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: LlmCatalogue;
};

/** A provider, and what its configurations take */
export type LlmCatalogueService = {
  /** What a form calls the provider */
  display_name: string;
  /** Address that is used where none is given; null if the provider has none */
  default_endpoint: string | null;
  /** Of Platform_Hosted_Models: who hosts the models where no endpoint is given */
  hosting?: string;
  fields: LlmCatalogueFields;
  model_fields: LlmCatalogueFields;
  /** Models that are known, those of the provider first */
  models: Array<LlmCatalogueModel>;
  supports: LlmCatalogueServiceSupports;
};

/** What the provider can do */
export type LlmCatalogueServiceSupports = {
  /** It can be asked for its models */
  list_models: boolean;
};

/** Each provider under its name */
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

/** A model of a provider's connection. Free-form: unknown fields are kept; strings in those that look like credentials are treated as secrets. */
export type LlmConfiguration = {
  /** The provider: General_Chat is OpenAI, Enterprise_Cloud_Chat Azure, Assistant_Family Anthropic, Cloud_Model_Hub Amazon Bedrock, Fast_Inference Groq, Search_Vendor_Models Gemini, Local_Runtime Ollama, Platform_Hosted_Models the site itself, or Splunk for its tenant */
  service: LlmService;
  /** What the provider's connection is called */
  connection_name: string;
  /** The provider's id of the model */
  model: string;
  /** Settings of the connection, as they were sent; secrets as ***MASKED*** */
  servicesettings: JsonObject;
  /** Settings of the model, as they were sent */
  modelsettings?: JsonObject;
  /** false: the connection is a draft, which inventories leave out */
  is_saved: boolean;
  /** false: the model is a draft, which inventories leave out */
  is_model_saved: boolean;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
  last_test?: LastTest;
};

/** A configuration to create or replace. Free-form: unknown fields are kept; strings in those that look like credentials are treated as secrets. */
export type LlmConfigurationInput = {
  /** The provider: General_Chat is OpenAI, Enterprise_Cloud_Chat Azure, Assistant_Family Anthropic, Cloud_Model_Hub Amazon Bedrock, Fast_Inference Groq, Search_Vendor_Models Gemini, Local_Runtime Ollama, Platform_Hosted_Models the site itself, or Splunk for its tenant */
  service: LlmService;
  /** What the provider's connection is called, compared without regard to case; the first spelling stays */
  connection_name: string;
  /** The provider's id of the model, compared exactly; it may hold / and : */
  model: string;
  servicesettings?: LlmServiceSettings;
  modelsettings?: LlmModelSettings;
  /** false: the connection is a draft, which inventories leave out (default true) */
  is_saved?: boolean;
  /** false: the model is a draft, which inventories leave out (default true) */
  is_model_saved?: boolean;
  /** Condition: version that this change is based on. */
  version?: number;
};

/** Record in config */
export type LlmConfigurationReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: LlmConfiguration;
};

/** A setting: its value, and beside it whatever is sent along */
export type LlmFlagSetting = {
  /** true or false; null counts as not given */
  value?: boolean | null;
};

/** A setting: its value, and beside it whatever is sent along */
export type LlmHeaderSetting = {
  /** Further request headers with secret values: at most 50, and all secrets of the record together have at most 32768 bytes. Headers of the connection itself and of its authentication are refused. null deletes all. */
  value?: SecretHeaders | null;
};

/** A setting: its value, and beside it whatever is sent along */
export type LlmMaxTokens = {
  /** Tokens, at least 1; null counts as not given */
  value?: number | null;
};

/** Settings of this model alone; each save replaces them */
export type LlmModelSettings = {
  /** Longest answer, in tokens */
  max_tokens?: LlmMaxTokens | null;
  /** Temperature: 0 is the most predictable */
  response_variability?: LlmVariabilitySetting | null;
};

/** OAuth client credentials in place of a key: the token that they are exchanged for is sent as a bearer token. Where all is left out, it stays as it is; null deletes it. */
export type LlmOAuth = {
  /** Address of the token endpoint; https, except on this machine */
  token_url?: string | null;
  /** The name of the client there */
  client_id?: string | null;
  /** Secret of the client. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  client_secret?: string | null;
  /** What the token is for; names separated by spaces */
  scope?: string | null;
};

/** A setting: its value, and beside it whatever is sent along */
export type LlmOAuthSetting = {
  /** OAuth client credentials in place of a key: the token that they are exchanged for is sent as a bearer token. Where all is left out, it stays as it is; null deletes it. */
  value?: LlmOAuth | null;
};

/** A setting: its value, and beside it whatever is sent along */
export type LlmRequestTimeout = {
  /** Seconds, 1 to 600; null counts as not given */
  value?: number | null;
};

/** A setting that is a secret; its value is read as ***MASKED*** */
export type LlmSecretSetting = {
  /** The secret. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  value?: string | null;
};

export type LlmService = "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models";

/** Settings of the connection, shared by all its models. Left out, they stay as they are; given, they replace the stored ones, except for secrets that are masked or left out. */
export type LlmServiceSettings = {
  /** Base address of the provider; a pasted full URL is trimmed to it, and the provider's usual one is filled in where there is none */
  endpoint?: LlmTextSetting | null;
  /** API key of the provider */
  access_token?: LlmSecretSetting | null;
  /** Seconds that a call, with all its retries, may take; 30 unless given */
  request_timeout?: LlmRequestTimeout | null;
  /** Of Enterprise_Cloud_Chat: version of its API, YYYY-MM-DD[-preview] or v1 */
  enterprise_api_version?: LlmTextSetting | null;
  /** Of Cloud_Model_Hub: AWS region */
  region?: LlmTextSetting | null;
  /** Of Cloud_Model_Hub: access key id; without keys, the role of the instance is used */
  cloud_access_key_id?: LlmTextSetting | null;
  /** Of Cloud_Model_Hub: secret access key that belongs to the access key id */
  cloud_access_token?: LlmSecretSetting | null;
  /** Of Cloud_Model_Hub: ARN of an IAM role that is assumed before the call */
  role_arn?: LlmTextSetting | null;
  /** Whether the certificate of the provider is verified; true unless given */
  verify_tls?: LlmFlagSetting | null;
  /** Trusted CA certificates (PEM) for this provider, in place of the default ones */
  ca_certificate?: LlmTextSetting | null;
  /** Headers of every request of this connection */
  headers?: LlmHeaderSetting | null;
  /** OAuth client credentials of this connection, in place of a key */
  oauth?: LlmOAuthSetting | null;
};

/** A setting: its value, and beside it whatever is sent along */
export type LlmTextSetting = {
  /** The value of the setting; null or '' counts as not given */
  value?: string | null;
};

/** A setting: its value, and beside it whatever is sent along */
export type LlmVariabilitySetting = {
  /** From 0 to 1; null counts as not given */
  value?: number | null;
};

/** A container whose log can be read */
export type LoggingContainer = {
  /** Name of the model that it serves */
  model: string;
  /** Id that the engine gave it; empty while there is none */
  id: string;
  /** Engine of the container */
  cluster: string;
  /** Waiting for Url to start; Active: the application answers; Unreachable: it no longer does; Failed: the engine says so; Stopped: the container is gone or has ended */
  status: string;
};

/** What was masked; absent where nothing was */
export type MaskedFacts = {
  /** Places that were masked, by kind; absent without one */
  masked?: Record<string, number>;
};

export type MaskedOperation = "chat" | "embeddings" | "execute_tool" | "retrieve" | "predict" | "invoke_agent" | "index";

export type MaskedService = "General_Chat" | "Enterprise_Cloud_Chat" | "Assistant_Family" | "Cloud_Model_Hub" | "Fast_Inference" | "Search_Vendor_Models" | "Local_Runtime" | "Platform_Hosted_Models" | "mcp" | "splunk" | "CLOUD_KB" | "BUILT_IN" | "OPENSEARCH" | "PGVECTOR" | "CLOUD_AGENT_CORE" | "sagemaker" | "onnx" | "container";

export type MaskingMode = "allow" | "mask" | "refuse";

/** An administrator's own kind of values */
export type MaskingPattern = {
  /** Begins the placeholders of what the pattern finds */
  label: string;
  /** Regular expression of RE2; it matches neither empty text nor a placeholder */
  pattern: string;
  /** A word that must stand shortly before */
  keyword?: string;
};

/** What is replaced before a request leaves for a provider, and put back in what comes back */
export type MaskingPolicy = {
  /** Name of the policy, as created */
  name: string;
  /** Purpose of the policy */
  description: string;
  applies_to: MaskingPolicyApplies;
  /** Kind -> how it is treated: ipv4, ipv6, mac, email, url_secret, host, win_user, sid, user, phone, card, iban, us_ssn, jwt, key, pem, password, field (a named value that no rule finds), or the label of a pattern. Others are allowed, labels are masked. The object is replaced as a whole. */
  kinds: Record<string, MaskingMode>;
  /** Fields whose values are masked wherever they stand in a request */
  fields: Array<string>;
  /** Own kinds of values. The list is replaced as a whole. */
  patterns: Array<MaskingPattern>;
  /** Values that stay, unless they are secrets: names, *.suffix of hosts, addresses and networks (CIDR) */
  never: Array<string>;
  /** Countries whose telephone numbers are found without + and the code of the country */
  regions: Array<string>;
  /** Images and files cannot be masked. allow: they are sent as they are. refuse: a request with one is not sent. */
  images: ImageMode;
  /** Whether the policy is in force */
  is_enabled: boolean;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
};

/** Which uses the policy applies to: those that fit each of these keys, and of each key one of the values. Without keys: every use */
export type MaskingPolicyApplies = {
  /** What the requests go to */
  services?: Array<MaskedService>;
  /** Connections, compared without regard to case */
  connections?: Array<string>;
  /** Aliases by which models are called */
  aliases?: Array<string>;
  /** Roles, which users have directly or by import */
  roles?: Array<string>;
  /** What the uses ask for. Absent: chat and invoke_agent whole, embeddings for kinds of secrets alone; retrieve, execute_tool and predict only where they are named */
  operations?: Array<MaskedOperation>;
};

/** Which uses the policy applies to: those that fit each of these keys, and of each key one of the values. Without keys: every use. Omitted keys stay; null or an empty list removes a key. */
export type MaskingPolicyAppliesInput = {
  /** What the requests go to */
  services?: Array<MaskedService> | null;
  /** Connections, compared without regard to case */
  connections?: Array<string> | null;
  /** Aliases by which models are called */
  aliases?: Array<string> | null;
  /** Roles, which users have directly or by import */
  roles?: Array<string> | null;
  /** What the uses ask for. Absent: chat and invoke_agent whole, embeddings for kinds of secrets alone; retrieve, execute_tool and predict only where they are named */
  operations?: Array<MaskedOperation> | null;
};

/** A new masking policy */
export type MaskingPolicyCreate = {
  /** Unique name, case-insensitive */
  name: string;
  /** Purpose of the policy; null empties it */
  description?: string | null;
  /** Which uses the policy applies to: those that fit each of these keys, and of each key one of the values. Without keys: every use. Omitted keys stay; null or an empty list removes a key. */
  applies_to?: MaskingPolicyAppliesInput | null;
  /** Kind -> how it is treated: ipv4, ipv6, mac, email, url_secret, host, win_user, sid, user, phone, card, iban, us_ssn, jwt, key, pem, password, field (a named value that no rule finds), or the label of a pattern. Others are allowed, labels are masked. The object is replaced as a whole. */
  kinds: Record<string, MaskingMode>;
  /** Fields whose values are masked wherever they stand in a request */
  fields?: Array<string> | null;
  /** Own kinds of values. The list is replaced as a whole. */
  patterns?: Array<MaskingPattern> | null;
  /** Values that stay, unless they are secrets: names, *.suffix of hosts, addresses and networks (CIDR) */
  never?: Array<string> | null;
  /** Countries whose telephone numbers are found without + and the code of the country */
  regions?: Array<string> | null;
  /** Images and files cannot be masked. allow: they are sent as they are. refuse: a request with one is not sent. (default allow) */
  images?: ImageMode;
  /** Whether the policy is in force (default true) */
  is_enabled?: boolean;
};

/** Page of the list in result; with name=, the record in config */
export type MaskingPolicyList = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result?: Array<MaskingPolicy>;
  pagination?: Pagination;
  config?: MaskingPolicy;
};

/** Record in config */
export type MaskingPolicyReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: MaskingPolicy;
};

/** A change of the masking policy of this name; omitted fields stay */
export type MaskingPolicyUpdate = {
  /** Unique name, case-insensitive */
  name: string;
  /** Purpose of the policy; null empties it */
  description?: string | null;
  /** Which uses the policy applies to: those that fit each of these keys, and of each key one of the values. Without keys: every use. Omitted keys stay; null or an empty list removes a key. */
  applies_to?: MaskingPolicyAppliesInput | null;
  /** Kind -> how it is treated: ipv4, ipv6, mac, email, url_secret, host, win_user, sid, user, phone, card, iban, us_ssn, jwt, key, pem, password, field (a named value that no rule finds), or the label of a pattern. Others are allowed, labels are masked. The object is replaced as a whole. */
  kinds?: Record<string, MaskingMode>;
  /** Fields whose values are masked wherever they stand in a request */
  fields?: Array<string> | null;
  /** Own kinds of values. The list is replaced as a whole. */
  patterns?: Array<MaskingPattern> | null;
  /** Values that stay, unless they are secrets: names, *.suffix of hosts, addresses and networks (CIDR) */
  never?: Array<string> | null;
  /** Countries whose telephone numbers are found without + and the code of the country */
  regions?: Array<string> | null;
  /** Images and files cannot be masked. allow: they are sent as they are. refuse: a request with one is not sent. */
  images?: ImageMode;
  /** Whether the policy is in force */
  is_enabled?: boolean;
  /** Condition: version that this change is based on. */
  version?: number;
};

/** Answer to a message; a notification gets 202 and none */
export type McpAnswer = {
  /** Version of JSON-RPC */
  jsonrpc: "2.0";
  /** Id of the request */
  id?: string | number | null;
  /** Result of the method */
  result?: JsonObject;
  /** {code, message, data?}, as JSON-RPC defines it */
  error?: JsonObject;
};

export type McpAuthState = "ok" | "refresh_due" | "reauth_required" | "unknown";

/** A connection to an MCP server, whose tools agents may call */
export type McpConnection = {
  /** Name of the connection, as created */
  name: string;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  type: McpConnectionType;
  /** Purpose of the connection */
  description: string;
  details: McpConnectionDetails;
  /** Names of the tools that agents may call; default: all */
  tools_allowed?: Array<string>;
  /** Transport of the last contact: Streamable HTTP, or its predecessor HTTP with SSE */
  transport_detected?: McpTransport;
  /** Token endpoint that discovery found first; a later one on another host is refused */
  token_url_detected?: string;
  /** ok: the credentials worked. refresh_due: the next call refreshes the token. reauth_required: the credentials were refused, sign in again. unknown: not tested since they changed. */
  auth_state: McpAuthState;
  acl: Acl;
  last_test?: LastTest;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
};

/** A new MCP connection */
export type McpConnectionCreate = {
  /** Unique name, case-insensitive */
  name: string;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  type: McpConnectionType;
  /** Purpose of the connection; null empties it */
  description?: string | null;
  details: McpConnectionDetailsCreate;
  /** Names of the tools that agents may call; default: all. null removes the list. */
  tools_allowed?: Array<string> | null;
  acl?: AclInput;
};

/** Address, credentials and TLS settings of the MCP server */
export type McpConnectionDetails = {
  /** Address of the MCP server */
  url: string;
  /** Token: ***MASKED*** if one is stored */
  token?: string;
  /** OAuth client id (ISSUE_TRACKER) */
  client_id?: string;
  /** OAuth client secret: ***MASKED*** if one is stored */
  client_secret?: string;
  /** OAuth refresh token: ***MASKED*** if one is stored */
  refresh_token?: string;
  /** Whether the app refreshes the token (ISSUE_TRACKER) */
  is_auto_refresh_enabled?: boolean;
  /** OAuth token endpoint (ISSUE_TRACKER), http or https; discovered if there is none */
  token_url?: string;
  /** OAuth scopes that each refresh asks for, separated by spaces (ISSUE_TRACKER) */
  scope?: string;
  /** Whether the server's certificate is verified */
  verify_tls: boolean;
  /** PEM certificates to trust for this server instead of the default ones */
  ca_certificate?: string;
  /** Kinds of values that the server gets in arguments where the model of an agent wrote their placeholders; the others only if the server brought the value in the same run, secrets never */
  unmask_kinds?: Array<UnmaskKind>;
  /** Names of the further request headers, each with ***MASKED*** for its value */
  headers?: TextMap;
};

/** Address, credentials and TLS settings of the MCP server */
export type McpConnectionDetailsCreate = {
  /** Address of the MCP server: http or https, without user name and password */
  url: string;
  /** Bearer token (PLATFORM) or OAuth access token (ISSUE_TRACKER). Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  token?: string | null;
  /** OAuth client id (ISSUE_TRACKER); null or '' unsets it */
  client_id?: string | null;
  /** OAuth client secret (ISSUE_TRACKER). Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  client_secret?: string | null;
  /** OAuth refresh token (ISSUE_TRACKER). Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  refresh_token?: string | null;
  /** Whether the app refreshes the token (ISSUE_TRACKER); needs client_id and refresh_token */
  is_auto_refresh_enabled?: boolean;
  /** OAuth token endpoint (ISSUE_TRACKER), http or https; discovered if there is none. null or '' unsets it. */
  token_url?: string | null;
  /** OAuth scopes that each refresh asks for, separated by spaces (ISSUE_TRACKER); null or '' unsets them */
  scope?: string | null;
  /** Whether the server's certificate is verified (default true) */
  verify_tls?: boolean;
  /** PEM certificates to trust for this server instead of the default ones; null or '' unsets them */
  ca_certificate?: string | null;
  /** Kinds of values that the server gets in arguments where the model of an agent wrote their placeholders; the others only if the server brought the value in the same run, secrets never. null removes the list. */
  unmask_kinds?: Array<UnmaskKind> | null;
  /** Further request headers with secret values: at most 50, and all secrets of the record together have at most 32768 bytes. Headers of the connection itself and of its authentication are refused. null deletes all. */
  headers?: SecretHeaders | null;
};

/** Address, credentials and TLS settings of the MCP server. Omitted fields keep the value of the saved connection. */
export type McpConnectionDetailsUpdate = {
  /** Address of the MCP server: http or https, without user name and password */
  url?: string;
  /** Bearer token (PLATFORM) or OAuth access token (ISSUE_TRACKER). Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  token?: string | null;
  /** OAuth client id (ISSUE_TRACKER); null or '' unsets it */
  client_id?: string | null;
  /** OAuth client secret (ISSUE_TRACKER). Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  client_secret?: string | null;
  /** OAuth refresh token (ISSUE_TRACKER). Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  refresh_token?: string | null;
  /** Whether the app refreshes the token (ISSUE_TRACKER); needs client_id and refresh_token */
  is_auto_refresh_enabled?: boolean;
  /** OAuth token endpoint (ISSUE_TRACKER), http or https; discovered if there is none. null or '' unsets it. */
  token_url?: string | null;
  /** OAuth scopes that each refresh asks for, separated by spaces (ISSUE_TRACKER); null or '' unsets them */
  scope?: string | null;
  /** Whether the server's certificate is verified */
  verify_tls?: boolean;
  /** PEM certificates to trust for this server instead of the default ones; null or '' unsets them */
  ca_certificate?: string | null;
  /** Kinds of values that the server gets in arguments where the model of an agent wrote their placeholders; the others only if the server brought the value in the same run, secrets never. null removes the list. */
  unmask_kinds?: Array<UnmaskKind> | null;
  /** Further request headers with secret values: at most 50, and all secrets of the record together have at most 32768 bytes. Headers of the connection itself and of its authentication are refused. null deletes all. */
  headers?: SecretHeaders | null;
};

/** Page of the list in result; with name=, the record in config */
export type McpConnectionList = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result?: Array<McpConnection>;
  pagination?: Pagination;
  config?: McpConnection;
};

/** Record in config */
export type McpConnectionReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: McpConnection;
};

/** Server to contact: name alone means the saved connection. Details are tested as submitted; with a name, masked and absent secrets come from the saved connection. */
export type McpConnectionTest = {
  /** Name of the saved connection */
  name?: string;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  type?: McpConnectionType;
  details?: McpConnectionDetailsUpdate;
};

/** Result of a test of an MCP connection */
export type McpConnectionTestReply = {
  /** fail: the test was carried out, and what it tested does not work; error_code tells why */
  status: Outcome;
  /** What was done or found, in a sentence for a person */
  message?: string;
  error_code?: ErrorCode;
  /** What a person can do about this code */
  remedy?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Whether the MCP server answered correctly */
  success: boolean;
  data: McpConnectionTestReplyData;
};

/** Server and result of the contact */
export type McpConnectionTestReplyData = {
  /** Name of the saved connection; null for submitted details */
  mcp_name: string | null;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  mcp_type: McpConnectionType;
  /** Address of the server without user name, password and query */
  mcp_server_url: string;
  /** Duration of the call in milliseconds, token refresh included */
  response_time_ms: number;
  /** HTTP status of the decisive answer; null if none arrived */
  http_status: number | null;
  /** An MCP answer arrived without 401 or 403 */
  authenticated: boolean;
  /** An HTTP answer arrived */
  reachable: boolean;
  /** Transport of the answer; null without one */
  transport: McpTransport | null;
  /** Negotiated version of the MCP protocol, a date; null without a handshake */
  protocol_version: string | null;
  server_info?: McpServerInfo;
};

export type McpConnectionType = "PLATFORM" | "ISSUE_TRACKER";

/** A change of the MCP connection of this name. Omitted fields stay; the type cannot change. */
export type McpConnectionUpdate = {
  /** Unique name, case-insensitive */
  name: string;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  type?: McpConnectionType;
  /** Purpose of the connection; null empties it */
  description?: string | null;
  details?: McpConnectionDetailsUpdate;
  /** Names of the tools that agents may call; default: all. null removes the list. */
  tools_allowed?: Array<string> | null;
  acl?: AclInput;
  /** Condition: version that this change is based on. */
  version?: number;
};

/** One message of the Model Context Protocol */
export type McpMessage = {
  /** Version of JSON-RPC */
  jsonrpc: "2.0";
  /** Id of the request; a notification has none */
  id?: string | number;
  /** tools/list, tools/call, server/discover, initialize, ping or a notification */
  method: string;
  /** Null counts as absent */
  params?: JsonObject | null;
};

/** Server information from the MCP handshake */
export type McpServerInfo = {
  /** Name of the software */
  name: string;
  /** Version of the software */
  version: string;
  /** Display name of the software */
  title?: string;
};

/** A tool that the MCP server offers */
export type McpTool = {
  /** Name by which the tool is called */
  name: string;
  /** Display name of the tool */
  title?: string;
  /** Description from the server */
  description: string;
  /** JSON schema of the arguments */
  input_schema?: JsonObject;
  /** JSON schema of the structured result */
  output_schema?: JsonObject;
  /** Unverified hints from the server, such as readOnlyHint */
  annotations?: JsonObject;
  /** Whether `tools_allowed` lets agents call it */
  allowed: boolean;
  /** Whether this definition of the tool is accepted; only for the saved connection */
  accepted?: boolean;
  /** Hash of name, description, schemas and annotations; only for the saved connection */
  fingerprint?: string;
  change?: McpToolChange;
  /** Why the first listing does not accept the tool. hidden_characters: its text has characters that are not displayed, such as zero-width ones. too_large: its definition has more than 65536 bytes, or its name more than 256 characters, and it is never accepted. */
  flags?: Array<McpToolFlagsItem>;
};

/** Which tools to accept */
export type McpToolAcceptance = {
  /** Name of the saved connection */
  name: string;
  /** Names of the tools to accept; default: all that the server lists */
  tools?: Array<string>;
  /** Fingerprints of the definitions that a person has seen, from the listing. A tool that the server defines otherwise by now is not accepted. */
  fingerprints?: Array<string>;
  /** Condition: version that this change is based on. */
  version?: number;
};

/** The tools of a connection after some were accepted */
export type McpToolAcceptanceReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the connection */
  name: string;
  /** Listed tools that are accepted now, also those that were before */
  accepted: Array<string>;
  /** Listed tools that are not: new ones, changed ones and those that are too large */
  changed: Array<string>;
};

/** Change since the tool was accepted; secrets of the connection are masked */
export type McpToolChange = {
  /** The accepted definition */
  before: McpToolDefinition;
  /** The definition that the server gives now */
  after: McpToolDefinition;
};

/** What a model reads of a tool besides its name */
export type McpToolDefinition = {
  /** Description from the server */
  description?: string;
  /** JSON schema of the arguments */
  input_schema?: JsonObject;
  /** JSON schema of the structured result */
  output_schema?: JsonObject;
  /** Unverified hints from the server, such as readOnlyHint */
  annotations?: JsonObject;
};

export type McpToolFlagsItem = "hidden_characters" | "too_large";

/** The tools of an MCP server */
export type McpToolList = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Always true: a listing that fails is answered as a failure */
  success: boolean;
  data: McpToolListData;
};

/** Tools and their server */
export type McpToolListData = {
  /** Name of the saved connection; null for submitted details */
  mcp_name: string | null;
  /** PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on. */
  mcp_type: McpConnectionType;
  /** Address of the server without user name, password and query */
  mcp_server_url: string;
  /** Duration of the call in milliseconds, token refresh included */
  response_time_ms: number;
  /** Number of tools */
  tool_count: number;
  /** All tools of the server, also those that agents may not call */
  tools: Array<McpTool>;
  /** Changes since the last complete listing of the saved connection; empty without one */
  drift: ToolDrift;
  /** The listing is not complete; see warnings */
  truncated?: boolean;
};

export type McpTransport = "streamable_http" | "sse";

/** A message as in Anthropic's Messages */
export type MessagesMessage = {
  /** Who speaks */
  role: MessagesMessageRole;
  /** Text, or blocks: text, image, document, search_result, tool_use, tool_result, thinking, redacted_thinking */
  content: string | Array<JsonValue>;
};

export type MessagesMessageRole = "user" | "assistant" | "system";

/** Anthropic's object with ml */
export type MessagesObject = {
  /** Id of the answer */
  id: string;
  /** Kind of object */
  type: "message";
  /** Who speaks */
  role: "assistant";
  /** The reference that was asked for */
  model: string;
  /** The answer, in order */
  content: Array<JsonObject>;
  /** end_turn, stop_sequence, max_tokens, tool_use or refusal */
  stop_reason: string;
  /** The text that ended the answer, where the provider says it */
  stop_sequence: string | null;
  usage: MessagesObjectUsage;
  ml: UseFacts;
};

/** Tokens used */
export type MessagesObjectUsage = {
  /** Tokens read, without those of the cache */
  input_tokens: number;
  /** Tokens written to a cache */
  cache_creation_input_tokens: number;
  /** Tokens read from a cache */
  cache_read_input_tokens: number;
  /** Tokens written, thinking included */
  output_tokens: number;
};

/** Anthropic's Messages request. Other fields are left out and named in ml.warnings. */
export type MessagesRequest = {
  /** An alias, `<connection>/<model>`, `<service>/<connection>/<model>`, the model of one configuration only, or `container/<model>` for a container that serves one. Default: the alias `default` */
  model?: string | null;
  /** The conversation, oldest first */
  messages: Array<MessagesMessage>;
  /** Instructions: a text, or blocks of text */
  system?: string | Array<JsonValue> | null;
  /** Tools that the model may call */
  tools?: Array<MessagesTool> | null;
  /** {type: auto | any | none, disable_parallel_tool_use}, or {type: tool, name, disable_parallel_tool_use} */
  tool_choice?: JsonValue;
  /** {type: disabled | adaptive | enabled, budget_tokens, display}: becomes a reasoning effort */
  thinking?: JsonValue;
  /** {effort, format: {type: json_schema, schema}} */
  output_config?: JsonValue;
  /** The older place of output_config.format */
  output_format?: JsonValue;
  /** A mark at the end of the last message */
  cache_control?: JsonValue;
  /** {edits}: keeping all is what happens anyway; the others are left out */
  context_management?: JsonValue;
  /** Longest answer; at most that of the configuration */
  max_tokens: number;
  /** Default: that of the configuration */
  temperature?: number | null;
  /** Nucleus sampling */
  top_p?: number | null;
  /** Sampling of this many tokens; 0 and -1: of all */
  top_k?: number | null;
  /** Texts that end the answer */
  stop_sequences?: Array<string> | null;
  /** A hint for the provider */
  metadata?: MessagesRequestMetadata | null;
  /** Answer with a complete event stream */
  stream?: boolean | null;
  /** Leave out what the provider cannot do and name it in ml.warnings, instead of failing */
  drop_unsupported?: boolean | null;
  /** Fields whose values are masked, besides those that policies name */
  mask_fields?: Array<string> | null;
  /** The row that the texts were made of: values of named fields are masked wherever they stand */
  row?: JsonObject | null;
};

/** A hint for the provider */
export type MessagesRequestMetadata = {
  /** End user, a hint for the provider */
  user_id?: string | null;
};

/** A tool that the model may call */
export type MessagesTool = {
  /** `custom`, or the name of a tool of Anthropic */
  type?: string | null;
  /** Name of the tool */
  name?: string | null;
  /** What it does */
  description?: string | null;
  /** JSON schema of the arguments */
  input_schema?: JsonObject | null;
  /** Arguments must match the schema */
  strict?: boolean | null;
  /** {type: ephemeral, ttl}: the prompt is worth caching up to here */
  cache_control?: JsonValue;
};

/** A model that the caller may use, wherever it is kept */
export type Model = {
  /** Name by which searches apply the model */
  name: string;
  /** onnx: uploaded. cloud: registered, at an endpoint in the cloud. lookup: made by the fit command. */
  type: ModelType;
  /** Algorithm that a lookup model was fitted with, if known */
  algorithm?: string;
  /** Fields that the model is given; empty if unknown */
  features: Array<string>;
  /** Fields that it predicts; empty if unknown */
  targets: Array<string>;
  /** Of an uploaded model: what its graph is given, without constants; absent if it was uploaded before this was read */
  inputs?: Array<ModelTensor>;
  /** Of an uploaded model: what it answers */
  outputs?: Array<ModelTensor>;
  /** Of a cloud model: the SageMaker endpoint that serves it */
  endpoint_name?: string;
  /** User whose model it is */
  owner: string;
  /** Id of the app that the model belongs to */
  app: string;
  /** Who can see it, in the words of the platform: its owner, users of the app, users of all apps */
  sharing: Sharing;
  /** Size of the file in bytes; absent if there is none here */
  size_bytes?: number;
  /** When the model was last written, epoch seconds with a fraction; 0 where this member does not have the file */
  updated_at: number;
};

/** One name for one or several LLM configurations */
export type ModelAlias = {
  /** Name of the alias, as created */
  name: string;
  /** Purpose of the alias */
  description: string;
  /** LLM configurations that answer for the alias, in this order */
  targets: Array<AliasTarget>;
  /** first: ask the targets in order. spread: start with a random one, then ask the others in order. */
  strategy: AliasStrategy;
  /** Failures after which the next target is asked */
  fallback_on: Array<FallbackCode>;
  defaults: AliasDefaults;
  acl: Acl;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
};

/** A new alias; its targets must exist */
export type ModelAliasCreate = {
  /** Unique name, case-insensitive */
  name: string;
  /** Purpose of the alias; null empties it */
  description?: string | null;
  /** LLM configurations that answer for the alias, in this order */
  targets: Array<AliasTarget>;
  /** first: ask the targets in order. spread: start with a random one, then ask the others in order. (default first) */
  strategy?: AliasStrategy;
  /** Failures after which the next target is asked (default rate_limited,quota_exceeded,timeout,upstream_error,connection_refused,connection_reset,dns_failed) */
  fallback_on?: Array<FallbackCode>;
  /** Values for calls that do not set their own. Omitted values stay; null removes a value. */
  defaults?: AliasDefaultsInput | null;
  acl?: AclInput;
};

/** Page of the list in result; with name=, the record in config */
export type ModelAliasList = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result?: Array<ModelAlias>;
  pagination?: Pagination;
  config?: ModelAlias;
};

/** Record in config */
export type ModelAliasReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: ModelAlias;
};

/** A change of the alias of this name; omitted fields stay */
export type ModelAliasUpdate = {
  /** Unique name, case-insensitive */
  name: string;
  /** Purpose of the alias; null empties it */
  description?: string | null;
  /** LLM configurations that answer for the alias, in this order. The list is replaced as a whole. */
  targets?: Array<AliasTarget>;
  /** first: ask the targets in order. spread: start with a random one, then ask the others in order. */
  strategy?: AliasStrategy;
  /** Failures after which the next target is asked */
  fallback_on?: Array<FallbackCode>;
  /** Values for calls that do not set their own. Omitted values stay; null removes a value. */
  defaults?: AliasDefaultsInput | null;
  acl?: AclInput;
  /** Condition: version that this change is based on. */
  version?: number;
};

/** One model to copy */
export type ModelClone = {
  /** Name of the model to copy; a prefix app: is ignored */
  source: string;
  /** Name of the copy */
  destination: string;
};

/** Result of one copy */
export type ModelCloneResult = {
  /** Name of the source model */
  source: string;
  /** Name of the copy */
  destination: string;
  /** skipped: the destination exists already; failed: see error_code */
  status: ModelCloneResultStatus;
  /** Why there is no copy; absent on success */
  error_code?: string;
};

export type ModelCloneResultStatus = "cloned" | "skipped" | "failed";

/** Which models to copy, and how */
export type ModelClones = {
  /** The copies to make, each destination once. Default: every draft model of the experiment, under its final name. */
  models?: Array<ModelClone>;
  /** user: the copies are the caller's own. app: they are shared in the app. (default user) */
  sharing?: Exclude<Sharing, "global">;
  /** Replace existing destinations instead of skipping them (default false) */
  overwrite?: boolean;
};

/** An input or output of the graph */
export type ModelTensor = {
  /** Name of it in the graph */
  name: string;
  /** Type of its values, such as float32, int64 or string; null if it is no tensor, so not used */
  type: string | null;
  /** Size of each dimension, null for an open one; null as a whole where there is no shape */
  shape: Array<number | null> | null;
};

export type ModelType = "onnx" | "cloud" | "lookup";

/** An ONNX model to upload */
export type ModelUpload = {
  /** Name of the model; its lookup file is __mlspl_<name>.onnx */
  model_name: string;
  /** Fields that the model is given, in the order of its first input: a list of names, or a text with the names between commas */
  features: Array<string> | string;
  /** Fields that it predicts: a list of names, or a text with the names between commas */
  targets: Array<string> | string;
  /** The ONNX file, at most 31,457,280 bytes; in JSON as base64 */
  model_file: string;
  /** The caller's own name for the file; kept for information */
  file_name?: string;
  /** Replace a model of this name; otherwise that is a failure (default false) */
  overwrite?: boolean | Exclude<Flag, "">;
  /** user: the model is the caller's own. app: it is shared in the app. (default user) */
  sharing?: Exclude<Sharing, "global">;
};

/** The deleted record */
export type NameReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the deleted record */
  name: string;
};

export type Outcome = "success" | "fail";

/** What the caller has used of a limit; of a limit per=all, what all users have used */
export type OwnLimitStatus = {
  /** Name of the limit */
  name: string;
  /** After which time the limit resets, by the calendar in UTC */
  window: LimitWindow;
  used: LimitUsed;
  left: LimitLeft;
  /** When the limit resets, epoch seconds */
  resets_at: number;
};

/** The limits that hold some use of the caller */
export type OwnUsageLimits = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** One entry a limit, by name */
  result: Array<OwnLimitStatus>;
};

/** Position of this page in the list */
export type Pagination = {
  /** Entries skipped */
  offset: number;
  /** Requested or default page size; 0 = all */
  count: number;
  /** Matching entries that the caller may read, on all pages */
  total: number;
  /** Entries on this page */
  returned: number;
  /** Whether there are more entries after this page */
  has_more: boolean;
  /** Offset of the next page; null on the last page */
  next_offset: number | null;
};

/** The platform's own answer */
export type PlatformMessages = {
  /** As the platform writes them: type and text */
  messages?: Array<JsonObject>;
};

export type PodSecurity = "" | "default" | "restricted" | "openshift";

/** A text, with a policy or the name of one */
export type PolicyPreview = {
  /** Text to mask; it is not stored */
  text: string;
  /** Name of a saved policy */
  name?: string;
  policy?: PreviewedPolicy;
};

/** What a policy makes of a text */
export type PolicyPreviewReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** The masked text. Its placeholders hold for this preview alone. */
  masked: string;
  /** What is masked, from left to right */
  spans: Array<PreviewSpan>;
  /** Kind -> number of places */
  counts: Record<string, number>;
};

/** A model that a search is about to apply by itself */
export type PredictBegin = {
  /** A model that GET /ml/list_models lists, your own first, or `container:<model>` */
  model: string;
};

/** A model that may be applied, and where it is */
export type PredictBegun = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Id by which the use is ended */
  use_id: string;
  /** Name of the model */
  model: string;
  /** onnx: uploaded. cloud: registered, at a SageMaker endpoint. container: a container that is running. */
  type: PredictionType;
  /** User whose model it is */
  owner: string;
  /** Id of the app that the model belongs to */
  app: string;
  /** Who can see it */
  sharing: Sharing;
  /** Fields that the model is given; empty if unknown */
  features: Array<string>;
  /** Fields that it predicts; empty if unknown */
  targets: Array<string>;
  /** Size of the file; absent if there is none on this member */
  size_bytes?: number;
};

/** What a search has used */
export type PredictEnd = {
  /** Of POST /ai_gateway/predict/begin */
  use_id: string;
  /** Rows that were applied */
  rows: number;
  /** Rows of these that failed */
  failed: number;
  /** Time that the model took; no more than since the use was begun */
  duration_ms: number;
  /** Why the search failed, if it did */
  error_code?: string;
};

/** The use that is recorded */
export type PredictEnded = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Id by which the use is ended */
  use_id: string;
};

/** Rows for a model */
export type PredictRequest = {
  /** A model that GET /ml/list_models lists, your own first, or `container:<model>` */
  model: string;
  /** What to predict from; text that reads as a number is one */
  rows: Array<JsonObject>;
  /** Seconds to wait. Default: `[gateway] deadline_s` */
  timeout_s?: number;
};

/** Predictions */
export type PredictResult = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the model */
  model: string;
  /** onnx: uploaded. cloud: registered, at a SageMaker endpoint. container: a container that is running. */
  type: PredictionType;
  /** In the order of the rows */
  result: Array<Record<string, string | number | boolean | null> | null>;
  /** Rows that failed alone */
  errors: Array<PredictResultErrorsItem>;
  ml?: MaskedFacts;
};

/** A row without a prediction */
export type PredictResultErrorsItem = {
  /** Index in `rows` */
  row: number;
  /** missing_field, unreadable_value, a code of the connection, or in a batch not_reached */
  error_code: string;
  /** Why; names the feature */
  message: string;
};

export type PredictionType = "onnx" | "cloud" | "container";

/** A place of the text that is masked */
export type PreviewSpan = {
  /** Where the value begins, in UTF-16 code units of the text */
  start: number;
  /** Where it ends, in UTF-16 code units of the text */
  end: number;
  /** Kind of the value, or the label of its pattern */
  kind: string;
};

/** The fields of a policy that decide about texts; others are ignored. A kind that would be refused is shown masked. */
export type PreviewedPolicy = {
  /** Kind -> how it is treated: ipv4, ipv6, mac, email, url_secret, host, win_user, sid, user, phone, card, iban, us_ssn, jwt, key, pem, password, field (a named value that no rule finds), or the label of a pattern. Others are allowed, labels are masked. The object is replaced as a whole. */
  kinds: Record<string, MaskingMode>;
  /** Fields whose values are masked wherever they stand in a request */
  fields?: Array<string> | null;
  /** Own kinds of values. The list is replaced as a whole. */
  patterns?: Array<MaskingPattern> | null;
  /** Values that stay, unless they are secrets: names, *.suffix of hosts, addresses and networks (CIDR) */
  never?: Array<string> | null;
  /** Countries whose telephone numbers are found without + and the code of the country */
  regions?: Array<string> | null;
};

/** The log of the container of model=, or whose logs can be read */
export type ReadContainerLogsReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  container_logs?: ContainerLogs;
  /** Without model=: whose logs can be read */
  result?: Array<LoggingContainer>;
};

/** A cloud model that searches can apply */
export type RegisteredModel = {
  /** Name of the registration, as created */
  model_name: string;
  /** Name of the SageMaker endpoint that serves the model */
  endpoint_name: string;
  cloud_credentials: RegisteredModelCloudCredentials;
  /** Search field -> path in the request, such as `instances[*].cpu`. Replaced as a whole; default {}. */
  input_feature_map: TextMap;
  /** Path in the response, such as `predictions[*]` -> result field. Replaced as a whole; default {}. */
  output_prediction_map: TextMap;
  /** OpenAPI 3 document of the endpoint with POST /invocations; the maps are checked against it */
  openapi_spec?: Record<string, JsonValue>;
  /** Maximum rows per request */
  batch_size: number;
  acl: Acl;
  last_test?: LastTest;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
};

/** Region of the endpoint and AWS credentials */
export type RegisteredModelCloudCredentials = {
  /** AWS region of the endpoint */
  region: string;
  /** AWS access key id, if set */
  access_key_id?: string;
  /** Secret access key: ***MASKED*** if one is stored */
  secret_access_key?: string;
  /** ARN of the IAM role to assume, if set */
  role_arn?: string;
};

/** A model to register or, with test_connection=1, to test: model_name alone means the saved registration, other fields are tested as submitted */
export type RegisteredModelCreate = {
  /** Unique name, compared without regard to case */
  model_name: string;
  /** Name of the SageMaker endpoint that serves the model; required to register */
  endpoint_name?: string;
  cloud_credentials?: CloudCredentialsInput;
  /** Search field -> path in the request, such as `instances[*].cpu`. Replaced as a whole; default {}. */
  input_feature_map?: TextMap;
  /** Path in the response, such as `predictions[*]` -> result field. Replaced as a whole; default {}. */
  output_prediction_map?: TextMap;
  /** OpenAPI 3 document of the endpoint with POST /invocations; the maps are checked against it */
  openapi_spec?: Record<string, JsonValue> | null;
  /** Maximum rows per request; default 100 */
  batch_size?: number;
  acl?: AclInput;
};

/** Record in config */
export type RegisteredModelReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: RegisteredModel;
};

/** Result of a registration or a test */
export type RegisteredModelTestReply = {
  /** fail: the test was carried out, and what it tested does not work; error_code tells why */
  status: Outcome;
  /** What was done or found, in a sentence for a person */
  message?: string;
  error_code?: ErrorCode;
  /** What a person can do about this code */
  remedy?: string;
  /** Warnings about the registration, such as unchecked maps; may be empty */
  warnings?: Array<string>;
  /** Whether the model was registered, or the endpoint is in service */
  success: boolean;
  /** Name of the new registration; absent from a test */
  model_name?: string;
  /** Name of the SageMaker endpoint that serves the model */
  endpoint_name: string;
  /** Of a test: state of the endpoint in AWS (InService, Creating, Failed …); null if unknown */
  endpoint_status?: string | null;
  /** Marks the reply to a test */
  test_type?: "connection_test";
  /** Of a test: duration in milliseconds */
  response_time_ms?: number;
};

/** A change of the registration of this name; omitted fields stay */
export type RegisteredModelUpdate = {
  /** Unique name, compared without regard to case */
  model_name: string;
  /** Name of the SageMaker endpoint that serves the model; required to register */
  endpoint_name?: string;
  cloud_credentials?: CloudCredentialsInput;
  /** Search field -> path in the request, such as `instances[*].cpu`. Replaced as a whole; default {}. */
  input_feature_map?: TextMap;
  /** Path in the response, such as `predictions[*]` -> result field. Replaced as a whole; default {}. */
  output_prediction_map?: TextMap;
  /** OpenAPI 3 document of the endpoint with POST /invocations; the maps are checked against it */
  openapi_spec?: Record<string, JsonValue> | null;
  /** Maximum rows per request; default 100 */
  batch_size?: number;
  acl?: AclInput;
  /** Condition: version that this change is based on. */
  version?: number;
};

export type ResourceFamily = "mcp-connections" | "llm-providers" | "container-connections" | "vector-stores" | "model-registrations" | "experiments" | "agents" | "containers" | "models" | "feature-flags" | "configuration" | "connection-health" | "model_aliases" | "usage_limits" | "search_tools" | "masking_policies" | "runs";

/** OpenAI's response object with ml */
export type ResponsesObject = {
  /** Id of the answer */
  id: string;
  /** Kind of object */
  object: "response";
  /** Epoch seconds */
  created_at: number;
  /** Epoch seconds; null where the answer is incomplete */
  completed_at: number | null;
  /** Whether the answer is whole */
  status: ResponsesObjectStatus;
  /** There is no work in the background */
  background: false;
  /** Failures have their HTTP status */
  error: null;
  /** {reason}: max_output_tokens or content_filter */
  incomplete_details: JsonObject | null;
  /** As asked */
  instructions: string | null;
  /** As asked */
  max_output_tokens: number | null;
  /** As asked */
  max_tool_calls: number | null;
  /** As asked */
  metadata: Record<string, string>;
  /** The reference that was asked for */
  model: string;
  /** Reasoning, then the message, then the calls */
  output: Array<JsonObject>;
  /** As asked */
  parallel_tool_calls: boolean;
  /** Nothing is stored */
  previous_response_id: null;
  /** {effort, summary}, as asked */
  reasoning: JsonObject;
  /** Tiers are the provider's */
  service_tier: "default";
  /** Nothing is stored */
  store: false;
  /** As asked */
  temperature: number;
  /** {format}, as asked */
  text: JsonObject;
  /** As asked */
  tool_choice: JsonValue;
  /** As asked */
  tools: Array<JsonValue>;
  /** As asked */
  top_logprobs: number;
  /** As asked */
  top_p: number;
  /** No input is cut */
  truncation: "disabled";
  /** As asked */
  user: string | null;
  usage: ResponsesUsage;
  ml: UseFacts;
};

export type ResponsesObjectStatus = "completed" | "incomplete";

/** OpenAI's Responses request. Nothing is stored, so `input` is the whole conversation. Fields that the gateway does not know are named in ml.warnings and go to nobody. */
export type ResponsesRequest = {
  /** An alias, `<connection>/<model>`, `<service>/<connection>/<model>`, the model of one configuration only, or `container/<model>` for a container that serves one. Default: the alias `default` */
  model?: string | null;
  /** A text, or items: messages, calls of tools with their outputs, and reasoning, oldest first */
  input: JsonValue;
  /** What the model is to do, before everything in input */
  instructions?: string | null;
  /** Tools that the model may call */
  tools?: Array<JsonValue> | null;
  /** `auto`, `none`, `required`, {type: function, name}, {type: custom, name} or {type: allowed_tools, mode, tools} */
  tool_choice?: JsonValue;
  /** Whether an answer may have several calls */
  parallel_tool_calls?: boolean | null;
  /** Longest answer; at most that of the configuration */
  max_output_tokens?: number | null;
  /** Default: that of the configuration */
  temperature?: number | null;
  /** Nucleus sampling */
  top_p?: number | null;
  /** How many for each token */
  top_logprobs?: number | null;
  /** The form of the answer */
  text?: ResponsesRequestText | null;
  /** How much the model thinks */
  reasoning?: ResponsesRequestReasoning | null;
  /** Further members of the answer. The state of reasoning is given in any case */
  include?: Array<string> | null;
  /** Given back in the answer */
  metadata?: Record<string, string | null> | null;
  /** Answer with a complete event stream */
  stream?: boolean | null;
  /** Nothing is stored; true causes a warning */
  store?: boolean | null;
  /** Only `disabled` */
  truncation?: string | null;
  /** Of hosted tools, which there are none of */
  max_tool_calls?: number | null;
  /** End user, a hint for the provider */
  user?: string | null;
  /** A hint for the provider */
  safety_identifier?: string | null;
  /** A hint for the provider */
  prompt_cache_key?: string | null;
  /** A hint for the provider */
  service_tier?: string | null;
  /** Leave out what the provider cannot do and name it in ml.warnings, instead of failing */
  drop_unsupported?: boolean | null;
  /** Fields whose values are masked, besides those that policies name */
  mask_fields?: Array<string> | null;
  /** The row that the texts were made of: values of named fields are masked wherever they stand */
  row?: JsonObject | null;
};

/** How much the model thinks */
export type ResponsesRequestReasoning = {
  /** none, minimal, low, medium, high, xhigh or max */
  effort?: string | null;
  /** The text that the provider shows is given in any case */
  summary?: JsonValue;
  /** Only `standard` */
  mode?: JsonValue;
};

/** The form of the answer */
export type ResponsesRequestText = {
  /** {type: text}, {type: json_object} or {type: json_schema, name, schema, strict} */
  format?: JsonValue;
  /** low, medium or high */
  verbosity?: string | null;
};

/** Tokens used */
export type ResponsesUsage = {
  /** Tokens read, cached ones included */
  input_tokens: number;
  input_tokens_details: ResponsesUsageInputTokensDetails;
  /** Tokens written, reasoning included */
  output_tokens: number;
  output_tokens_details: ResponsesUsageOutputTokensDetails;
  /** input_tokens + output_tokens */
  total_tokens: number;
};

/** Parts of input_tokens */
export type ResponsesUsageInputTokensDetails = {
  /** Read from a cache */
  cached_tokens: number;
  /** Written to a cache */
  cache_write_tokens: number;
};

/** Parts of output_tokens */
export type ResponsesUsageOutputTokensDetails = {
  /** Written while thinking */
  reasoning_tokens: number;
};

/** What to look for in a vector store */
export type RetrieveRequest = {
  /** Name of a vector store that you may read */
  store: string;
  /** What to look for */
  query: string;
  /** Passages at most (default 5) */
  number_of_results?: number;
  /** Only passages whose metadata match: one operator with {key, value} (equals, notEquals, in, notIn, greaterThan, greaterThanOrEquals, lessThan, lessThanOrEquals, startsWith, listContains, stringContains), or andAll, orAll with a list of filters, nested 5 deep at most */
  filter?: Record<string, JsonValue>;
  /** semantic: by meaning; hybrid: by words as well. Default: the store decides */
  search_type?: RetrieveRequestSearchType;
  /** Seconds to wait. Default: `[gateway] deadline_s` */
  timeout_s?: number;
};

export type RetrieveRequestSearchType = "hybrid" | "semantic";

/** What was found */
export type RetrieveResult = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Passages, best first */
  result: Array<RetrieveResultResultItem>;
  ml?: MaskedFacts;
};

/** A passage */
export type RetrieveResultResultItem = {
  /** From 1 */
  rank: number;
  /** Id of the document */
  id?: string;
  /** Empty for a passage without text, such as a picture */
  text: string;
  /** How well it fits, on a scale of the store; absent if it has none */
  score?: number;
  source: RetrieveResultResultItemSource;
  /** Metadata of the document */
  metadata: JsonObject;
};

/** Where the document is */
export type RetrieveResultResultItemSource = {
  /** s3, web, confluence …; absent if unknown */
  type?: string;
  /** Address, id or query of the place */
  uri?: string;
};

/** A run, without its steps */
export type Run = {
  /** Id of the run */
  run_id: string;
  /** Name of the agent; absent for a definition */
  agent?: string;
  /** The definition as it was when the run began. Each tool in mcps[].tools is an object: its name, and the fingerprint under which it was accepted */
  definition: JsonObject;
  /** Whose run it is, and whose rights it has */
  user: string;
  /** State of the run */
  state: RunState;
  /** The question or task */
  input: string | JsonObject;
  /** The answer; an object where the agent has output_schema */
  output?: string | JsonObject;
  evidence?: RunEvidenceCounts;
  /** Why it failed */
  error_code?: string;
  /** What happened */
  message?: string;
  /** Its session */
  session_id?: string;
  /** Id of the search that takes its steps */
  job_id?: string;
  /** Epoch seconds */
  started_at: number;
  /** Epoch seconds */
  ended_at?: number;
  usage: RunUsage;
  source?: RunSource;
  result?: RunResult;
};

/** Rows of an alert; each starts a run, or all together one */
export type RunAlert = {
  /** The saved search; empty for one that nobody saved */
  search_name: string;
  /** The search job */
  sid: string;
  /** The result, of an alert that is triggered for each result */
  result_id?: string;
  /** App of the saved search */
  app: string;
  /** Owner of the saved search; grants nothing */
  owner?: string;
  /** Parameters of the alert action, as texts. An empty one is its default, an unknown one is ignored */
  params: Record<string, string>;
  /** Rows of the results */
  rows: Array<Record<string, string | Array<string>>>;
  /** Position of the first row among the results (default 0) */
  first_row?: number;
  /** Rows of the results, those that are not sent among them */
  row_count?: number;
  /** For each row: how many equal ones come before it in the results */
  ordinals?: Array<number>;
  /** Rows whose outcome has should_retry are sent again, so that they leave no event now (default false) */
  will_retry?: boolean;
};

/** What became of a row */
export type RunAlertOutcome = {
  /** Index of the row in the request; 0 for the whole alert */
  row: number;
  /** started: a run was. claimed: an earlier request did so, or reported why not. suppressed: a row with the same key started one. max_runs: the search has started as many as it may. refused: error_code says why */
  outcome: RunAlertOutcomeOutcome;
  /** The run */
  run_id?: string;
  /** Why it was refused */
  error_code?: string;
  /** What happened */
  message?: string;
  /** true: it may succeed if it is sent again */
  should_retry?: boolean;
};

export type RunAlertOutcomeOutcome = "started" | "claimed" | "suppressed" | "max_runs" | "refused";

/** What became of the rows of an alert */
export type RunAlertOutcomes = {
  /** Outcomes of the rows */
  outcomes: Array<RunAlertOutcome>;
};

/** A decision about a call that waits */
export type RunDecision = {
  /** Index of the step that waits */
  step: number;
  /** approve: the call is made. reject: it is not */
  decision: RunDecisionDecision;
  /** In place of the model's arguments */
  arguments?: JsonObject;
  /** With approve: nothing is called, and this is the result */
  result?: string;
  /** The model is told why it was rejected */
  comment?: string;
};

export type RunDecisionDecision = "approve" | "reject";

/** A run with its steps */
export type RunDetail = {
  /** Id of the run */
  run_id: string;
  /** Name of the agent; absent for a definition */
  agent?: string;
  /** The definition as it was when the run began. Each tool in mcps[].tools is an object: its name, and the fingerprint under which it was accepted */
  definition: JsonObject;
  /** Whose run it is, and whose rights it has */
  user: string;
  /** State of the run */
  state: RunState;
  /** The question or task */
  input: string | JsonObject;
  /** The answer; an object where the agent has output_schema */
  output?: string | JsonObject;
  evidence?: RunEvidence;
  /** Why it failed */
  error_code?: string;
  /** What happened */
  message?: string;
  /** Its session */
  session_id?: string;
  /** Id of the search that takes its steps */
  job_id?: string;
  /** Epoch seconds */
  started_at: number;
  /** Epoch seconds */
  ended_at?: number;
  usage: RunUsage;
  source?: RunSource;
  result?: RunResult;
  /** Its steps, in order */
  steps: Array<RunStep>;
};

/** The claims of the output that were looked up in the run's data; absent if nothing was checked */
export type RunEvidence = {
  /** Claims of the output; absent with error_code */
  checked?: number;
  /** Those that were found in the run's data */
  backed?: number;
  /** Those that follow from values there */
  derived?: number;
  /** Those that were not found there */
  unverified?: number;
  /** timeout: the check took too long, and nothing was compared */
  error_code?: string;
  /** At most 200, those that were not found first; the counts are of all */
  entities?: Array<RunEvidenceEntity>;
};

/** The claims of the output that were looked up in the run's data; absent if nothing was checked */
export type RunEvidenceCounts = {
  /** Claims of the output; absent with error_code */
  checked?: number;
  /** Those that were found in the run's data */
  backed?: number;
  /** Those that follow from values there */
  derived?: number;
  /** Those that were not found there */
  unverified?: number;
  /** timeout: the check took too long, and nothing was compared */
  error_code?: string;
};

/** A claim of the output */
export type RunEvidenceEntity = {
  /** As it first stands in the output; 256 characters at most */
  text: string;
  /** What it is */
  kind: RunEvidenceEntityKind;
  /** backed: found in the run's data. derived: follows from values there, such as a sum. unverified: not found there */
  status: RunEvidenceEntityStatus;
  /** Where it was found; one entry for each source */
  by: Array<RunEvidenceSource>;
  /** Why it has this status */
  why?: string;
};

export type RunEvidenceEntityKind = "ipv4" | "ipv6" | "host" | "url" | "email" | "user" | "hash" | "file" | "path" | "cve" | "attack" | "time" | "number" | "version";

export type RunEvidenceEntityStatus = "backed" | "derived" | "unverified";

/** Where a claim was found: in the input, or in the result of a step */
export type RunEvidenceSource = {
  /** The input of the run */
  input?: true;
  /** Id of the earlier run of the session that the step is of */
  run_id?: string;
  /** Index of the step */
  step?: number;
  /** Innermost key of the value; of several the first */
  field?: string;
};

/** A page of runs */
export type RunListReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result: Array<Run>;
  pagination: Pagination;
};

/** A run as it is now */
export type RunReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: RunDetail;
  /** Id of the run */
  run_id: string;
  /** State of the run */
  state: RunState;
  /** The answer; an object where the agent has output_schema */
  output?: string | JsonObject;
};

/** A run: exactly one of agent, definition and alert; with the first two an input */
export type RunRequest = {
  /** Name of the agent */
  agent?: string;
  definition?: AgentDefinition;
  alert?: RunAlert;
  /** The question or task; required, but for an alert */
  input?: string | JsonObject;
  /** Continues the earlier runs of this session */
  session_id?: string;
  /** job: a search takes the steps. caller: whoever calls step does (default job) */
  worker?: RunRequestWorker;
  /** Wait so many seconds until the run ends or waits for approval (default 20) */
  wait_s?: number;
};

export type RunRequestWorker = "job" | "caller";

/** The index that gets the answer as an event when the run ends */
export type RunResult = {
  /** The index */
  index: string;
  /** Sourcetype of the event */
  sourcetype: string;
  /** Whether the event was sent */
  written: boolean;
  /** Why it was not: index_not_allowed, or why the platform did not take it */
  error_code?: string;
};

/** The alert that started the run */
export type RunSource = {
  /** What started the run */
  kind: "alert";
  /** The saved search; empty for one that nobody saved */
  search_name: string;
  /** The search job */
  sid: string;
  /** The result */
  result_id?: string;
  /** App of the saved search */
  app: string;
};

/** A run as it is now; of an alert the outcomes, and the run only if it is the only one that was started */
export type RunStartReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config?: RunDetail;
  /** Id of the run */
  run_id?: string;
  /** State of the run */
  state?: RunState;
  /** The answer; an object where the agent has output_schema */
  output?: string | JsonObject;
  alert?: RunAlertOutcomes;
};

export type RunState = "queued" | "running" | "waiting_for_approval" | "succeeded" | "failed" | "cancelled";

/** A step of a run */
export type RunStep = {
  /** Position in the run, from 0 */
  index: number;
  /** model: a request to the model. tool, retrieve: a call. invoke: the whole run elsewhere */
  kind: RunStepKind;
  /** Model reference, or name of the tool */
  name?: string;
  /** waiting: a person has to approve. unknown: it began, its outcome is lost, and it must not be repeated without a person */
  state: RunStepState;
  /** Epoch seconds */
  started_at: number;
  /** Milliseconds, once it has ended */
  duration_ms?: number;
  /** Arguments of a call; cut at 8 KB once it has ended */
  input?: string | JsonObject;
  /** Answer, result or error; cut at 8 KB */
  output?: string;
  usage?: RunUsage;
  /** Code of a failure */
  error_code?: string;
  /** Of a model step: what was missing */
  unavailable?: Array<RunStepUnavailableItem>;
  /** User who approved or rejected it; expiry: nobody did within approval_timeout_s */
  decided_by?: string;
  /** Id of the search job of a search tool */
  sid?: string;
};

export type RunStepKind = "model" | "tool" | "retrieve" | "invoke";

/** The step that was taken, if there was one */
export type RunStepReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Id of the run */
  run_id: string;
  /** State of the run */
  state: RunState;
  step?: RunStep;
  /** true: another process is taking a step */
  busy?: boolean;
  /** To a worker whose run is idle: the run of the same user that it goes on with */
  next_run_id?: string;
};

export type RunStepState = "started" | "waiting" | "unknown" | "done" | "failed" | "rejected";

/** A connection, store or search tool that the agent names and that cannot be used */
export type RunStepUnavailableItem = {
  /** What it is */
  kind: RunStepUnavailableItemKind;
  /** Its name */
  name: string;
  /** Why it cannot be used: why its server did not list its tools, or why its last test failed; feature_disabled: it is switched off */
  error_code: string;
};

export type RunStepUnavailableItemKind = "mcp_connection" | "vector_store" | "search_tool";

/** What was used */
export type RunUsage = {
  /** Requests to models */
  requests: number;
  /** Tokens read by models */
  input_tokens: number;
  /** Tokens written by models */
  output_tokens: number;
  /** US dollars; absent for models without a price */
  cost?: number;
};

/** The configuration, as it was saved */
export type SaveLlmConfigurationReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  updated_config: LlmConfiguration;
};

/** An argument of a search tool */
export type SearchArgument = {
  /** Name of the argument, as in the search */
  name: string;
  /** string: stands within double quotes of the search. time: a modifier, ISO 8601 or epoch seconds */
  type: SearchArgumentType;
  /** What the model is told of it */
  description?: string;
  /** The value where a call gives none */
  default?: string | number | boolean;
  /** The only values */
  enum?: Array<string | number | boolean>;
  /** The smallest number */
  minimum?: number;
  /** The largest number */
  maximum?: number;
  /** Whether a call must give it (default true) */
  is_required: boolean;
  /** Whether a text may contain * (default false) */
  wildcards: boolean;
};

/** An argument of a search tool */
export type SearchArgumentInput = {
  /** Name of the argument, as in the search */
  name: string;
  /** string: stands within double quotes of the search. time: a modifier, ISO 8601 or epoch seconds */
  type: SearchArgumentType;
  /** What the model is told of it */
  description?: string;
  /** The value where a call gives none */
  default?: string | number | boolean;
  /** The only values */
  enum?: Array<string | number | boolean>;
  /** The smallest number */
  minimum?: number;
  /** The largest number */
  maximum?: number;
  /** Whether a call must give it (default true) */
  is_required?: boolean;
  /** Whether a text may contain * (default false) */
  wildcards?: boolean;
};

export type SearchArgumentType = "string" | "integer" | "number" | "boolean" | "time" | "index" | "sourcetype" | "field";

/** What a search tool answered */
export type SearchCallReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  result: SearchResult;
};

/** A call of a search tool */
export type SearchCallRequest = {
  /** Name of the search tool without the prefix: spl, indexes …, or that of a published one */
  tool: string;
  /** Arguments of the tool. Default, also for null: none */
  arguments?: JsonObject | null;
  /** Seconds after which the search ends with the rows that it has. Default: that of the tool */
  timeout_s?: number;
};

/** What the platform says of a search */
export type SearchMessage = {
  /** FATAL, ERROR, WARN, INFO or DEBUG */
  type: string;
  /** Text of the platform */
  text: string;
};

/** Rows of a search */
export type SearchResult = {
  /** Id of the search job; absent for lists that need no search */
  sid?: string;
  /** Fields of the rows, in order */
  fields: Array<string>;
  /** Rows; each value is text, a number, a list or null, in the order of fields */
  rows: Array<Array<JsonValue>>;
  /** Rows of this answer */
  count: number;
  /** Rows of the search */
  total?: number;
  /** In place of total, for a search that was stopped: rows that it had by then */
  at_least?: number;
  /** true: rows were left out, or cells cut */
  truncated?: boolean;
  /** Begin of the range of time, ISO 8601 */
  earliest?: string;
  /** End of the range of time, ISO 8601 */
  latest?: string;
  /** What the platform says of the search */
  messages: Array<SearchMessage>;
};

/** One step of the workflow */
export type SearchStage = {
  /** Role of the stage; fit trains a model, apply uses one */
  role: SearchStageRole;
  /** A search, or a part of one, in SPL */
  search: string;
  /** Name of the algorithm that the stage uses */
  algorithm?: string;
  /** Parameters of the algorithm */
  parameters?: Record<string, JsonValue>;
  /** Fields of the stage: a list of names, or an object that maps roles to names */
  fields?: Array<string> | Record<string, JsonValue>;
  /** Model that the stage writes or reads; the prefix app: means a shared model */
  model_name?: string;
};

export type SearchStageRole = "preprocess" | "fit" | "apply" | "validate" | "visualize";

/** A search that models call as a tool, with typed arguments */
export type SearchTool = {
  /** Name of the search tool */
  name: string;
  /** What the search answers, for models and people */
  description: string;
  /** SPL with $name$ for each argument; $$ is a dollar sign */
  search: string;
  /** The arguments of the search; each stands in it at least once */
  arguments: Array<SearchArgument>;
  /** Begin of the range of time: a time modifier, ISO 8601 or epoch seconds */
  earliest: string;
  /** End of the range of time: a time modifier, ISO 8601 or epoch seconds */
  latest: string;
  /** App of the platform in which macros and lookups are found */
  app: string;
  /** Rows that a call reads at most */
  max_rows: number;
  /** Seconds after which the search ends with the rows that it has */
  timeout_s: number;
  /** Whether the tool is offered and can be called */
  is_enabled: boolean;
  /** Whether the search only reads, as it was judged when it was saved */
  read_only: boolean;
  acl: Acl;
  last_test?: LastTest;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
};

/** A new search tool */
export type SearchToolCreate = {
  /** Unique name; the tool is search__<name> */
  name: string;
  /** What the search answers, for models and people; null empties it */
  description?: string | null;
  /** SPL with $name$ for each argument; $$ is a dollar sign */
  search: string;
  /** The arguments of the search; each stands in it at least once. The list is replaced as a whole; null empties it. */
  arguments?: Array<SearchArgumentInput> | null;
  /** Begin of the range of time: a time modifier, ISO 8601 or epoch seconds (default -24h) */
  earliest?: string;
  /** End of the range of time: a time modifier, ISO 8601 or epoch seconds (default now) */
  latest?: string;
  /** App of the platform in which macros and lookups are found (default search) */
  app?: string;
  /** Rows that a call reads at most (default 200) */
  max_rows?: number;
  /** Seconds after which the search ends with the rows that it has (default 60) */
  timeout_s?: number;
  /** Whether the tool is offered and can be called (default true) */
  is_enabled?: boolean;
  acl?: AclInput;
};

/** Page of the list in result; with name=, the record in config */
export type SearchToolList = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result?: Array<SearchTool>;
  pagination?: Pagination;
  config?: SearchTool;
};

/** Record in config */
export type SearchToolReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: SearchTool;
};

/** Search to run as the caller: name alone means the saved tool. Other fields are tested as submitted; with a name, those that are absent come from the saved tool. */
export type SearchToolTest = {
  /** Name of the saved search tool */
  name?: string;
  /** SPL with $name$ for each argument; $$ is a dollar sign */
  search?: string;
  /** The arguments of the search */
  arguments?: Array<SearchArgumentInput>;
  /** Begin of the range of time: a time modifier, ISO 8601 or epoch seconds */
  earliest?: string;
  /** End of the range of time: a time modifier, ISO 8601 or epoch seconds */
  latest?: string;
  /** App of the platform in which macros and lookups are found */
  app?: string;
  /** Rows that a call reads at most */
  max_rows?: number;
  /** Seconds after which the search ends with the rows that it has */
  timeout_s?: number;
  /** Argument -> value; at most 65536 bytes */
  values?: JsonObject;
  /** Required for a search that changes something, which the test does (default false) */
  confirm?: boolean;
};

/** Result of a test of a search tool */
export type SearchToolTestReply = {
  /** fail: the test was carried out, and what it tested does not work; error_code tells why */
  status: Outcome;
  /** What was done or found, in a sentence for a person */
  message?: string;
  error_code?: ErrorCode;
  /** What a person can do about this code */
  remedy?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Whether the search ran */
  success: boolean;
  data: SearchToolTestReplyData;
};

/** The search and its first rows */
export type SearchToolTestReplyData = {
  /** The search as it was sent */
  search: string;
  /** Id of the search job */
  sid?: string;
  /** Fields of the rows, in order */
  fields: Array<string>;
  /** Rows; each value is text, a number, a list or null, in the order of fields */
  rows: Array<Array<JsonValue>>;
  /** Rows that the search found; 20 at most are shown */
  count: number;
  /** Milliseconds */
  duration_ms: number;
  /** Whether the search only reads */
  read_only: boolean;
  /** Commands of the search, those of subsearches included */
  commands: Array<string>;
  /** What the platform says of the search */
  messages: Array<SearchMessage>;
};

/** A change of the search tool of this name; omitted fields stay */
export type SearchToolUpdate = {
  /** Unique name; the tool is search__<name> */
  name: string;
  /** What the search answers, for models and people; null empties it */
  description?: string | null;
  /** SPL with $name$ for each argument; $$ is a dollar sign */
  search?: string;
  /** The arguments of the search; each stands in it at least once. The list is replaced as a whole; null empties it. */
  arguments?: Array<SearchArgumentInput> | null;
  /** Begin of the range of time: a time modifier, ISO 8601 or epoch seconds */
  earliest?: string;
  /** End of the range of time: a time modifier, ISO 8601 or epoch seconds */
  latest?: string;
  /** App of the platform in which macros and lookups are found */
  app?: string;
  /** Rows that a call reads at most */
  max_rows?: number;
  /** Seconds after which the search ends with the rows that it has */
  timeout_s?: number;
  /** Whether the tool is offered and can be called */
  is_enabled?: boolean;
  acl?: AclInput;
  /** Condition: version that this change is based on. */
  version?: number;
};

/** Further request headers with secret values: at most 50, and all secrets of the record together have at most 32768 bytes. Headers of the connection itself and of its authentication are refused. null deletes all. */
export type SecretHeaders = Record<string, string | null>;

/** Choice of the caller about curated time series models */
export type SetCtsmFeatureInput = {
  /** true: opt out; false: opt in */
  ctsm_opt_out: boolean;
};

export type Sharing = "user" | "app" | "global";

export type SortDirection = "asc" | "desc";

export type SortKey = "name" | "id" | "title" | "description" | "type" | "family" | "state" | "status" | "auth_state" | "runtime_type" | "service" | "connection_name" | "connection_type" | "container_type" | "model" | "owner" | "app" | "sharing" | "created_at" | "created_by" | "last_updated_at" | "last_updated_by" | "updated_at" | "expires_at" | "started_at" | "time" | "timestamp" | "version" | "window";

/** The container that was started */
export type StartContainerReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  updated_config: StartedContainer;
};

/** A container that has been started; its application may not answer yet. All values are texts. */
export type StartedContainer = {
  /** Id that the engine gave it; empty while there is none */
  id: string;
  /** Address of the API, as the platform reaches it; empty while there is none */
  api_url: string;
  /** Address of the API, as browsers reach it; empty while there is none */
  api_url_external: string;
  /** Address of Jupyter; empty unless published */
  jupyter_url: string;
  /** Address of TensorBoard; empty unless published */
  tensorboard_url: string;
  /** Address of MLflow; empty unless published */
  mlflow_url: string;
  /** Address of Spark; empty unless published */
  spark_url: string;
  /** Waiting for Url to start; Active: the application answers; Unreachable: it no longer does; Failed: the engine says so; Stopped: the container is gone or has ended */
  status: string;
  /** Why it has this status, for programs, such as pulling or oom_killed; empty when all is well */
  status_reason: string;
  /** Why it has this status, for a person; empty when all is well */
  status_message: string;
  /** Engine of the container */
  cluster: string;
  /** DEV: exposes the API and the tools (Jupyter, TensorBoard, MLflow, Spark). PROD: exposes only the API. */
  mode: string;
  /** Name of the model that it serves */
  model: string;
  /** Name of the connection that it runs through */
  connection_name: string;
  /** Name of the container or deployment on the engine */
  container_name: string;
};

/** A document of a vector store */
export type StoreDocument = {
  /** Id of the document */
  id: string;
  /** Passages of the document */
  passages: number;
  /** Metadata of the document */
  metadata: JsonObject;
  /** When it was written, in epoch seconds */
  updated_at: number;
};

/** A container connection with its last test alone */
export type TestedContainerConnection = {
  /** The engine of the connection */
  container_type: ContainerType;
  /** Name of the connection, as it was written when it was created */
  connection_name: string;
  /** What its last test found; null if there was none */
  last_test: LastTest | null;
};

/** Object with string values */
export type TextMap = Record<string, string>;

/** Tokens used */
export type TokenUsage = {
  /** Tokens read, cached ones included */
  prompt_tokens: number;
  /** Tokens written, reasoning included */
  completion_tokens?: number;
  /** prompt_tokens + completion_tokens */
  total_tokens: number;
  /** cached_tokens, cache_write_tokens */
  prompt_tokens_details?: Record<string, number>;
  /** reasoning_tokens */
  completion_tokens_details?: Record<string, number>;
};

/** What a tool answered */
export type ToolCallReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  result: ToolCallReplyResult;
  ml?: MaskedFacts;
};

/** Result of the tool */
export type ToolCallReplyResult = {
  /** What the tool answered, unchanged but for secrets of the connection, which are masked */
  content: Array<JsonObject>;
  /** The result as an object, or another value of JSON, if the tool gives one */
  structured_content?: JsonValue;
  /** Whether the tool itself reports an error */
  is_error: boolean;
};

/** A call of one tool */
export type ToolCallRequest = {
  /** Name of the MCP connection */
  connection: string;
  /** Name of the tool, as its server lists it */
  tool: string;
  /** Arguments, checked against the schema of the tool. Default, also for null: none */
  arguments?: JsonObject | null;
  /** Time limit of the tool in seconds. Default: `[gateway] tool_timeout_s` */
  timeout_s?: number;
};

/** Changes of the tools of an MCP server since the previous list */
export type ToolDrift = {
  /** New tools */
  added: Array<string>;
  /** Removed tools */
  removed: Array<string>;
  /** Tools with a changed description or input schema */
  changed: Array<string>;
};

export type UnmaskKind = "card" | "iban" | "us_ssn" | "ipv4" | "ipv6" | "mac" | "sid" | "email" | "win_user" | "host" | "user" | "phone" | "field";

/** A stored record that lacks required fields or has fields of a wrong type */
export type UnreadableRecord = {
  /** Collection of the KV store */
  collection: string;
  /** The `_key` of the document */
  key: string;
};

/** The uploaded model */
export type UploadModelReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Name of the model */
  model_name: string;
  config: UploadedModel;
};

/** An uploaded model, with what its file says */
export type UploadedModel = {
  /** Name by which searches apply the model */
  name: string;
  /** onnx: uploaded. cloud: registered, at an endpoint in the cloud. lookup: made by the fit command. */
  type: ModelType;
  /** Algorithm that a lookup model was fitted with, if known */
  algorithm?: string;
  /** Fields that the model is given; empty if unknown */
  features: Array<string>;
  /** Fields that it predicts; empty if unknown */
  targets: Array<string>;
  /** What the model is given, constants of the graph left out */
  inputs: Array<ModelTensor>;
  /** What the model answers */
  outputs: Array<ModelTensor>;
  /** Of a cloud model: the SageMaker endpoint that serves it */
  endpoint_name?: string;
  /** User whose model it is */
  owner: string;
  /** Id of the app that the model belongs to */
  app: string;
  /** Who can see it, in the words of the platform: its owner, users of the app, users of all apps */
  sharing: Sharing;
  /** Size of the file in bytes; absent if there is none here */
  size_bytes?: number;
  /** When the model was last written, epoch seconds with a fraction; 0 where this member does not have the file */
  updated_at: number;
  /** The caller's own name for the file; kept for information */
  file_name?: string;
  /** Version of the ONNX format that the file is in */
  ir_version: number;
  /** Version of the standard operators; null if the model uses only others */
  opset_version: number | null;
};

/** How much users may use in a window of time */
export type UsageLimit = {
  /** Name of the limit, as created */
  name: string;
  /** Purpose of the limit */
  description: string;
  applies_to: UsageLimitApplies;
  /** user: each user has this amount. all: all users together have it. */
  per: LimitSubject;
  /** After which time the limit resets, by the calendar in UTC */
  window: LimitWindow;
  /** Maximum number of uses per window; 0 blocks all */
  requests?: number;
  /** Maximum number of tokens per window, input and output together; 0 blocks all */
  tokens?: number;
  /** Maximum cost per window in US dollars; uses without a price do not count. 0 blocks all */
  cost?: number;
  /** refuse: uses beyond the limit fail with limit_exceeded. warn: they only get a warning. */
  action: LimitAction;
  /** Whether the limit is in force */
  is_enabled: boolean;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
};

/** What the limit holds: a use that fits each of these keys, and of each key one of the values. Without keys: every use */
export type UsageLimitApplies = {
  /** Users, compared without regard to case */
  users?: Array<string>;
  /** Roles, which users have directly or by import. If limits differ only in these, the highest applies */
  roles?: Array<string>;
  /** What the uses ask for */
  operations?: Array<UsageOperation>;
  /** References: <connection>/<model>, <service>/<connection>/<model> or a model for a configuration however it is reached; an alias for calls by this alias; * for all */
  models?: Array<string>;
};

/** What the limit holds: a use that fits each of these keys, and of each key one of the values. Without keys: every use. Omitted keys stay; null or an empty list removes a key. */
export type UsageLimitAppliesInput = {
  /** Users, compared without regard to case */
  users?: Array<string> | null;
  /** Roles, which users have directly or by import. If limits differ only in these, the highest applies */
  roles?: Array<string> | null;
  /** What the uses ask for */
  operations?: Array<UsageOperation> | null;
  /** References: <connection>/<model>, <service>/<connection>/<model> or a model for a configuration however it is reached; an alias for calls by this alias; * for all */
  models?: Array<string> | null;
};

/** A new limit, with at least one of requests, tokens and cost */
export type UsageLimitCreate = {
  /** Unique name, case-insensitive */
  name: string;
  /** Purpose of the limit; null empties it */
  description?: string | null;
  /** What the limit holds: a use that fits each of these keys, and of each key one of the values. Without keys: every use. Omitted keys stay; null or an empty list removes a key. */
  applies_to?: UsageLimitAppliesInput | null;
  /** user: each user has this amount. all: all users together have it. (default user) */
  per?: LimitSubject;
  /** After which time the limit resets, by the calendar in UTC */
  window: LimitWindow;
  /** Maximum number of uses per window; 0 blocks all */
  requests?: number | null;
  /** Maximum number of tokens per window, input and output together; 0 blocks all */
  tokens?: number | null;
  /** Maximum cost per window in US dollars; uses without a price do not count. 0 blocks all */
  cost?: number | null;
  /** refuse: uses beyond the limit fail with limit_exceeded. warn: they only get a warning. (default refuse) */
  action?: LimitAction;
  /** Whether the limit is in force (default true) */
  is_enabled?: boolean;
};

/** A limit, and what is used of it */
export type UsageLimitDetail = {
  /** Name of the limit, as created */
  name: string;
  /** Purpose of the limit */
  description: string;
  applies_to: UsageLimitApplies;
  /** user: each user has this amount. all: all users together have it. */
  per: LimitSubject;
  /** After which time the limit resets, by the calendar in UTC */
  window: LimitWindow;
  /** Maximum number of uses per window; 0 blocks all */
  requests?: number;
  /** Maximum number of tokens per window, input and output together; 0 blocks all */
  tokens?: number;
  /** Maximum cost per window in US dollars; uses without a price do not count. 0 blocks all */
  cost?: number;
  /** refuse: uses beyond the limit fail with limit_exceeded. warn: they only get a warning. */
  action: LimitAction;
  /** Whether the limit is in force */
  is_enabled: boolean;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
  status: LimitStatus;
};

/** Record in config */
export type UsageLimitDetailReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: UsageLimitDetail;
};

/** Page of the list in result; with name=, the record in config */
export type UsageLimitList = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result?: Array<UsageLimit>;
  pagination?: Pagination;
  config?: UsageLimit;
};

/** Record in config */
export type UsageLimitReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: UsageLimit;
};

/** A change of the limit of this name; omitted fields stay, null removes an amount */
export type UsageLimitUpdate = {
  /** Unique name, case-insensitive */
  name: string;
  /** Purpose of the limit; null empties it */
  description?: string | null;
  /** What the limit holds: a use that fits each of these keys, and of each key one of the values. Without keys: every use. Omitted keys stay; null or an empty list removes a key. */
  applies_to?: UsageLimitAppliesInput | null;
  /** user: each user has this amount. all: all users together have it. */
  per?: LimitSubject;
  /** After which time the limit resets, by the calendar in UTC */
  window?: LimitWindow;
  /** Maximum number of uses per window; 0 blocks all */
  requests?: number | null;
  /** Maximum number of tokens per window, input and output together; 0 blocks all */
  tokens?: number | null;
  /** Maximum cost per window in US dollars; uses without a price do not count. 0 blocks all */
  cost?: number | null;
  /** refuse: uses beyond the limit fail with limit_exceeded. warn: they only get a warning. */
  action?: LimitAction;
  /** Whether the limit is in force */
  is_enabled?: boolean;
  /** Condition: version that this change is based on. */
  version?: number;
};

export type UsageOperation = "chat" | "embeddings" | "execute_tool" | "retrieve" | "predict" | "invoke_agent" | "search" | "index";

/** Sums of uses */
export type UsageRow = {
  /** Begin of the interval (UTC), epoch seconds; only with interval */
  time?: number;
  /** User; with by=user */
  user?: string;
  /** What was asked for: chat, embeddings, execute_tool, retrieve, predict, invoke_agent, search; with by=operation */
  operation?: string;
  /** Service of the model; mcp, CLOUD_KB, sagemaker, onnx, container, CLOUD_AGENT_CORE; with by=provider */
  provider?: string;
  /** Connection that answered, else the first that was asked; with by=connection */
  connection?: string;
  /** Model, tool, store or endpoint of that connection; with by=model */
  model?: string;
  /** Alias by which the model was called; empty without one; with by=alias */
  alias?: string;
  /** Agent; empty without one; with by=agent */
  agent?: string;
  /** Origin: openai, mcp, run, search, rest; with by=via */
  via?: string;
  /** Uses */
  requests: number;
  /** Uses that failed */
  failed: number;
  /** Tokens of prompts */
  input_tokens: number;
  /** Tokens of answers */
  output_tokens: number;
  /** US dollars of the uses with a price; absent if none has one */
  cost?: number;
  /** Chats and embeddings without a price */
  unpriced: number;
  /** Places that were masked */
  masked: number;
  /** Mean time at upstreams, milliseconds */
  upstream_ms_mean: number;
  /** Mean time elsewhere, milliseconds */
  overhead_ms_mean: number;
};

/** Sums of all uses of the report */
export type UsageTotal = {
  /** Uses */
  requests: number;
  /** Uses that failed */
  failed: number;
  /** Tokens of prompts */
  input_tokens: number;
  /** Tokens of answers */
  output_tokens: number;
  /** US dollars of the uses with a price; absent if none has one */
  cost?: number;
  /** Chats and embeddings without a price */
  unpriced: number;
  /** Places that were masked */
  masked: number;
  /** Mean time at upstreams, milliseconds */
  upstream_ms_mean: number;
  /** Mean time elsewhere, milliseconds */
  overhead_ms_mean: number;
};

/** How the answer came about */
export type UseFacts = {
  /** Service of the connection that answered */
  service: string;
  /** Connection that answered */
  connection_name: string;
  /** Model that answered */
  model: string;
  /** Requests sent to providers */
  attempts: number;
  /** Milliseconds spent waiting for providers */
  upstream_ms: number;
  /** Milliseconds spent on the rest */
  overhead_ms: number;
  /** US dollars; absent without a price */
  cost?: number;
  /** Places that were masked, by kind; absent without one */
  masked?: Record<string, number>;
  /** What was left out or changed */
  warnings: Array<string>;
};

/** A connection to a document store that agents can search */
export type VectorStore = {
  /** Name of the store, as created */
  name: string;
  /** CLOUD_KB: a knowledge base of Amazon Bedrock. BUILT_IN: in the platform. OPENSEARCH: an index of OpenSearch or Elasticsearch. PGVECTOR: a table of PostgreSQL with pgvector. */
  type: VectorStoreType;
  /** Purpose of the store */
  description: string;
  details: VectorStoreDetails;
  acl: Acl;
  last_test?: LastTest;
  /** Incremented by each change; send it with a change to detect conflicts */
  version: number;
  /** When created, epoch seconds with a fraction */
  created_at: number;
  /** User who created the record */
  created_by: string;
  /** When last updated, epoch seconds with a fraction */
  last_updated_at: number;
  /** User who made the last change */
  last_updated_by: string;
};

/** A new vector store connection */
export type VectorStoreCreate = {
  /** Unique name, case-insensitive */
  name: string;
  /** CLOUD_KB: a knowledge base of Amazon Bedrock. BUILT_IN: in the platform. OPENSEARCH: an index of OpenSearch or Elasticsearch. PGVECTOR: a table of PostgreSQL with pgvector. (default CLOUD_KB) */
  type?: VectorStoreType;
  /** Purpose of the store; null empties it */
  description?: string | null;
  details: VectorStoreDetailsInput;
  acl?: AclInput;
};

/** Where the store is, its credentials and its embedding model */
export type VectorStoreDetails = {
  /** AWS region of the knowledge base */
  cloud_region?: string;
  /** Id of the knowledge base */
  kb_id?: string;
  /** AWS access key id, if set */
  cloud_access_key_id?: string;
  /** Secret access key: ***MASKED*** if one is stored */
  cloud_access_key_token?: string;
  /** ARN of the IAM role to assume, if set */
  role_arn?: string;
  /** Embedding model that you may use: an alias, or connection/model */
  embedding_model?: string;
  /** Tokens of a passage at most; default 400 */
  chunk_tokens?: number;
  /** Tokens that a passage repeats of the last one, fewer than chunk_tokens; default 50 */
  overlap_tokens?: number;
  /** Address of OpenSearch or Elasticsearch: http or https, without user name and password */
  url?: string;
  /** Index that holds the passages; it must exist */
  index?: string;
  /** Field with the vectors */
  vector_field?: string;
  /** Field with the texts */
  text_field?: string;
  /** Field with the ids of documents; default: the id of the entry */
  id_field?: string;
  /** Object field with the metadata; default: all other fields at the top */
  metadata_field?: string;
  /** Name of the user who reads and writes */
  username?: string;
  /** Password: ***MASKED*** if one is stored */
  password?: string;
  /** API key: ***MASKED*** if one is stored */
  api_key?: string;
  /** Whether the server's certificate is verified; default true */
  verify_tls?: boolean;
  /** PEM certificates to trust for this server instead of the default ones */
  ca_certificate?: string;
  /** Host name or address of PostgreSQL */
  host?: string;
  /** Port of PostgreSQL; default 5432 */
  port?: number;
  /** Name of the database */
  database?: string;
  /** Table that holds the passages, or schema.table; it must exist */
  table?: string;
  /** verify (default): TLS with a verified certificate. require: TLS only. off: no TLS. */
  ssl?: VectorStoreDetailsSsl;
  /** Column with the ids */
  id_column?: string;
  /** Column with the texts */
  text_column?: string;
  /** Column with the vectors */
  vector_column?: string;
  /** Column with the metadata: json or jsonb */
  metadata_column?: string;
};

/** Where the store is, its credentials and its embedding model. Fields that an update omits keep the value of the saved store. */
export type VectorStoreDetailsInput = {
  /** AWS region of the knowledge base */
  cloud_region?: string;
  /** Id of the knowledge base: 10 letters or digits */
  kb_id?: string;
  /** AWS access key id; default: the credentials of the instance. null or '' unsets it. */
  cloud_access_key_id?: string | null;
  /** AWS secret access key. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  cloud_access_key_token?: string | null;
  /** ARN of an IAM role to assume; null or '' unsets it */
  role_arn?: string | null;
  /** Embedding model that you may use: an alias, or connection/model */
  embedding_model?: string;
  /** Tokens of a passage at most; default 400 */
  chunk_tokens?: number;
  /** Tokens that a passage repeats of the last one, fewer than chunk_tokens; default 50 */
  overlap_tokens?: number;
  /** Address of OpenSearch or Elasticsearch: http or https, without user name and password */
  url?: string;
  /** Index that holds the passages; it must exist */
  index?: string;
  /** Field with the vectors */
  vector_field?: string;
  /** Field with the texts */
  text_field?: string;
  /** Field with the ids of documents; default: the id of the entry */
  id_field?: string | null;
  /** Object field with the metadata; default: all other fields at the top */
  metadata_field?: string | null;
  /** Name of the user who reads and writes */
  username?: string | null;
  /** Password of the user. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  password?: string | null;
  /** API key, in place of user name and password. Omitted or ***MASKED***: keeps the stored secret; null or '' deletes it. */
  api_key?: string | null;
  /** Whether the server's certificate is verified; default true */
  verify_tls?: boolean;
  /** PEM certificates to trust for this server instead of the default ones */
  ca_certificate?: string | null;
  /** Host name or address of PostgreSQL */
  host?: string;
  /** Port of PostgreSQL; default 5432 */
  port?: number;
  /** Name of the database */
  database?: string;
  /** Table that holds the passages, or schema.table; it must exist */
  table?: string;
  /** verify (default): TLS with a verified certificate. require: TLS only. off: no TLS. */
  ssl?: VectorStoreDetailsSsl;
  /** Column with the ids */
  id_column?: string;
  /** Column with the texts */
  text_column?: string;
  /** Column with the vectors */
  vector_column?: string;
  /** Column with the metadata: json or jsonb */
  metadata_column?: string | null;
};

export type VectorStoreDetailsSsl = "verify" | "require" | "off";

/** Page of the list in result; with name=, the record in config */
export type VectorStoreList = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Entries of this page */
  result?: Array<VectorStore>;
  pagination?: Pagination;
  config?: VectorStore;
};

/** Record in config */
export type VectorStoreReply = {
  /** The call was done */
  status: "success";
  /** What was done or found, in a sentence for a person */
  message?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  config: VectorStore;
};

/** Knowledge base to contact: name alone means the saved store. Details are tested as submitted; with a name, a masked or absent secret comes from the saved store. */
export type VectorStoreTest = {
  /** Name of the saved store */
  name?: string;
  /** CLOUD_KB: a knowledge base of Amazon Bedrock. BUILT_IN: in the platform. OPENSEARCH: an index of OpenSearch or Elasticsearch. PGVECTOR: a table of PostgreSQL with pgvector. */
  type?: VectorStoreType;
  details?: VectorStoreDetailsInput;
  /** Also retrieve passages for this text; default: only read the state of the knowledge base */
  query?: string;
};

/** Result of a test of a vector store */
export type VectorStoreTestReply = {
  /** fail: the test was carried out, and what it tested does not work; error_code tells why */
  status: Outcome;
  /** What was done or found, in a sentence for a person */
  message?: string;
  error_code?: ErrorCode;
  /** What a person can do about this code */
  remedy?: string;
  /** What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing */
  warnings?: Array<string>;
  /** Whether the knowledge base can be used */
  success: boolean;
  data: VectorStoreTestReplyData;
};

/** Knowledge base and result of the contact */
export type VectorStoreTestReplyData = {
  /** Name of the saved store; null for submitted details */
  name: string | null;
  /** CLOUD_KB: a knowledge base of Amazon Bedrock. BUILT_IN: in the platform. OPENSEARCH: an index of OpenSearch or Elasticsearch. PGVECTOR: a table of PostgreSQL with pgvector. */
  type: VectorStoreType;
  /** Id of the knowledge base (CLOUD_KB) */
  kb_id?: string;
  /** AWS region (CLOUD_KB) */
  region?: string;
  /** State of the knowledge base in AWS (ACTIVE, CREATING, FAILED …; CLOUD_KB); null if unknown */
  knowledge_base_status?: string | null;
  /** Name of the knowledge base in AWS */
  knowledge_base_name?: string;
  /** Duration of all steps in milliseconds */
  response_time_ms: number;
  /** AWS answered */
  reachable: boolean;
  /** AWS accepted the credentials */
  authenticated: boolean;
  /** Steps of the test, in order */
  steps: Array<VectorStoreTestStep>;
};

/** One step of a test */
export type VectorStoreTestStep = {
  /** assume_role: assume role_arn (CLOUD_KB). get_knowledge_base: read its state. retrieve: search it with query. */
  step: VectorStoreTestStepStep;
  /** skipped: not requested, or an earlier step failed */
  status: VectorStoreTestStepStatus;
  /** Code of a failed step */
  error_code?: string;
  /** Duration in milliseconds; 0 if skipped */
  ms: number;
};

export type VectorStoreTestStepStatus = "success" | "fail" | "skipped";

export type VectorStoreTestStepStep = "assume_role" | "get_knowledge_base" | "retrieve";

export type VectorStoreType = "CLOUD_KB" | "BUILT_IN" | "OPENSEARCH" | "PGVECTOR";

/** A change of the vector store of this name; omitted fields stay */
export type VectorStoreUpdate = {
  /** Unique name, case-insensitive */
  name: string;
  /** CLOUD_KB: a knowledge base of Amazon Bedrock. BUILT_IN: in the platform. OPENSEARCH: an index of OpenSearch or Elasticsearch. PGVECTOR: a table of PostgreSQL with pgvector. */
  type?: VectorStoreType;
  /** Purpose of the store; null empties it */
  description?: string | null;
  details?: VectorStoreDetailsInput;
  acl?: AclInput;
  /** Condition: version that this change is based on. */
  version?: number;
};
