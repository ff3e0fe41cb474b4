import type { UseContent, UseRecord } from './useRecord.ts';

/** The event of a use: our names, and beside them those of OpenTelemetry. `time` comes first, where props.conf looks for it. */
export function usageEvent({ time, otel_provider, ...use }: UseRecord, content: UseContent | undefined): object {
  const { operation, provider, alias, model, input_tokens, output_tokens } = use;
  return {
    time: Math.round(time * 1000) / 1000,
    ...use,
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': otel_provider ?? provider,
    'gen_ai.request.model': alias ?? model,
    'gen_ai.response.model': model,
    'gen_ai.usage.input_tokens': input_tokens,
    'gen_ai.usage.output_tokens': output_tokens,
    content,
  };
}
