import { expect } from 'chai';

type Values = Readonly<Record<string, unknown>>;
type Side = 'mine' | 'theirs';
type Facts = ReadonlyMap<string, { path: string; kind: string; secret?: true; nullable?: true }>;
interface Decisions {
  differences(before: Values, mine: Values, theirs: Values): Record<'ours' | 'others' | 'both' | 'all', string[]>;
  decided(values: Record<'before' | Side, Values>, facts: Facts, pick: (path: string) => Side): Values;
}
interface FormValues {
  changeBody(before: Values, after: Values, facts: Facts): object;
  STORED: symbol;
}
type FormFields = readonly { path: string; label: string }[];
type Labels = Record<'inLabels' | 'labelOf', (fields: FormFields, text: string) => string>;

// The types of the pages are compiled separately.
const load = (name: string) => import(new URL(`../../../console/parts/form/${name}.ts`, import.meta.url).href);
const { decided, differences } = (await load('decisions')) as Decisions;
const { inLabels, labelOf } = (await load('labels')) as Labels;
const { changeBody, STORED } = (await load('values')) as FormValues;

const FACTS: Facts = new Map(
  [
    { path: 'description', kind: 'text' },
    { path: 'tags', kind: 'texts' },
    { path: 'details.headers', kind: 'map', secret: true as const, nullable: true as const },
    { path: 'details.token', kind: 'text', secret: true as const, nullable: true as const },
    { path: 'llm', kind: 'json' },
  ].map((fact) => [fact.path, fact]),
);
const all = (side: Side) => () => side;

describe('the console: merging two changes of a record', () => {
  const before = { description: 'was', tags: ['a'], 'details.token': STORED };

  it('finds the fields that each and both have changed', () => {
    const mine = { ...before, description: 'mine', tags: [] };
    const theirs = { ...before, description: 'theirs', 'details.token': undefined };
    expect(differences(before, mine, theirs)).to.deep.equal({
      ours: ['description', 'tags'],
      others: ['description', 'details.token'],
      both: ['description'],
      all: ['description', 'tags', 'details.token'],
    });
  });

  it('keeps the changes of one side, whichever side wins', () => {
    const mine = { ...before, tags: ['a', 'mine'], description: 'mine' };
    const theirs = { ...before, 'details.url': 'theirs', description: 'theirs' };
    const values = { before, mine, theirs };
    const kept = { 'details.token': STORED, 'details.url': 'theirs' };
    expect(decided(values, FACTS, all('mine'))).to.deep.equal({ ...kept, tags: ['a', 'mine'], description: 'mine' });
    const byField = (path: string): Side => (path === 'description' ? 'theirs' : 'mine');
    expect(decided(values, FACTS, byField)).to.deep.equal({ ...kept, tags: ['a', 'mine'], description: 'theirs' });
    expect(decided(values, FACTS, all('theirs'))).to.deep.equal(theirs);
  });

  it('sends only the changes of this side', () => {
    const mine = { ...before, description: 'mine' };
    const theirs = { ...before, tags: ['b'], description: 'theirs' };
    const values = decided({ before, mine, theirs }, FACTS, all('mine'));
    expect(changeBody(theirs, values, FACTS)).to.deep.equal({ description: 'mine' });
    expect(changeBody(theirs, decided({ before, mine, theirs }, FACTS, all('theirs')), FACTS)).to.deep.equal({});
  });

  it('merges maps by name, and sends no stored secret', () => {
    const values = {
      before: { 'details.headers': { 'X-One': STORED, 'X-Two': STORED } },
      mine: { 'details.headers': { 'X-One': 'new', 'X-Mine': 'm' } },
      theirs: { 'details.headers': { 'X-One': STORED, 'X-Two': STORED, 'X-Theirs': STORED } },
    };
    const after = decided(values, FACTS, all('mine'));
    expect(after['details.headers']).to.deep.equal({ 'X-One': 'new', 'X-Theirs': STORED, 'X-Mine': 'm' });
    expect(changeBody(values.theirs, after, FACTS)).to.deep.equal({
      details: { headers: { 'X-One': 'new', 'X-Two': null, 'X-Mine': 'm' } },
    });
  });

  it('does not merge a value that is replaced as a whole', () => {
    const values = { before: {}, mine: { llm: { model: 'mine' } }, theirs: { llm: { model: 'x', service: 'theirs' } } };
    expect(decided(values, FACTS, all('mine'))).to.deep.equal({ llm: { model: 'mine' } });
  });
});

describe('the console: labels of fields', () => {
  const fields = [
    { path: 'name', label: 'Name' },
    { path: 'details.url', label: 'Address' },
    { path: 'payload.docker_url', label: 'Docker URL' },
    { path: 'acl.perms.read', label: 'Roles that may read' },
  ];

  it('finds the label of a field and of its parts', () => {
    expect(labelOf(fields, 'docker_url')).to.equal('Docker URL');
    expect(labelOf(fields, 'acl.perms.read.0')).to.equal('Roles that may read');
    expect(labelOf(fields, 'acl.owner')).to.equal('acl.owner');
  });

  it('replaces field names in messages by labels, and no other words', () => {
    const worded = (text: string) => inLabels(fields, text);
    expect(worded('name: is required; details.url: must be http')).to.equal('Name: is required; Address: must be http');
    expect(worded('send `details.url` or docker_url.')).to.equal('send "Address" or "Docker URL".');
    expect(worded('a name of https://details.example/docker_urls')).to.equal(
      'a name of https://details.example/docker_urls',
    );
  });
});
