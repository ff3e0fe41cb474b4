import { expect } from 'chai';
import { PROVIDER_NAMES } from '../../src/contract/families/llmProviders.ts';
import { importsOf, read, sources } from './sources.ts';

const FAMILY = 'families/llm-providers/';
const PROVIDERS = `${FAMILY}providers/`;
/** Where a provider may be called by its name: the list of the names, the registry, what each of them is, and examples. */
const isAtHome = (path: string) =>
  path === 'contract/families/llmProviders.ts' ||
  path.startsWith(PROVIDERS) ||
  ['codegen/openapi/examples.ts', 'codegen/openapi/ruleExamples.ts'].includes(path);
/** What the rest of the family knows of the providers. */
const SHOWN = [`${PROVIDERS}registry.ts`, `${PROVIDERS}provider.ts`];

const NAMES = PROVIDER_NAMES.join('|');
/** A text that is a name and nothing else, a key or a member of that name; not a name within a description. */
const NAMED = new RegExp(`(['"\`])(?:${NAMES})\\1|\\.(?:${NAMES})\\b|^\\s*(?:${NAMES}):`, 'gm');

describe('providers of language models', () => {
  const others = sources().filter((path) => !isAtHome(path));

  it('no other code asks which provider it is', () => {
    const found = others.flatMap((path) => (read(path).match(NAMED) ?? []).map((text) => `${path}: ${text.trim()}`));
    expect(found).to.deep.equal([]);
  });

  it('nor takes one without the registry', () => {
    const imports = others.flatMap((path) => importsOf(path)).filter(({ to }) => to.startsWith(PROVIDERS));
    expect(imports.length).to.be.above(3);
    expect(imports.filter(({ to }) => !SHOWN.includes(to)).map(({ from, to }) => `${from} -> ${to}`)).to.deep.equal([]);
  });

  it('a question would be seen', () => {
    for (const text of [
      "if (service === 'Cloud_Model_Hub') return;",
      'LLM_PROVIDERS.Local_Runtime.client(target, peers)',
      'const ADDRESSES = {\n  General_Chat: 1,\n};',
    ]) {
      expect(text.match(NAMED), text).to.have.length(1);
    }
    expect("region: text(64, 'Cloud_Model_Hub: AWS region')".match(NAMED)).to.equal(null);
  });
});
