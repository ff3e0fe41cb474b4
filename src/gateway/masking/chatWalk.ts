import { stringifyExact } from '../../contract/exactJson.ts';
import { argumentsOf } from '../../domain/values/json.ts';
import {
  type ChatMessage,
  type ChatPart,
  type ChatRequest,
  type ChatTool,
  ECHOED_FIELDS,
  type EmbedRequest,
  type TextPart,
  type ToolCall,
  type UnknownFields,
} from '../../families/llm-providers/public.ts';
import { MaskingFailure } from '../../masking/failure.ts';
import type { Walk } from '../../masking/outgoing.ts';
import { LEAST_EVERYWHERE } from '../../masking/policy/kinds.ts';
import { walkSchema } from './schemaWalk.ts';
import { keepStrings, mapped, mapStrings } from './strings.ts';

type Replace = (text: string) => string;
type Keep = (text: string) => void;
type Read = (value: unknown) => void;

/** All texts of a chat that a provider gets, in a fixed order. Hints on the user and the cache are left out. */
export const walkChat: Walk<ChatRequest> = (request, replace, keep, read) => {
  const { messages, tools, toolChoice, stop, responseFormat, hints, extra } = request;
  if (typeof toolChoice === 'object') keep(toolChoice.name);
  if (extra) read(extra);
  return {
    ...request,
    messages: messages.map((message) => new MessageWalk(replace, keep, read).message(message)),
    ...mapped('tools', tools, (list) => list.map((tool) => walkTool(tool, replace, keep))),
    ...mapped('stop', stop, (texts) => texts.map(replace)),
    ...mapped('responseFormat', responseFormat, (format) => walkFormat(format, replace, keep)),
    ...mapped('reasoningEffort', request.reasoningEffort, (text) => walkWord(text, replace)),
    ...mapped('verbosity', request.verbosity, (text) => walkWord(text, replace)),
    ...mapped('hints', hints, ({ store, service_tier: tier }) => ({
      ...mapped('store', store, (isStored) => isStored),
      ...mapped('service_tier', tier, (text) => walkWord(text, replace)),
    })),
    ...mapped('extra', extra, (fields) => mapStrings(fields, replace)),
  };
};

const WORDS = 'none minimal low medium high xhigh max auto default flex scale priority standard original';
const KNOWN_WORDS: ReadonlySet<string> = new Set(WORDS.split(' '));

/** Words of the protocol stay, and other texts in their place are masked. */
const walkWord = (text: string, replace: Replace): string => (KNOWN_WORDS.has(text) ? text : replace(text));

/** All texts of a request for embeddings. @throws MaskingFailure for tokens, which cannot be read */
export const walkEmbed: Walk<EmbedRequest> = ({ user: _, ...request }, replace) => ({
  ...request,
  inputs: request.inputs.map((input) => {
    if (typeof input !== 'string') throw new MaskingFailure('unreadable');
    return replace(input);
  }),
  ...mapped('others', request.others, (fields) => mapStrings(fields, replace)),
});

const walkTool = (tool: ChatTool, replace: Replace, keep: Keep): ChatTool => {
  keep(tool.name);
  return {
    ...tool,
    ...mapped('description', tool.description, replace),
    parameters: walkSchema(tool.parameters, replace, keep),
    ...mapped('others', tool.others, (fields) => mapStrings(fields, replace)),
    ...mapped('inner', tool.inner, (fields) => mapStrings(fields, replace)),
  };
};

type Format = NonNullable<ChatRequest['responseFormat']>;

function walkFormat(format: Format, replace: Replace, keep: Keep): Format {
  const others = mapped('others', format.others, (fields) => mapStrings(fields, replace));
  if (format.type !== 'json_schema') return { ...format, ...others };
  keep(format.name);
  return {
    ...format,
    ...mapped('description', format.description, replace),
    schema: walkSchema(format.schema, replace, keep),
    ...others,
    ...mapped('inner', format.inner, (fields) => mapStrings(fields, replace)),
  };
}

const TEXT_FILE =
  /^(?:text\/.*|application\/(?:.*[+.-])?(?:json|jsonl|ndjson|xml|yaml|javascript|csv|sql|toml|sh|python|log))$/;

class MessageWalk {
  private readonly replace: Replace;
  private readonly keep: Keep;
  private readonly read: Read;

  constructor(replace: Replace, keep: Keep, read: Read) {
    this.replace = replace;
    this.keep = keep;
    this.read = read;
  }

