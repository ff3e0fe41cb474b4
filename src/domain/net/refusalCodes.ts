import type { OutboundCode } from '../../contract/codes/outbound.ts';

/** A code, type or reason that a provider gives beside its words, compared without case. */
interface CodeRow {
  code: OutboundCode;
  provider: string;
  /** When it was last looked up or met. */
  seen: string;
  codes: readonly string[];
}

const code = (code: OutboundCode, provider: string, ...codes: string[]): CodeRow => ({
  code,
  provider,
  seen: '2026-11',
  codes,
});

/** In order: if a refusal has several codes, the first row counts. */
export const CODE_ROWS: readonly CodeRow[] = [
  code('quota_exceeded', 'OpenAI', 'insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'),
  code('quota_exceeded', 'DeepSeek', 'insufficient_balance'),
  code('quota_exceeded', 'Anthropic', 'billing_error'),
  code('quota_exceeded', 'LiteLLM', 'budget_exceeded'),
  code('quota_exceeded', 'Moonshot', 'exceeded_current_quota_error'),
  code('quota_exceeded', 'DashScope', 'Arrearage', 'AllocationQuota.FreeTierOnly'),
  code('quota_exceeded', 'Vercel, xAI', 'insufficient_funds', 'insufficient_credits', 'credits_exhausted'),
  code('quota_exceeded', 'Volcengine', 'AccountOverdueError'),
  code('content_filtered', 'OpenAI', 'content_filter', 'content_filtered', 'content_policy_violation'),
  code('content_filtered', 'OpenAI', 'invalid_prompt', 'moderation_blocked'),
  code('content_filtered', 'Azure', 'ResponsibleAIPolicyViolation'),
  code('content_filtered', 'DashScope', 'data_inspection_failed', 'DataInspectionFailed'),
  code('auth_failed', 'OpenAI', 'invalid_api_key', 'incorrect_api_key', 'invalid_authentication'),
  code('auth_failed', 'Anthropic', 'authentication_error'),
  // Without a database, its proxy knows no other key than its own.
  code('auth_failed', 'LiteLLM', 'no_db_connection'),
  code('auth_failed', 'Gemini', 'UNAUTHENTICATED', 'API_KEY_INVALID', 'API_KEY_EXPIRED'),
  code('auth_failed', 'Gemini', 'API_KEY_HTTP_REFERRER_BLOCKED', 'API_KEY_IP_ADDRESS_BLOCKED'),
  code('auth_failed', 'Gemini', 'API_KEY_ANDROID_APP_BLOCKED', 'API_KEY_IOS_APP_BLOCKED'),
  code('permission_denied', 'Anthropic', 'permission_error'),
  code('permission_denied', 'Gemini', 'PERMISSION_DENIED'),
  // Also with a 401, to a known principal that has no role on the resource.
  code('permission_denied', 'Azure', 'PermissionDenied', 'AuthorizationFailed'),
  code('model_not_found', 'OpenAI', 'model_not_found', 'invalid_model', 'unknown_model'),
  code('model_not_found', 'Groq', 'model_decommissioned'),
  code('model_not_found', 'Azure', 'DeploymentNotFound'),
  code('model_not_found', 'Anthropic', 'not_found_error'),
  code('model_not_found', 'Gemini', 'NOT_FOUND'),
  code('model_not_found', 'Hugging Face', 'model_not_supported'),
  code('model_not_found', 'Together', 'model_not_available'),
  code('model_not_invokable', 'Azure', 'OperationNotSupported'),
  code('context_length_exceeded', 'OpenAI', 'context_length_exceeded'),
  code('context_length_exceeded', 'llama.cpp', 'exceed_context_size_error'),
  code('context_length_exceeded', 'GitHub', 'tokens_limit_reached'),
  code('context_length_exceeded', 'GitHub Copilot', 'model_max_prompt_tokens_exceeded'),
  code('bad_request', 'Anthropic', 'request_too_large'),
  // The model's answer is malformed, although the request is blamed.
  code('upstream_error', 'Groq', 'tool_use_failed', 'json_validate_failed'),
  code('rate_limited', 'Anthropic', 'rate_limit_error', 'overloaded_error'),
  code('rate_limited', 'OpenAI', 'rate_limit_exceeded'),
  code('rate_limited', 'Gemini', 'RESOURCE_EXHAUSTED'),
  code('rate_limited', 'Moonshot', 'rate_limit_reached_error', 'engine_overloaded_error'),
];
