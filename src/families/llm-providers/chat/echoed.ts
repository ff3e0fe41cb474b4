/**
 * Signed or encrypted reasoning beside a message, which is sent again as it came. OpenRouter: reasoning_details. LiteLLM:
 * thinking_blocks, provider_specific_fields. GitHub: reasoning_opaque. Vercel, Bedrock's proxies: reasoning_signature.
 */
export const ECHOED: readonly string[] = [
  'reasoning_details',
  'thinking_blocks',
  'provider_specific_fields',
  'reasoning_opaque',
  'reasoning_signature',
];
