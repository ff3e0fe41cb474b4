import type { Asked } from '../../../../support/peers/llm.ts';
import type { Schema } from './question.ts';
import { type Block, isToolName, problemsOf, turnProblems } from './turns.ts';
import { vectorOf, type WireFormat } from './wireFormat.ts';

interface GenerateContent {
  contents: { role: string; parts: Part[] }[];
  systemInstruction?: { parts: Part[] };
  tools?: { functionDeclarations: { name: string; parametersJsonSchema?: Schema }[] }[];
  toolConfig?: { functionCallingConfig: { mode: string; allowedFunctionNames?: string[] } };
  generationConfig?: { responseMimeType?: string; responseJsonSchema?: Schema; stopSequences?: string[] };
}
interface Part {
  text?: string;
  functionCall?: { id?: string; name: string; args?: object };
  functionResponse?: { id?: string; name: string; response: unknown };
  thoughtSignature?: string;
}

/** Gemini's generateContent and batchEmbedContents. */
export const gemini: WireFormat = {
  service: 'Search_Vendor_Models',
  model: 'gemini-3-flash',
  embedder: 'gemini-embedding-001',
  settings: { access_token: 'AIza-of-a-test' },
  question(body) {
    const { tools = [], toolConfig, generationConfig: config = {} } = body as unknown as GenerateContent;
    const { mode, allowedFunctionNames: [only] = [] } = toolConfig?.functionCallingConfig ?? { mode: 'AUTO' };
    return {
      tools: declarationsOf(tools).map(({ name, parametersJsonSchema: schema = {} }) => ({ name, schema })),
      choice: only ?? mode.toLowerCase(),
      format: config.responseJsonSchema ?? (config.responseMimeType === 'application/json' ? 'json' : undefined),
    };
  },
  problems,
  overloaded: {
    status: 503,
    body: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
  },
  filtered: 'content_filter',
  refusal: (message) => ({ status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }),
  embeddings({ path, headers, body }) {
    const model = /^\/v1beta\/(models\/[^:]+):batchEmbedContents$/.exec(path)?.[1];
    if (model === undefined) return undefined;
    const requests = body.requests as { model: string; content: { parts: Part[] }; outputDimensionality?: number }[];
    const problems = problemsOf({
      'no key': headers['x-goog-api-key'] !== 'AIza-of-a-test',
      'another model in a request': requests.some((one) => one.model !== model),
      'too many requests': requests.length > 100,
      'blank text': requests.some(({ content: { parts } }) => parts.some(({ text }) => !text)),
    });
    const embeddings = requests.map(({ content: { parts }, outputDimensionality: size }) => ({
      values: vectorOf(parts.map(({ text }) => text).join(''), size),
    }));
    return { problems, vectors: { status: 200, body: { embeddings } } };
  },
};

const declarationsOf = (tools: NonNullable<GenerateContent['tools']>) =>
  tools.flatMap(({ functionDeclarations }) => functionDeclarations);

function problems({ headers, body }: Asked): string[] {
  const {
    contents,
    systemInstruction,
    tools = [],
    toolConfig,
    generationConfig = {},
  } = body as unknown as GenerateContent;
  const names = declarationsOf(tools).map(({ name }) => name);
  const { mode, allowedFunctionNames: allowed = [] } = toolConfig?.functionCallingConfig ?? { mode: 'AUTO' };
  const modelTurns = contents.filter(({ role }) => role === 'model');
  return [
    ...turnProblems(
      contents.map(({ role, parts }) => ({ role: role === 'model' ? 'model' : 'user', blocks: parts.map(toBlock) })),
    ),
    ...problemsOf({
      'no key': headers['x-goog-api-key'] !== 'AIza-of-a-test',
      'unknown role': !contents.every(({ role }) => role === 'user' || role === 'model'),
      'blank system text': systemInstruction?.parts.some(({ text }) => !text?.trim()) ?? false,
      'name of a function': !names.every(isToolName),
      'functions of one name': new Set(names).size < names.length,
      'allowedFunctionNames without ANY': allowed.length > 0 && mode !== 'ANY',
      'an allowed function that is not declared': !allowed.every((name) => names.includes(name)),
      'more than five stop sequences': (generationConfig.stopSequences?.length ?? 0) > 5,
      // Models from version 3 refuse this; of parallel calls the first one is signed.
      'a call without a signature': modelTurns.some(({ parts }) => {
        const first = parts.find(({ functionCall }) => functionCall);
        return first !== undefined && !first.thoughtSignature;
      }),
    }),
  ];
}

/** Results are paired by id and name. */
function toBlock(part: Part): Block {
  const { text, functionCall: call, functionResponse: response } = part;
  if (text !== undefined) return { text };
  if (call) return { call: `${call.id}/${call.name}` };
  if (response) return { result: `${response.id}/${response.name}` };
  const [kind = 'nothing'] = Object.keys(part);
  return kind === 'inlineData' ? { media: kind } : { unknown: kind };
}
