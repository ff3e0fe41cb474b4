import { expect } from 'chai';
import { type MaskedTexts, MaskingFailure } from '../../src/masking/masking.ts';
import { mask } from './cases.ts';

const LEAK = 'ana@north.example';
const masked: MaskedTexts = mask([
  `mail ${LEAK} user=assistant password="a/b \\"c\\" é!9" User: CORP\\jdoe user=lookup`,
]);

const isFound = (body: unknown, { check }: MaskedTexts = masked): boolean => {
  try {
    check(JSON.stringify(body));
    return false;
  } catch (error) {
    expect(error).to.be.instanceOf(MaskingFailure).with.property('reason', 'residue');
    return true;
  }
};

/** A body with one string at a path. */
function bodyAt(path: string, text: string): unknown {
  const parts = path.split('.');
  return parts.reduceRight<unknown>((below, part) => (part === '0' ? [below] : { [part]: below }), text);
}

/** Places that hold texts, by what speaks so. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'OpenAI, Azure, Splunk, containers': [
    ...['messages.0.content', 'messages.0.content.0.text', 'messages.0.name', 'messages.0.content.0.image_url.url'],
    ...['tools.0.function.description', 'tools.0.function.parameters.properties.q.description', 'stop.0', 'user'],
    ...['tools.0.function.parameters.properties.q.enum.0', 'tools.0.function.parameters.properties.q.default.type'],
    ...[
      'response_format.json_schema.schema.properties.q.const',
      'input',
      'input.0',
      'messages.0.content.0.file.filename',
    ],
  ],
  Anthropic: [
    ...['system', 'system.0.text', 'messages.0.content.0.input.name', 'messages.0.content.0.content.0.text'],
    ...[
      'messages.0.content.0.source.data',
      'messages.0.content.0.title',
      'messages.0.content.0.content.0.source.data',
      'messages.0.content.0.content.0.title',
      'tools.0.input_schema.properties.a.examples.0',
    ],
  ],
  Bedrock: [
    ...['system.0.text', 'messages.0.content.0.toolUse.input.id', 'messages.0.content.0.toolResult.content.0.text'],
    'messages.0.content.0.toolResult.content.0.document.name',
    ...['messages.0.content.0.document.name', 'toolConfig.tools.0.toolSpec.description', 'inputText'],
  ],
  Gemini: [
    ...['systemInstruction.parts.0.text', 'contents.0.parts.0.text', 'contents.0.parts.0.functionCall.args.name'],
    ...[
      'contents.0.parts.0.functionResponse.response.output',
      'contents.0.parts.0.functionResponse.parts.0.text',
      'requests.0.content.parts.0.text',
    ],
  ],
  Ollama: ['messages.0.content', 'messages.0.thinking', 'messages.0.tool_calls.0.function.arguments.q', 'prompt'],
};

const NO_TEXTS: Readonly<Record<string, readonly string[]>> = {
  'OpenAI, Azure, Splunk, containers': [
    ...['model', 'messages.0.role', 'messages.0.tool_calls.0.id', 'messages.0.tool_calls.0.function.name'],
    ...[
      'messages.0.tool_call_id',
      'tools.0.function.name',
      'tool_choice.function.name',
      'response_format.json_schema.name',
    ],
    ...['messages.0.tool_calls.0.extra_content.google.thought_signature', 'messages.0.content.0.file.file_id'],
    ...[
      'messages.0.cache_control.type',
      'messages.0.content.0.input_audio.data',
      'tools.0.function.parameters.required.0',
    ],
    ...['tools.0.function.parameters.properties.q.type', 'response_format.json_schema.schema.required.0'],
  ],
  Anthropic: [
    ...['messages.0.content.0.signature', 'messages.0.content.0.thinking', 'messages.0.content.0.data'],
    ...['messages.0.content.0.name', 'messages.0.content.0.tool_use_id', 'tools.0.name', 'tool_choice.name'],
    ...['system.0.cache_control.type', 'messages.0.content.0.content.0.source.media_type'],
    ...['tools.0.input_schema.required.0', 'output_config.format.schema.required.0'],
  ],
  Bedrock: [
    ...['modelId', 'messages.0.content.0.image.source.bytes', 'messages.0.content.0.toolUse.name'],
    ...['messages.0.content.0.toolResult.toolUseId', 'messages.0.content.0.reasoningContent.reasoningText.signature'],
    ...['toolConfig.tools.0.toolSpec.name', 'toolConfig.tools.0.toolSpec.inputSchema.json.required.0'],
    ...['toolConfig.toolChoice.tool.name', 'toolConfig.tools.0.cachePoint.type', 'system.0.cachePoint.type'],
    ...['messages.0.content.0.toolResult.content.0.image.source.bytes', 'additionalModelResponseFieldPaths.0'],
    ...['messages.0.content.0.toolResult.content.0.document.format', 'messages.0.content.0.cachePoint.type'],
  ],
  Gemini: [
    'contents.0.parts.0.functionResponse.parts.0.inlineData.data',
    ...['contents.0.role', 'contents.0.parts.0.inlineData.data', 'contents.0.parts.0.thoughtSignature'],
    ...['contents.0.parts.0.functionCall.name', 'tools.0.functionDeclarations.0.name'],
    ...['toolConfig.functionCallingConfig.allowedFunctionNames.0', 'generationConfig.responseJsonSchema.required.0'],
  ],
  Ollama: ['messages.0.images.0', 'messages.0.tool_name', 'format.required.0'],
};

describe('masking: the check of the finished body', () => {
  for (const [dialect, paths] of Object.entries(TEXTS)) {
    it(`reads each text of ${dialect}`, () => {
      for (const path of paths) expect(isFound(bodyAt(path, `of ${LEAK}!`)), path).to.equal(true);
    });
  }

  for (const [dialect, paths] of Object.entries(NO_TEXTS)) {
    it(`reads no names, signatures and images of ${dialect}`, () => {
      for (const path of paths) expect(isFound(bodyAt(path, LEAK)), path).to.equal(false);
    });
  }

  it('reads a file as far as it is a text', () => {
    const block = (type: string) => ({ messages: [{ content: [{ source: { type, data: LEAK } }] }] });
    expect(isFound(block('base64'))).to.equal(false);
    expect(isFound(block('text'))).to.equal(true);
    expect(isFound(bodyAt('messages.0.content.0.image_url.url', `data:image/png;base64,${LEAK}`))).to.equal(false);
  });

  it('finds a value in JSON within JSON at any depth, in URLs, and with other escapes', () => {
    for (const value of [LEAK, 'a/b "c" é!9', 'corp\\JDOE']) {
      let text = `x\n${value}`;
      for (let depth = 0; depth < 6; depth += 1) {
        expect(isFound({ messages: [{ content: text }] }), `${value} ${depth}`).to.equal(true);
        text = JSON.stringify({ text });
      }
      for (const url of [encodeURIComponent(`x ${value}`), encodeURIComponent(value).toLowerCase()]) {
        expect(isFound({ prompt: `/a?q=${url}` }), url).to.equal(true);
      }
    }
    expect(isFound({ prompt: '{"p":"a\\/b \\"c\\" \\u00e9!9"}' })).to.equal(true);
    expect(isFound({ prompt: 'x=%20ANA%40north%2Eexample%0A' })).to.equal(true);
  });

  it('finds a value of several lines', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----';
    const keys = mask([pem]);
    for (const text of [
      pem,
      JSON.stringify({ pem }),
      JSON.stringify(JSON.stringify({ pem })),
      encodeURIComponent(pem),
    ]) {
      expect(isFound({ prompt: text }, keys), text).to.equal(true);
    }
  });

  it('takes words of the protocol, names of members and parts of words for no values', () => {
    const call = { id: 'lookup', type: 'lookup', function: { name: 'lookup', arguments: '{"lookup":"x"}' } };
    const body = {
      model: 'assistant',
      messages: [{ role: 'assistant', content: `xana@north.example.org assistants`, tool_calls: [call] }],
    };
    expect(isFound(body)).to.equal(false);
    call.function.arguments = '{"q":"lookup"}';
    expect(isFound(body)).to.equal(true);
    call.function.arguments = 'no JSON: lookup';
    expect(isFound(body)).to.equal(true);
    expect(isFound(bodyAt('tools.0.function.parameters.properties.lookup.type', 'string'))).to.equal(false);
  });

  it('leaves values of one or two characters', () => {
    expect(isFound({ prompt: 'ab' }, mask(['user=ab']))).to.equal(false);
    expect(isFound({ prompt: 'abc' }, mask(['user=abc']))).to.equal(true);
    expect(isFound({ prompt: 'abcd x%abc_' }, mask(['user=abc']))).to.equal(false);
  });
});
