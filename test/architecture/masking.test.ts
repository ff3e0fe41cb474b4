import { expect } from 'chai';
import { read, sources } from './sources.ts';

const callers = (name: string): string[] =>
  sources().filter(
    (path) => path !== 'masking/outgoing.ts' && new RegExp(`\\b${name}(?:<[^>]*>)?\\(`).test(read(path)),
  );

describe('content that leaves for a provider', () => {
  it('is made by the masker, by connection tests of the own text, and by runs, which decide for each value', () => {
    expect(callers('maskContent')).to.deep.equal(['gateway/masking/masker.ts']);
    expect(callers('unmasked')).to.deep.equal([
      'families/llm-providers/providers/provider.ts',
      'families/vector-stores/kinds/openSearch.ts',
      'families/vector-stores/kinds/pgVector.ts',
      'gateway/masking/masker.ts',
      'gateway/operations/tool.ts',
    ]);
    for (const kind of ['openSearch', 'pgVector']) {
      expect(read(`families/vector-stores/kinds/${kind}.ts`).match(/\bunmasked\(probeQuery\(/g)).to.have.length(1);
    }
    expect(read('gateway/operations/tool.ts').match(/\bunmasked\(/g)).to.have.length(1);
    const provider = read('families/llm-providers/providers/provider.ts');
    expect(provider.match(/\bunmasked[<(]/g)).to.have.length(1);
    expect(provider).to.match(/const PROBE = unmasked</);
  });

  it('is all that clients and dialects of models take', () => {
    const paths = sources().filter((path) => path.startsWith('families/llm-providers/providers/'));
    const plain = paths.filter((path) => /request: (?:Chat|Embed)Request\b/.test(read(path)));
    // Makes a body for the dialect that hands it over.
    expect(plain).to.deep.equal(['families/llm-providers/providers/dialects/openAi.ts']);
    for (const path of [
      'families/llm-providers/providers/provider.ts',
      'families/llm-providers/providers/dialect.ts',
    ]) {
      expect(read(path).match(/request: Outgoing<(?:Chat|Embed)Request>/g), path).to.have.length(2);
    }
  });

  it('is looked through by whatever sends it', () => {
    expect(callers('assertMasked')).to.deep.equal([
      'families/llm-providers/providers/askChat.ts',
      'families/llm-providers/providers/dialects/bedrock.ts',
      'families/llm-providers/providers/httpClient.ts',
    ]);
  });
});
