import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { bodyAjv, plain } from '../../../../src/codegen/bundle/compile.ts';
import { countTokens } from '../../../../src/gateway/apis/messages/messages.ts';
import {
  CountTokensBody,
  CountTokensReply,
  MessagesBody,
  MessagesReply,
} from '../../../../src/gateway/apis/messages/schemas.ts';
import { answerOf, type Body, bodyOf, replyTo } from './asked.ts';

const FILE = join(import.meta.dirname, '../../../fixtures/clients/messages.json');
const cases: { id: string; request: { path: string; body: Body } }[] = JSON.parse(readFileSync(FILE, 'utf8'));

const checks = (schema: Parameters<typeof plain>[0]) => {
  const check = bodyAjv().compile(plain(schema));
  return (value: unknown): string[] => (check(value) ? [] : (check.errors ?? []).map((error) => JSON.stringify(error)));
};

describe('schemas of Messages', () => {
  const body = checks(MessagesBody);
  const counted = checks(CountTokensBody);

  it('take what clients send', () => {
    for (const { id, request } of cases) {
      if (request.path.endsWith('/messages') && id !== 'M09') expect(body(request.body), id).to.deep.equal([]);
      if (request.path.endsWith('/count_tokens')) expect(counted(request.body), id).to.deep.equal([]);
    }
  });

  it('take null for a field that is absent, but for those without which nothing can be asked', () => {
    const needed = ['messages', 'max_tokens'];
    const nulls = Object.keys(MessagesBody.properties).filter((name) => !needed.includes(name));
    expect(body(bodyOf(Object.fromEntries(nulls.map((name) => [name, null]))))).to.deep.equal([]);
    for (const name of needed) {
      expect(body(bodyOf({ [name]: null })), name).to.not.deep.equal([]);
      expect(body(bodyOf({ [name]: undefined })).join(), name).to.contain(name);
    }
    expect(body(bodyOf({ max_tokens: 0 })).join()).to.contain('max_tokens');
    expect(counted(bodyOf({ max_tokens: undefined }))).to.deep.equal([]);
  });

  it('describe what is answered', () => {
    const reply = checks(MessagesReply);
    const call = { id: 'a', name: 'df', arguments: '{}' };
    expect(reply(replyTo(bodyOf(), answerOf()))).to.deep.equal([]);
    expect(reply(replyTo(bodyOf(), answerOf({ toolCalls: [call], finishReason: 'tool_calls' })))).to.deep.equal([]);
    const count = { input_tokens: countTokens(bodyOf()), ml: { estimated: true } };
    expect(checks(CountTokensReply)(count)).to.deep.equal([]);
  });
});
