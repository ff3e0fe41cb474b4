import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** How many wordings each file still has, by its path. */
type Counts = Readonly<Record<string, number>>;
type Exceptions = Record<keyof Wordings, Counts>;

const FILE = join(import.meta.dirname, 'wordings.json');
const UPDATE = 'run UPDATE_WORDINGS=1 npx mocha --exit test/architecture/wordings.test.ts';
const RULES: Record<keyof Wordings, string> = {
  comments: `start a comment with a noun or a verb, not with ${FIRST_WORDS.join(', ')}`,
  names: `name a local for what it holds, not ${VAGUE_NAMES.join(', ')}`,
};
const KINDS = Object.keys(RULES) as (keyof Wordings)[];

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Files whose count is not the listed one, each with what to do. */
function problemsOf(kind: keyof Wordings, wordings: ReadonlyMap<string, Wordings>, listed: Counts): string[] {
  const counted = [...wordings].flatMap(([path, file]) => {
    const most = listed[path] ?? 0;
    const texts = file[kind];
    if (texts.length === most) return [];
    if (texts.length < most)
      return [`${path}: ${texts.length} ${kind}, ${most} are listed. To shorten the list, ${UPDATE}`];
    return [
      `${path}: ${texts.length} ${kind}, at most ${most} are permitted: ${texts.join(', ')}. Please ${RULES[kind]}`,
    ];
  });
  const gone = Object.keys(listed).filter((path) => !wordings.has(path));
  return [
    ...counted,
    ...gone.map((path) => `${path}: is listed and does not exist. If it was moved or deleted, ${UPDATE}`),
  ];
}

/** The counts of all files. The sum may not grow; a file's count may, when code moves. */
function updated(kind: keyof Wordings, wordings: ReadonlyMap<string, Wordings>, listed: Counts): Counts {
  const counts = Object.fromEntries(
    [...wordings].map(([path, file]) => [path, file[kind].length] as const).filter(([, count]) => count > 0),
  );
  return sumOf(counts) > sumOf(listed) ? listed : counts;
}

describe('wordings', () => {
  it('to avoid are those of the list of exceptions, which only shrinks', () => {
    const wordings = new Map(writtenFiles().map((path) => [path, wordingsOfFile(path)]));
    expect(wordings.size).to.be.above(1000);
    let exceptions = JSON.parse(readFileSync(FILE, 'utf8')) as Exceptions;
    if (process.env.UPDATE_WORDINGS) {
      const [comments, names] = KINDS.map((kind) => updated(kind, wordings, exceptions[kind])) as [Counts, Counts];
      exceptions = { comments, names };
      writeFileSync(FILE, `${JSON.stringify(exceptions, null, 2)}\n`);
    }
    expect(KINDS.flatMap((kind) => problemsOf(kind, wordings, exceptions[kind]))).to.deep.equal([]);
  });

  it('of the list cannot become more, but move to another file', () => {
    const files = (paths: Record<string, number>) =>
      new Map(
        Object.entries(paths).map(([path, count]) => [path, { comments: [], names: Array(count).fill('found') }]),
      );
    expect(updated('names', files({ a: 1, b: 1 }), { a: 2 })).to.deep.equal({ a: 1, b: 1 });
    expect(updated('names', files({ a: 1, b: 0 }), { a: 2 })).to.deep.equal({ a: 1 });
    expect(updated('names', files({ a: 3 }), { a: 2 })).to.deep.equal({ a: 2 });
    const problems = problemsOf('names', files({ a: 3, b: 1, c: 1 }), { a: 2, b: 2, c: 1, d: 1 });
    expect(problems).to.have.length(3);
    expect(problems[0]).to.match(/^a: 3 names, at most 2 .*: found, found, found\. Please name/);
    expect(problems[1]).to.match(/^b: 1 names, 2 are listed.*UPDATE_WORDINGS=1/);
    expect(problems[2]).to.match(/^d: is listed and does not exist/);
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
