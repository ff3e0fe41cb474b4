import { expect } from 'chai';
import { read, sources } from './sources.ts';
import {
  CAPITAL,
  FIRST_WORDS,
  messagesOf,
  ONE_SENTENCE,
  SENTENCES,
  VAGUE_NAMES,
  type Wordings,
  wordingsOfFile,
  wordingsOfText,
  writtenFiles,
} from './wordings.ts';

const RULES: Record<keyof Wordings, string> = {
  comments: `start a comment with a noun or a verb, not with ${FIRST_WORDS.join(', ')}`,
  names: `name a local for what it holds, not ${VAGUE_NAMES.join(', ')}`,
  types: 'name a type for what it holds, with a noun',
};
const KINDS = Object.keys(RULES) as (keyof Wordings)[];

/** The wordings to avoid in a file, each with what to do. */
const problemsOf = (path: string, wordings: Wordings): string[] =>
  KINDS.flatMap((kind) => wordings[kind].map((text) => `${path}: ${text}. Please ${RULES[kind]}`));

describe('wordings', () => {
  it('to avoid are nowhere', () => {
    const paths = writtenFiles();
    expect(paths.length).to.be.above(1000);
    expect(paths.flatMap((path) => problemsOf(path, wordingsOfFile(path)))).to.deep.equal([]);
  });

  it('are found in comments', () => {
    const avoided = [
      '/** Of the first. */',
      '/**\n * What it does.\n */',
      '// Who asks.',
      'call(); // Those left.',
      'const a = 1;\n  /* So many of them. */',
      '// A first.\nconst b = 1;\n// What follows.',
    ];
    for (const text of avoided) expect(wordingsOfText(text).comments, text).to.have.length(1);
    const fine = [
      '/** Offers what it has. Of two, the first. */',
      '/**\n * Returns the first.\n * Of two, the second.\n */',
      '// Starts here\n// What follows is the same comment.',
      "const text = 'What now';",
      "const url = 'https://What';",
      '// Whose turn it is.',
    ];
    for (const text of fine) expect(wordingsOfText(text).comments, text).to.deep.equal([]);
  });

  it('are found in types', () => {
    const types = (text: string) => wordingsOfText(text).types;
    expect(types('interface Taken {}\nexport type Found = string;\nexport abstract class Sealed<T> {}')).to.have.length(
      3,
    );
    expect(types("type SealedDoc = 1;\nconst type = 'Taken';\n// interface Taken\ntype SentDoc = 2;")).to.deep.equal(
      [],
    );
  });

  it('are found in names', () => {
    const names = (text: string, language: 'ts' | 'tsx' = 'ts') => wordingsOfText(text, language).names;
    expect(names('const found = 1; let [one, ...rest] = []; for (const at of []) {}')).to.deep.equal([
      'found',
      'one',
      'rest',
      'at',
    ]);
    expect(names('function f(all: number, { a: seen, ...rest }: T) {}')).to.have.length(3);
    expect(names('const f = async <T>(known: T = 1) => (one) => one; class C { m(at) {} }')).to.have.length(3);
    expect(names('const a = <p title="at">{items.map((one) => one.at)}</p>;', 'tsx')).to.deep.equal(['one']);
    expect(names('const { at, all = 1 } = row; const b = row.found; type F = (one: T) => void;')).to.deep.equal([]);
  });
});

describe('messages of failures', () => {
  it('start and end alike', () => {
    const messages = sources().flatMap((path) => messagesOf(read(path)).map((entry) => ({ path, ...entry })));
    expect(messages.length).to.be.above(200);
    expect(messages.filter(({ problem }) => problem !== undefined)).to.deep.equal([]);
  });

  it('of another form are found', () => {
    const problemsOf = (message: string, failure = "Fault('not_found', ") =>
      messagesOf(`throw new ${failure}${message});`).map(({ problem }) => problem);
    expect(problemsOf("'The run is gone.'")).to.deep.equal([ONE_SENTENCE]);
    expect(problemsOf(`\`The run \${id}.\``)).to.deep.equal([ONE_SENTENCE]);
    expect(problemsOf("isOld ? 'Too old.' : 'too new'")).to.deep.equal([ONE_SENTENCE, CAPITAL]);
    expect(problemsOf("'The run is gone. Start another'")).to.deep.equal([SENTENCES]);
    for (const message of [`\${name} is gone. Start another.`, `\${first} Start another.`, `The run ended: \${reason}`])
      expect(problemsOf(`\`${message}\``), message).to.deep.equal([undefined]);
    expect(problemsOf("'base_url must begin with https://'")).to.deep.equal([undefined]);
    expect(problemsOf("'rows needs mode=all'", 'SearchError(')).to.deep.equal([undefined]);
  });
});
