import { expect } from 'chai';
import { tokenEnd, tokenEnds } from '../../../src/domain/secrets/tokenExpiry.ts';

const part = (text: string) => Buffer.from(text).toString('base64url');
const jwt = (claims: string) => `${part('{"alg":"RS256"}')}.${part(claims)}.${part('signature')}`;
const END = 1_800_000_000;
const TOKEN = jwt(`{"sub":"x","exp":${END}}`);

describe('ends of tokens', () => {
  it('are read from tokens that say them', () => {
    expect(tokenEnd(TOKEN)).to.equal(END);
    expect(tokenEnd(jwt(`{"exp":${END}.5}`))).to.equal(END + 0.5);
  });

  it('others have none', () => {
    const without = [
      '',
      'opaque',
      'a.b.c',
      'a.b',
      jwt('{}'),
      jwt('[]'),
      jwt('null'),
      jwt('{"exp":"soon"}'),
      jwt('{"exp":0}'),
    ];
    for (const token of [
      ...without,
      jwt('{"exp":-1}'),
      jwt(`{"exp":${END}000}`),
      jwt('{"exp":1e999}'),
      `${TOKEN}.x`,
      ` ${TOKEN}`,
    ])
      expect(tokenEnd(token), token).to.equal(undefined);
    expect(tokenEnd(`${part('{}')}.${part(`{"exp":${END},"x":"${'y'.repeat(20_000)}"}`)}.x`)).to.equal(undefined);
  });

  it('stay with a token that stays, and go with one that goes', () => {
    const write = (keep: string[], set: Record<string, string>) =>
      tokenEnds({ submitted: {}, keep, set, changes: true }, ['a', 'b'], { a: 1, b: 2 });
    expect(write(['a', 'b'], {})).to.deep.equal({ a: 1, b: 2 });
    expect(write(['a'], {})).to.deep.equal({ a: 1 });
    expect(write(['a'], { b: TOKEN })).to.deep.equal({ a: 1, b: END });
    expect(write([], { a: 'opaque', c: TOKEN })).to.deep.equal({});
  });
});
