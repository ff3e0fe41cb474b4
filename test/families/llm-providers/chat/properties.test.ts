import { expect } from 'chai';
import fc from 'fast-check';
import { fromAnthropicChat } from '../../../../src/families/llm-providers/chat/anthropic/answer.ts';
import { toAnthropicChat } from '../../../../src/families/llm-providers/chat/anthropic/request.ts';
import { fromConverse } from '../../../../src/families/llm-providers/chat/bedrock/answer.ts';
import { toConverse } from '../../../../src/families/llm-providers/chat/bedrock/request.ts';
import type { ChatMessage, ChatRequest, ToolCall } from '../../../../src/families/llm-providers/chat/chat.ts';
import { fromGeminiChat } from '../../../../src/families/llm-providers/chat/gemini/answer.ts';
import { toGeminiChat } from '../../../../src/families/llm-providers/chat/gemini/request.ts';
import { toOllamaChat } from '../../../../src/families/llm-providers/chat/ollama/request.ts';
import {
  ANTHROPIC_PARAMETER,
  aliasParameters,
  aliasTools,
} from '../../../../src/families/llm-providers/chat/toolAliases.ts';

const text = fc.string({ minLength: 1, maxLength: 8 }).map((one) => `t${one}`);
const calls = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c d', ''), name: fc.constantFrom('x', 'y.z') }), {
  minLength: 1,
  maxLength: 3,
});
/** Turns in any order; every call is answered, though ids repeat between turns. */
const turn = fc.oneof(
  fc.record({ role: fc.constant('user' as const), content: text }).map((one): ChatMessage[] => [one]),
  fc.record({ role: fc.constant('assistant' as const), content: text }).map((one): ChatMessage[] => [one]),
  fc.record({ role: fc.constant('system' as const), content: text }).map((one): ChatMessage[] => [one]),
  calls.map((made): ChatMessage[] => {
    const unique = made.filter(({ id }, index) => made.findIndex((one) => one.id === id) === index);
    const toolCalls = unique.map((one): ToolCall => ({ ...one, arguments: '{}' }));
    const results = unique.map(({ id }): ChatMessage => ({ role: 'tool', toolCallId: id, content: `result of ${id}` }));
    return [{ role: 'assistant', content: '', toolCalls }, ...results];
  }),
);
const chats = fc.array(turn, { minLength: 1, maxLength: 8 }).map((turns): ChatRequest => ({ messages: turns.flat() }));

/** The fields of blocks and parts that matter here, of all providers. */
interface Block {
  type?: string;
  id?: string;
  tool_use_id?: string;
  text?: string;
  toolUse?: { toolUseId: string };
  toolResult?: { toolUseId: string };
  functionCall?: { id: string; name: string };
  functionResponse?: { id: string; name: string };
}
interface Turn {
  role: string;
  content?: unknown;
  parts?: unknown[];
}
const blocksOf = ({ content, parts = [] }: Turn) => (Array.isArray(content) ? content : parts) as Block[];

function expectAlternating(turns: readonly Turn[]): void {
  expect(turns[0]?.role).to.equal('user');
  for (const [index, { role }] of turns.entries()) if (index > 0) expect(role).to.not.equal(turns[index - 1]?.role);
}

/** Each turn's calls have their results in the next one, and ids are not used twice. */
function expectPaired(
  turns: readonly Turn[],
  callOf: (block: Block) => string[],
  resultOf: (block: Block) => string[],
): void {
  const seen = new Set<string>();
  for (const [index, one] of turns.entries()) {
    const ids = blocksOf(one).flatMap(callOf);
    for (const id of ids) expect(seen.has(id)).to.equal(false);
    for (const id of ids) seen.add(id);
    const next = turns[index + 1];
    expect(next === undefined ? [] : blocksOf(next).flatMap(resultOf)).to.deep.equal(ids);
  }
}

describe('translations of any chat', () => {
  const check = (property: (request: ChatRequest) => void) => fc.assert(fc.property(chats, property), { numRuns: 200 });

  it('Anthropic: roles alternate, calls and results pair up by valid ids', () => {
    check((request) => {
      const turns = toAnthropicChat('m', request).body.messages as Turn[];
      expectAlternating(turns);
      expectPaired(
        turns,
        ({ type, id }) => (type === 'tool_use' ? [id ?? ''] : []),
        ({ type, tool_use_id }) => (type === 'tool_result' ? [tool_use_id ?? ''] : []),
      );
      for (const { id } of turns.flatMap(blocksOf)) if (id !== undefined) expect(id).to.match(/^[A-Za-z0-9_-]{1,64}$/);
    });
  });

  it('Bedrock: likewise, and no text is empty', () => {
    check((request) => {
      const turns = toConverse('m', request).body.messages as Turn[];
      expectAlternating(turns);
      expectPaired(
        turns,
        ({ toolUse }) => (toolUse ? [toolUse.toolUseId] : []),
        ({ toolResult }) => (toolResult ? [toolResult.toolUseId] : []),
      );
      for (const one of turns.flatMap(blocksOf)) expect(one.text?.trim()).to.not.equal('');
    });
  });

  it('Gemini: likewise, with the name of each result', () => {
    check((request) => {
      const turns = toGeminiChat('m', request).body.contents as Turn[];
      expectAlternating(turns);
      expectPaired(
        turns,
        ({ functionCall: one }) => (one ? [`${one.id} ${one.name}`] : []),
        ({ functionResponse: one }) => (one ? [`${one.id} ${one.name}`] : []),
      );
    });
  });

  it('Ollama: each result has the name of its call', () => {
    check((request) => {
      const messages = toOllamaChat('m', request).body.messages as {
        role: string;
        tool_name?: string;
        tool_calls?: { function: { name: string } }[];
      }[];
      const called = messages.flatMap(({ tool_calls: made = [] }) => made.map((one) => one.function.name));
      const answered = messages.filter(({ role }) => role === 'tool').map(({ tool_name }) => tool_name);
      expect(answered).to.deep.equal(called);
    });
  });

  it('names of tools map back, and are never the same', () => {
    const names = fc.uniqueArray(
      fc.string({ minLength: 1, maxLength: 90, unit: fc.constantFrom('a', '.', '_', 'é', '1') }),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(names, (list) => {
        const { request, restore } = aliasTools({
          messages: [],
          tools: list.map((name) => ({ name, parameters: {} })),
        });
        const sent = (request.tools ?? []).map(({ name }) => name);
        expect(new Set(sent).size).to.equal(list.length);
        for (const name of sent) expect(name).to.match(/^[A-Za-z0-9_-]{1,64}$/);
        const toolCalls = sent.map((name, index) => ({ id: `${index}`, name, arguments: '{}' }));
        const usage = { input: { total: 0, cached: 0 }, output: { total: 0, reasoning: 0 } };
        const answer = restore({ message: { role: 'assistant', content: '' }, toolCalls, finishReason: 'stop', usage });
        expect(answer.toolCalls.map(({ name }) => name)).to.deep.equal(list);
      }),
    );
  });
});

