import type { UsageOperation, UsageWay } from '../../contract/families/usage.ts';

/** One use of a model, tool, store, endpoint or agent: what one caller asked for once. */
export interface UseRecord {
  usage_id: string;
  /** When it ended, epoch seconds with a fraction. */
  time: number;
  user: string;
  via: UsageWay;
  /** The search that sent it. */
  sid?: string | undefined;
  run_id?: string | undefined;
  operation: UsageOperation;
  /** The service's value; `mcp`, `CLOUD_KB`, `sagemaker`, `onnx`, `container`. */
  provider: string;
  /** The same in OpenTelemetry's GenAI conventions; undefined where they have no name for it. */
  otel_provider?: string | undefined;
  /** Connection of the target that answered, else of the first; like `model`. */
  connection: string;
  model: string;
  /** As the provider named the model that answered; only in the event. */
  response_model?: string | undefined;
  alias?: string | undefined;
  agent?: string | undefined;
  input_tokens?: number | undefined;
  cached_tokens?: number | undefined;
  output_tokens?: number | undefined;
  reasoning_tokens?: number | undefined;
  /** Tokens are estimated from characters. */
  estimated?: true | undefined;
  /** US dollars; absent without a price. */
  cost?: number | undefined;
  price_version?: string | undefined;
  /** Places that were masked, by kind. */
  masked?: Readonly<Record<string, number>> | undefined;
  /** Words of answers that look like placeholders and stand for nothing. */
  placeholders_unknown?: number | undefined;
  /** Placeholders with one wrong character, which were understood. */
  placeholders_repaired?: number | undefined;
  outcome: 'success' | 'fail';
  error_code?: string | undefined;
  /** Calls to upstreams. */
  attempts: number;
  upstream_ms: number;
  /** All but the upstream. */
  overhead_ms: number;
  request_id: string;
}

/** Request and answer; kept only in the event, and only with `[gateway] log_content`. */
export interface UseContent {
  input: unknown;
  output: unknown;
}
