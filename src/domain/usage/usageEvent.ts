import type { UseContent, UseRecord } from './useRecord.ts';

/** Service -> provider in the GenAI conventions of OpenTelemetry. Others keep their name. */
const OTEL_PROVIDERS: Readonly<Record<string, string>> = {
  General_Chat: 'openai',
  Enterprise_Cloud_Chat: 'azure.ai.openai',
  Assistant_Family: 'anthropic',
  Cloud_Model_Hub: 'aws.bedrock',
  Fast_Inference: 'groq',
  Search_Vendor_Models: 'gcp.gemini',
};

/** The event of a use: our names, and beside them those of OpenTelemetry. `time` comes first, where props.conf looks for it. */
export function usageEvent({ time, ...use }: UseRecord, content: UseContent | undefined): object {
  const { operation, provider, alias, model, input_tokens, output_tokens } = use;
  return {
    time: Math.round(time * 1000) / 1000,
    ...use,
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': OTEL_PROVIDERS[provider] ?? provider,
    'gen_ai.request.model': alias ?? model,
    'gen_ai.response.model': model,
    'gen_ai.usage.input_tokens': input_tokens,
    'gen_ai.usage.output_tokens': output_tokens,
    content,
  };
}