describe('names of parameters of tools', () => {
  const usage = { input: { total: 0, cached: 0 }, output: { total: 0, reasoning: 0 } };

  it('are such as the provider takes on the way there, and the own ones in its calls', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 }), (names) => {
        const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
        const args = JSON.stringify(Object.fromEntries(names.map((name, index) => [name, index])));
        const call = { id: 'a', name: 'find', arguments: args };
        const { request, restore } = aliasParameters(
          {
            messages: [{ role: 'assistant', content: '', toolCalls: [call] }],
            tools: [{ name: 'find', parameters: { type: 'object', properties, required: names } }],
          },
          ANTHROPIC_PARAMETER,
        );
        const sent = request.tools?.[0]?.parameters as { properties: object; required: string[] };
        const keys = Object.keys(sent.properties);
        expect(keys).to.have.length(names.length);
        for (const key of keys) expect(key).to.match(/^[A-Za-z0-9_.-]{1,64}$/);
        expect(sent.required).to.have.members(keys);
        const [message] = request.messages as readonly { toolCalls?: ToolCall[] }[];
        const made = message?.toolCalls ?? [];
        expect(Object.keys(JSON.parse(made[0]?.arguments ?? ''))).to.have.members(keys);
        const answer = restore({
          message: { role: 'assistant', content: '' },
          toolCalls: made,
          finishReason: 'stop',
          usage,
        });
        expect(JSON.parse(answer.toolCalls[0]?.arguments ?? '')).to.deep.equal(JSON.parse(args));
      }),
    );
  });

  it('stay where the provider takes all, or takes these', () => {
    const tools = [{ name: 'find', parameters: { type: 'object', properties: { $filter: {}, 'a.b-c': {} } } }];
    const request = { messages: [], tools };
    expect(aliasParameters(request, undefined).request).to.equal(request);
    const fit = {
      messages: [],
      tools: [{ name: 'find', parameters: { type: 'object', properties: { 'a.b-c': {} } } }],
    };
    expect(aliasParameters(fit, ANTHROPIC_PARAMETER).request).to.equal(fit);
  });

  it('keep the digits of arguments', () => {
    const tools = [{ name: 'find', parameters: { type: 'object', properties: { $id: {} } } }];
    const { restore } = aliasParameters({ messages: [], tools }, ANTHROPIC_PARAMETER);
    const toolCalls = [{ id: 'a', name: 'find', arguments: '{"_id":725653563933458433}' }];
    const answer = restore({ message: { role: 'assistant', content: '' }, toolCalls, finishReason: 'stop', usage });
    expect(answer.toolCalls[0]?.arguments).to.equal('{"$id":725653563933458433}');
  });
});

describe('usage of any answer', () => {
  it('includes the cache in the prompt and reasoning in the completion', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.nat(1000),
        fc.nat(1000),
        fc.nat(1000),
        fc.nat(1000),
        (prompt, read, written, said, thought) => {
          const anthropic = fromAnthropicChat({
            content: [],
            usage: {
              input_tokens: prompt,
              cache_read_input_tokens: read,
              cache_creation_input_tokens: written,
              output_tokens: said,
            },
          });
          const bedrock = fromConverse({
            output: { message: {} },
            usage: {
              inputTokens: prompt,
              cacheReadInputTokens: read,
              cacheWriteInputTokens: written,
              outputTokens: said,
            },
          });
          for (const answer of [anthropic, bedrock]) {
            expect(answer?.usage.input.total).to.equal(prompt + read + written);
            expect(answer?.usage.output.total).to.equal(said);
          }
          const gemini = fromGeminiChat({
            candidates: [{ finishReason: 'STOP' }],
            usageMetadata: {
              promptTokenCount: prompt + read,
              cachedContentTokenCount: read,
              candidatesTokenCount: said,
              thoughtsTokenCount: thought,
              totalTokenCount: prompt + read + said + thought,
            },
          });
          const { input, output } = gemini?.usage ?? { input: { total: 0 }, output: { total: 0 } };
          expect((input.total ?? 0) + (output.total ?? 0)).to.equal(prompt + read + said + thought);
        },
      ),
    );
  });
});