  message(message: ChatMessage): ChatMessage {
    const { replace, keep } = this;
    const others = mapped('others', message.others, (fields) => this.others(fields));
    if (message.role === 'tool') {
      keep(message.toolCallId);
      return { ...message, ...this.result(message), ...others };
    }
    const name = mapped('name', message.name, replace);
    if (message.role === 'user') {
      const { content } = message;
      const walked = typeof content === 'string' ? replace(content) : content.map((part) => this.part(part));
      return { ...message, content: walked, ...name, ...others };
    }
    if (message.role !== 'assistant') return { ...message, ...this.texts(message), ...name, ...others };
    keepStrings(message.carrier, keep);
    return {
      ...message,
      ...this.texts(message),
      ...mapped('refusal', message.refusal, replace),
      ...mapped('reasoning', message.reasoning, replace),
      ...mapped('toolCalls', message.toolCalls, (calls) => calls.map((call) => this.call(call))),
      ...name,
      ...others,
    };
  }

  /** The content is the texts of the parts, where there are some. */
  private texts({ content, parts }: Exclude<ChatMessage, { role: 'user' | 'tool' }>) {
    if (!parts) return { content: this.replace(content) };
    const walked = parts.map((part) => this.text(part));
    return { content: walked.map(({ text }) => text).join(''), parts: walked };
  }

  /** The content is the texts of the parts, where there are some. */
  private result({ content, parts }: Extract<ChatMessage, { role: 'tool' }>) {
    if (!parts) return { content: this.replace(content) };
    const walked = parts.map((part) => this.part(part));
    return { content: walked.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''), parts: walked };
  }

  private text(part: TextPart): TextPart {
    const others = mapped('others', part.others, (fields) => mapStrings(fields, this.replace));
    return { ...part, text: this.replace(part.text), ...others };
  }

  private part(part: ChatPart): ChatPart {
    const { replace, keep } = this;
    if (part.type === 'text') return this.text(part);
    const others = mapped('others', part.others, (fields) => mapStrings(fields, replace));
    const inner = mapped('inner', part.inner, (fields) => mapStrings(fields, replace));
    switch (part.type) {
      case 'image_url':
        return { ...part, url: replace(part.url), ...this.detail(part), ...others, ...inner };
      case 'file_id':
        keep(part.id);
        return { ...part, ...others, ...inner };
      case 'image':
        keep(part.data);
        return { ...part, ...this.detail(part), ...others, ...inner };
      default:
        return { ...part, data: this.fileData(part), ...mapped('name', part.name, replace), ...others, ...inner };
    }
  }

  private detail({ detail }: { detail?: string | undefined }): { detail?: string } {
    return mapped('detail', detail, (text) => walkWord(text, this.replace));
  }

  /** Some providers are sent the text of a text file, which is masked like other texts. */
  private fileData({ mediaType, data }: { mediaType: string; data: string }): string {
    if (!TEXT_FILE.test(mediaType)) {
      this.keep(data);
      return data;
    }
    const text = Buffer.from(data, 'base64').toString('utf8');
    const masked = this.replace(text);
    return masked === text ? data : Buffer.from(masked, 'utf8').toString('base64');
  }

  private call(call: ToolCall): ToolCall {
    this.keep(call.id);
    this.keep(call.name);
    keepStrings(call.extra, this.keep);
    return {
      ...call,
      arguments: walkArguments(call.arguments, this.replace, this.read),
      ...mapped('others', call.others, (fields) => mapStrings(fields, this.replace)),
    };
  }

  /** Signed reasoning stays, or the provider refuses it. */
  private others(fields: UnknownFields): UnknownFields {
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => {
        if (!ECHOED_FIELDS.includes(name)) return [name, mapStrings(value, this.replace)];
        keepStrings(value, this.keep);
        return [name, value];
      }),
    );
  }
}

/** The strings and numbers of arguments; what is no JSON object is a text. */
function walkArguments(text: string, replace: Replace, read: Read): string {
  const object = argumentsOf(text);
  if (object === undefined) return replace(text);
  read(object);
  let isChanged = false;
  const walked = mapStrings(
    object,
    (before) => {
      const after = replace(before);
      isChanged ||= after !== before;
      return after;
    },
    (number) => {
      const before = String(number);
      // Shorter ones are no value of any kind, and are many.
      const after = before.length < LEAST_EVERYWHERE ? before : replace(before);
      if (after === before) return number;
      isChanged = true;
      return after;
    },
  );
  return isChanged ? stringifyExact(walked) : text;
}
