import type { ChatMessage, ChatRequest, Translation, Variant } from '../chat.ts';
import { asObject, defined, definedOrNothing, type Json } from '../json.ts';
import {
  askedOf,
  effortOf,
  isDefaulted,
  knownHints,
  openAiOnly,
  topKOf,
  warnOfOthers,
  warnOfParallelCalls,
  withoutEffort,
} from '../support.ts';
import { pairCalls } from '../toolAliases.ts';
import { withNotes } from '../toolResults.ts';
import {
  functionTools,
  instructionText,
  isInstruction,
  objectSchema,
  parseArguments,
  spoken,
  systemFirst,
  toolNames,
} from '../turns.ts';

const EFFORTS = { minimal: 'low', xhigh: 'high' };

/** Ollama's own API, since its OpenAI-compatible one silently truncates long prompts. */
export function toOllamaChat(model: string, given: ChatRequest): Translation {
  const warnings: string[] = [];
  const request = withNotes(given, () => false, warnings);
  warnOfParallelCalls(request, warnings);
  warnOfOthers(request, warnings, ['messages[].reasoning_content']);
  knownHints(request, [], warnings);
  const effort = effortOf(request, EFFORTS, warnings);
  const messages = systemFirst(pairCalls(request.messages));
  const names = toolNames(messages);
  const body = defined({
    model,
    messages: messages.map((message) => toMessage(message, names)),
    stream: false,
    options: definedOrNothing({
      num_predict: request.maxTokens,
      temperature: request.temperature,
      top_p: request.topP,
      top_k: topKOf(request),
      stop: request.stop,
      seed: request.seed,
      frequency_penalty: request.frequencyPenalty,
      presence_penalty: request.presencePenalty,
    }),
    tools:
      request.toolChoice === 'none'
        ? undefined
        : functionTools(
            request.tools?.map(({ name, description, parameters }) => ({
              name,
              description,
              parameters: objectSchema(parameters),
            })),
          ),
    format: toFormat(request.responseFormat),
    think: effort === 'none' ? false : effort,
    ...(request.isProbe ? {} : { truncate: false, shift: false }),
  });
  const unsupported = [
    ...askedOf(request, 'tool_choice', 'image_url', 'file', 'tools[].function.strict'),
    ...openAiOnly(request),
  ];
  const { think: _, ...thoughtless } = body;
  const variants = [...withoutEffort(request, thoughtless), ...variantsOf(request, body)];
  return { body, variants, unsupported, warnings };
}

function variantsOf(request: ChatRequest, body: Json): Variant[] {
  if (!isDefaulted(request, 'temperature')) return [];
  const { temperature: _, ...options } = asObject(body.options);
  const plain = defined({ ...body, options: definedOrNothing(options) });
  return [{ body: plain, answers: (reason) => reason.includes('temperature') }];
}

function toFormat(format: ChatRequest['responseFormat']): unknown {
  if (format?.type === 'json_schema') return format.schema;
  return format?.type === 'json_object' ? 'json' : undefined;
}

function toMessage(message: ChatMessage, names: ReadonlyMap<string, string>): Json {
  if (message.role === 'tool') {
    return { role: 'tool', tool_name: names.get(message.toolCallId) ?? message.toolCallId, content: message.content };
  }
  if (message.role === 'assistant') {
    const calls = (message.toolCalls ?? []).map((call) => ({
      function: { name: call.name, arguments: parseArguments(call) },
    }));
    return {
      role: 'assistant',
      content: spoken(message),
      ...(message.reasoning ? { thinking: message.reasoning } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
  }
  if (isInstruction(message)) return { role: 'system', content: instructionText(message) };
  const { role } = message;
  if (typeof message.content === 'string') return { role, content: message.content };
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const images = message.content.flatMap((part) => (part.type === 'image' ? [part.data] : []));
  return { role, content: texts.join('\n'), ...(images.length > 0 ? { images } : {}) };
}
