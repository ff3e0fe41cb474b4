import type { AgentAction } from '../../contract/families/agents.ts';
import type { ConnectionFamily } from '../../contract/families/connectionHealth.ts';

/**
 * The app's agent endpoints for search commands, which have only the user's session. Throws Fault `store_unavailable` when
 * the platform cannot be reached.
 */
export interface AgentsApi {
  /** One page of maximum size. */
  list(offset: number): Promise<ApiAnswer>;
  read(name: string): Promise<ApiAnswer>;
  /** One poll of a monitor. @param intervalS its maximum wait between polls */
  follow(name: string, action: AgentAction, intervalS: number): Promise<ApiAnswer>;
}

/** The app's connection health endpoints for search commands. Throws Fault `store_unavailable`. */
export interface HealthApi {
  /** One page of maximum size. @param family default all */
  list(family: ConnectionFamily | undefined, offset: number): Promise<ApiAnswer>;
  /** @param maxAgeS skips connections tested within this time */
  check(family: ConnectionFamily | undefined, maxAgeS: number): Promise<ApiAnswer>;
}

/** The app's report of usage for search commands. Throws Fault `store_unavailable`. */
export interface UsageApi {
  /** @param query of `GET /ml/usage` */
  report(
    query: Readonly<Record<'by', string>> & Readonly<Partial<Record<'interval' | 'earliest' | 'latest', string>>>,
  ): Promise<ApiAnswer>;
}

/** Lists of what the caller may use, for a search command. Throws Fault `store_unavailable`. */
export interface CatalogueApi {
  /** One page of maximum size of the records of a family. */
  records(family: CatalogueFamily, offset: number): Promise<ApiAnswer>;
  /** Models of all configurations, and aliases. */
  models(): Promise<ApiAnswer>;
  /** One page of the tools of all connections, as the result of MCP's `tools/list`. */
  tools(cursor?: string): Promise<ApiAnswer>;
  /** The usage limits that hold the caller. */
  limits(): Promise<ApiAnswer>;
}

export type CatalogueFamily = 'model_aliases' | 'agents' | 'vector_stores';

/** Hands the rows of an alert over, with the session of its owner. Throws Fault `store_unavailable`. */
export interface AlertsApi {
  /** @param timeoutMs how long the connection may be silent */
  start(alert: AlertRequest, timeoutMs: number): Promise<ApiAnswer>;
}

/** `alert` in the body of `POST /ai_gateway/runs`. */
export interface AlertRequest {
  search_name: string;
  sid: string;
  result_id?: string;
  app: string;
  owner?: string;
  params: Readonly<Record<string, string>>;
  rows: readonly Readonly<Record<string, string | readonly string[]>>[];
  /** Index of the first of these rows among all of the alert. */
  first_row: number;
  /** Rows of the alert, also those that are not sent. */
  row_count: number;
  /** For each row: how many equal ones came before it. */
  ordinals: readonly number[];
  /** Whether rows that may pass are sent again, so that the gateway does not report them yet. */
  will_retry?: boolean;
}

export interface ApiAnswer {
  status: number;
  body: Readonly<Record<string, unknown>>;
  /** Seconds, from the header. */
  retryAfter?: number;
}

/** The gateway for search commands. Throws Fault `store_unavailable`. */
export interface GatewayApi {
  batch(request: BatchRequest): Promise<ApiAnswer>;
  /** One page of the tools that the caller may use of a connection, as the result of MCP's `tools/list`. */
  tools(connection: string, cursor?: string): Promise<ApiAnswer>;
  /** Writes documents into a vector store. @param timeoutMs how long the work may take */
  indexDocuments(
    store: string,
    documents: readonly Readonly<Record<string, unknown>>[],
    timeoutMs: number,
  ): Promise<ApiAnswer>;
  deleteDocuments(store: string, ids: readonly string[], timeoutMs: number): Promise<ApiAnswer>;
}

/** Use of a model that a search applies by itself. Throws Fault `store_unavailable`. */
export interface PredictionsApi {
  /** Asks for the right to apply a model, and where it is. */
  begin(model: string): Promise<ApiAnswer>;
  /** Tells once what was used. */
  end(use: EndOfPredictions): Promise<ApiAnswer>;
}

/** The body of `POST /ai_gateway/predict/end`. */
export interface EndOfPredictions {
  use_id: string;
  rows: number;
  failed: number;
  duration_ms: number;
  error_code?: string;
}

/** Runs of agents for search commands. Throws Fault `store_unavailable`. */
export interface RunsApi {
  start(body: Readonly<Record<string, unknown>>): Promise<ApiAnswer>;
  step(id: string): Promise<ApiAnswer>;
  read(id: string): Promise<ApiAnswer>;
  cancel(id: string): Promise<ApiAnswer>;
  /** Starts a search that takes the other steps of a run. Throws Fault `store_unavailable` also where the platform refuses it. */
  handOver(user: string, id: string): Promise<string>;
}

/** The body of `POST /ai_gateway/batch`. */
export interface BatchRequest {
  operation: string;
  /** Fields that all items share; an item with them is the body of the operation's own endpoint. */
  common: Readonly<Record<string, unknown>>;
  items: readonly ({ id: string } & Readonly<Record<string, unknown>>)[];
  parallel: number;
  deadline_s: number;
  begin_within_s: number;
  dedup: false;
  dry_run?: true;
}
