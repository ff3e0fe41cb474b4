import { nestsDeeperThan } from '../../domain/values/json.ts';
import { roundMilliseconds } from '../../domain/values/numbers.ts';
import type { UseContent, UseRecord } from './useRecord.ts';

/** The event of a use: our names, and beside them those of OpenTelemetry. `time` comes first, where props.conf looks for it. */
export function usageEvent(
  { time, otel_provider, response_model, ...use }: UseRecord,
  content: UseContent | undefined,
): object {
  const { operation, provider, alias, model, input_tokens, output_tokens } = use;
  return {
    time: roundMilliseconds(time),
    ...use,
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': otel_provider ?? provider,
    'gen_ai.request.model': alias ?? model,
    'gen_ai.response.model': response_model ?? model,
    'gen_ai.usage.input_tokens': input_tokens,
    'gen_ai.usage.output_tokens': output_tokens,
    content: content && { input: kept(content.input), output: kept(content.output) },
  };
}

/** Deeper content would exhaust the stack of what writes events as JSON, and other events would be lost with it. */
const MAX_LEVELS = 256;

const kept = (value: unknown): unknown =>
  nestsDeeperThan(value, MAX_LEVELS) ? `left out: nested deeper than ${MAX_LEVELS} levels` : value;
