import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

interface Shape {
  kind: string;
  title: string;
  initial?: unknown;
  item?: Shape;
  options?: unknown[];
  fields?: { name: string; isRequired: boolean; shape: Shape }[];
}
interface Settings {
  model: string;
  tools: { name: string; tools?: string[] }[];
  stores: string[];
  searches: string[];
  max_tokens?: number;
  temperature?: number;
  approve: string;
}
type Snippets = Record<'curl' | 'Python' | 'Node' | 'SPL', string>;

const load = (path: string) => import(new URL(`../../../console/views/playground/${path}`, import.meta.url).href);
const { formOf, initialOf }: { formOf(schema: unknown): Shape | undefined; initialOf(shape: Shape): unknown } =
  await load('tool/schema.ts');
const { settingsIn, addressOf }: { settingsIn(url: URLSearchParams): Settings; addressOf(one: Settings): object } =
  await load('conversation/settings.ts');
const { snippetsOf }: { snippetsOf(question: string, settings: Settings, system: string): Snippets } =
  await load('conversation/snippets.ts');

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const kinds = (schema: unknown): Record<string, string> =>
  Object.fromEntries((formOf(schema)?.fields ?? []).map(({ name, shape }) => [name, shape.kind]));

describe('the form of a tool', () => {
  it('has a field for each property, by its type', () => {
    const properties = {
      a: { type: 'string' },
      b: { type: ['integer', 'null'] },
      c: { enum: [1, 'x', null] },
      d: { type: 'array', items: { type: 'number' } },
      e: object({ f: { type: 'boolean' } }),
      g: { anyOf: [{ type: 'string' }] },
      h: { type: ['string', 'number'] },
      i: {},
      j: true,
      k: { const: 'only' },
      l: { type: 'object' },
    };
    expect(kinds(object(properties))).to.deep.equal({
      ...{ a: 'text', b: 'integer', c: 'choice', d: 'list', e: 'fields', g: 'json', h: 'json' },
      ...{ i: 'json', j: 'json', k: 'choice', l: 'json' },
    });
  });

  it('begins with defaults and with what only can be chosen', () => {
    const schema = object(
      {
        a: { default: 0 },
        b: { const: 'only' },
        c: { const: 'other' },
        d: { type: 'boolean' },
        e: object({ f: { default: 1 } }),
      },
      { required: ['b', 'd', 'e'] },
    );
    expect(initialOf(formOf(schema) as Shape)).to.deep.equal({ a: 0, b: 'only', d: false, e: { f: 1 } });
  });

  it('begins with no value that its fields do not show', () => {
    const wrong = object({
      a: { type: 'string', default: { not: 'a text' } },
      b: { type: 'number', default: '7' },
      c: { enum: ['x', 'x'], default: 'y' },
      d: { type: 'array', items: { type: 'boolean' }, default: [true, 'x'] },
      e: object({ f: { type: 'string' } }, { default: { f: 'seen', g: 'unseen' } }),
      h: { type: 'boolean', default: 'yes' },
    });
    expect(initialOf(formOf(wrong) as Shape)).to.deep.equal({});
    const right = object({
      a: object({ f: { type: 'string' } }, { default: { f: 'seen' } }),
      b: { type: 'array', items: { enum: [1, 2] }, default: [2] },
      c: { oneOf: [], default: { any: 'thing' } },
    });
    expect(initialOf(formOf(right) as Shape)).to.deep.equal({ a: { f: 'seen' }, b: [2], c: { any: 'thing' } });
    expect(formOf(wrong)?.fields?.[2]?.shape).to.have.deep.property('options', ['x']);
  });

  it('ends where a schema refers to itself, is endless, huge or none', () => {
    const tree = object({ value: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } });
    let [levels, shape] = [0, formOf(tree)];
    while (shape && levels < 100) {
      shape = shape.fields?.[1]?.shape.item;
      levels += 1;
    }
    expect(levels).to.be.below(10);
    expect(
      kinds(
        object({ a: { $ref: '#/properties/a' }, b: { $ref: 'http://evil.example/' }, c: { $ref: '#/constructor' } }),
      ),
    ).to.deep.equal({
      ...{ a: 'json', b: 'json', c: 'json' },
    });
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`p${at}`, { type: 'string' }]));
    for (const schema of [object(many), { oneOf: [object({})] }, null, [], 'x', { type: 'array' }])
      expect(formOf(schema)).to.equal(undefined);
  });

  it('keeps names of properties that objects have by themselves', () => {
    const schema = JSON.parse(
      '{"type": "object", "required": ["__proto__"], "properties": {"__proto__": {"const": 1}, "constructor": {"default": 2}}}',
    );
    expect(JSON.stringify(initialOf(formOf(schema) as Shape))).to.equal('{"__proto__":1,"constructor":2}');
  });
});

