/** Where a string stands in a body: names of members and indexes of lists. */
export type Path = readonly (string | number)[];

const paths = (before: string, names: string): string[] => names.split(' ').map((name) => before + name);

/**
 * Strings of the bodies of all dialects that hold no text of a request: names of models, tools and schemas, ids of calls, words of
 * the protocol, signed content, and images. `*` stands for an index.
 */
const WITHOUT_TEXT: ReadonlySet<string> = new Set([
  // Chat Completions, as OpenAI, Azure, Splunk's models, and servers in containers speak it.
  ...['model', 'tool_choice', 'reasoning_effort', 'verbosity', 'service_tier', 'encoding_format'],
  ...paths('messages.*.', 'role tool_call_id cache_control.type content.*.type content.*.image_url.detail'),
  ...paths('messages.*.content.*.', 'file.file_id input_audio.data input_audio.format cache_control.type'),
  ...paths('messages.*.tool_calls.*.', 'id type function.name'),
  ...paths('tools.*.', 'type name function.name cache_control.type function.cache_control.type'),
  ...paths('tool_choice.', 'type name function.name'),
  ...paths('response_format.', 'type json_schema.name'),
  // Anthropic.
  ...paths('system.*.', 'type cache_control.type'),
  ...paths('messages.*.content.*.', 'id name tool_use_id source.type source.media_type thinking signature data'),
  ...paths('messages.*.content.*.content.*.', 'type cache_control.type source.type source.media_type'),
  ...['output_config.effort', 'output_config.format.type', 'thinking.type'],
  // Converse of Bedrock.
  ...[
    'modelId',
    'outputConfig.effort',
    'outputConfig.textFormat.type',
    'outputConfig.textFormat.structure.jsonSchema.name',
  ],
  ...paths('messages.*.content.*.', 'image.format image.source.bytes document.format document.source.bytes'),
  ...paths('messages.*.content.*.', 'toolUse.toolUseId toolUse.name toolResult.toolUseId toolResult.status'),
  ...paths('messages.*.content.*.toolResult.content.*.', 'image.format image.source.bytes'),
  ...paths('messages.*.content.*.toolResult.content.*.', 'document.format document.source.bytes'),
  ...paths('toolConfig.', 'tools.*.toolSpec.name toolChoice.tool.name'),
  ...paths('', 'messages.*.content.*.cachePoint.type system.*.cachePoint.type toolConfig.tools.*.cachePoint.type'),
  'additionalModelResponseFieldPaths.*',
  // Gemini.
  ...paths('contents.*.', 'role parts.*.inlineData.mimeType parts.*.inlineData.data parts.*.thoughtSignature'),
  ...paths('contents.*.parts.*.', 'functionCall.id functionCall.name functionResponse.id functionResponse.name'),
  ...paths('contents.*.parts.*.functionResponse.parts.*.inlineData.', 'mimeType data'),
  ...[
    'tools.*.functionDeclarations.*.name',
    'generationConfig.responseMimeType',
    'requests.*.model',
    'generationConfig.thinkingConfig.thinkingLevel',
  ],
  ...paths('toolConfig.functionCallingConfig.', 'mode allowedFunctionNames.*'),
  // Ollama.
  ...paths('messages.*.', 'images.* tool_name'),
  ...['think', 'format'],
]);

/** Signed content with all that is in it. */
const SIGNED =
  /^messages\.\*\.(?:extra_content|tool_calls\.\*\.extra_content|content\.\*\.(?:extra_content|reasoningContent))\./;

/** Files, where they stand in the body as base64; Anthropic takes a text there, too, and others an address. */
const FILE = /^messages\.\*\.content\.\*\.(?:content\.\*\.)?(?:source\.data|image_url\.url|file\.file_data)$/;

/** Schemas, of which names and types are no texts. */
const SCHEMA =
  /^(?:tools\.\*\.(?:function\.parameters|input_schema|functionDeclarations\.\*\.parametersJsonSchema)|response_format\.json_schema\.schema|output_config\.format\.schema|toolConfig\.tools\.\*\.toolSpec\.inputSchema\.json|outputConfig\.textFormat\.structure\.jsonSchema\.schema|generationConfig\.responseJsonSchema|format)\./;
const SCHEMA_NAME = /\.(?:type|type\.\*|required\.\*|\$ref|format)$/;
/** Values within schemas, which may be objects with members of any name. */
const SCHEMA_VALUE = /\.(?:default|const|enum\.\*|examples\.\*)\./;

/** JSON in a string: names of its members are no texts. */
const EMBEDDED =
  /^(?:messages\.\*\.tool_calls\.\*\.function\.arguments|outputConfig\.textFormat\.structure\.jsonSchema\.schema)$/;

export const keyOf = (path: Path): string => path.map((part) => (typeof part === 'number' ? '*' : part)).join('.');

export const isEmbeddedJson = (key: string): boolean => EMBEDDED.test(key);

/**
 * Whether a string of a body cannot be looked at, or holds nothing of the request's texts.
 * @param parent the object or list that holds it
 */
export function isWithoutText(key: string, text: string, parent: object): boolean {
  if (WITHOUT_TEXT.has(key) || SIGNED.test(key)) return true;
  if (FILE.test(key)) return text.startsWith('data:') || ('type' in parent && parent.type === 'base64');
  return SCHEMA.test(key) && SCHEMA_NAME.test(key) && !SCHEMA_VALUE.test(key);
}