describe('the address of a conversation', () => {
  it('has all settings, and survives anything', () => {
    const query =
      'model=a%2Fb&max_tokens=5&temperature=0.5&tools=%5B%7B%22name%22%3A%22D%22%2C%22tools%22%3A%5B%22x%22%5D%7D%5D&stores=%5B%22S%22%5D&searches=%5B%22spl%22%5D&approve=always';
    const settings = settingsIn(new URLSearchParams(query));
    expect(settings).to.deep.equal({
      ...{ model: 'a/b', max_tokens: 5, temperature: 0.5, approve: 'always' },
      ...{ tools: [{ name: 'D', tools: ['x'] }], stores: ['S'], searches: ['spl'] },
    });
    expect(new URLSearchParams(addressOf(settings) as Record<string, string>).toString()).to.equal(query);
    const strange = 'max_tokens=-1&temperature=9&tools=[null,1,{"name":2}]&stores={"a":1}&searches=["a",1]&approve=x';
    expect(settingsIn(new URLSearchParams(strange))).to.deep.equal({
      model: '',
      tools: [],
      stores: [],
      searches: ['a'],
      approve: 'destructive',
    });
    expect(settingsIn(new URLSearchParams('tools=[')).tools).to.deep.equal([]);
  });
});

describe('a question as a program', () => {
  const question = `it's "$HOME" \`id\` {field}\nC:\\dir \u2028 😀`;
  const settings = { model: 'up/m', max_tokens: 5, tools: [], stores: [], searches: [], approve: 'destructive' };
  const body = {
    model: 'up/m',
    messages: [
      { role: 'system', content: "don't" },
      { role: 'user', content: question },
    ],
    max_tokens: 5,
  };
  const snippets = snippetsOf(question, settings, "don't");
  const withTools = snippetsOf(question, { ...settings, tools: [{ name: 'Desk' }], searches: ['spl'] }, '');

  it('is one that a shell passes on unchanged', () => {
    const sent = (text: string) =>
      JSON.parse(
        execFileSync('sh', ['-c', `curl() { for last; do :; done; printf %s "$last"; }\n${text}`], {
          encoding: 'utf8',
        }),
      );
    expect(sent(snippets.curl)).to.deep.equal(body);
    const { definition, ...run } = sent(withTools.curl);
    expect(run).to.deep.equal({ input: question, wait_s: 20 });
    expect(definition).to.deep.include({ mcps: [{ name: 'Desk' }], search_tools: ['spl'] });
  });

  it('is one that JavaScript and Python read', () => {
    const argument = (text: string) =>
      text.slice(text.indexOf('create(') + 'create('.length, text.indexOf(');\nconsole'));
    expect(new Function(`return ${argument(snippets.Node)}`)()).to.deep.equal(body);
    const python = snippets.Python.slice(snippets.Python.indexOf('**') + 2, snippets.Python.indexOf(')\nprint'));
    expect(JSON.parse(python)).to.deep.equal(body);
    expect(python).to.not.match(/\b(true|false|null)\b/);
  });

  it('is a search whose braces name no field', () => {
    expect(snippets.SPL).to.equal(
      `| makeresults | mlchat prompt="it's \\"$HOME\\" \`id\` {{field}}\nC:\\\\dir \u2028 😀" model="up/m" system="don't" max_tokens=5`,
    );
  });
});
