import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { bodyAjv, compileRows, plain } from '../../src/codegen/bundle/compile.ts';
import { contractModule } from '../../src/codegen/bundle/contractModule.ts';
import { contract, gatewayContract } from '../../src/codegen/bundle/live.ts';
import { type JsonSchema, planOf, secretPaths } from '../../src/codegen/bundle/schemas.ts';
import type { CompiledContract, Validate } from '../../src/contract/rows/compiled.ts';
import type { RecordPlan } from '../../src/contract/rows/recordPlan.ts';
import { definitions, table } from '../../src/table.ts';

const root = join(import.meta.dirname, '../..');

/** The generated modules as the build makes them: one bundle, no schema library inside. */
async function standalone(name: string): Promise<{ contract: CompiledContract; inputs: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'ml-contract-'));
  try {
    for (const [file, text] of Object.entries(contractModule(table))) {
      writeFileSync(join(folder, file), text.replaceAll("'../src/", `'${root}/src/`));
    }
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [join(folder, `${name}.js`)],
      outfile: join(folder, 'bundle.mjs'),
      nodePaths: [join(root, 'node_modules')],
      bundle: true,
      format: 'esm',
      platform: 'node',
      metafile: true,
      logLevel: 'error',
      banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    });
    const module = await import(pathToFileURL(join(folder, 'bundle.mjs')).href);
    return { contract: module[name], inputs: Object.keys(metafile.inputs) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const details = { url: 'https://mcp.example', token: 'canary', headers: { 'X-A': 'canary' } };
const good = { name: 'a', type: 'PLATFORM', details };
/** Bodies that are tried on every row: good ones, and each way of being bad that comes to mind. */
const BODIES: unknown[] = [
  good,
  { ...good, version: 1, acl: { sharing: 'app', perms: { read: ['*'] } }, tools_allowed: ['x'] },
  {},
  { name: '' },
  { name: 'x'.repeat(129) },
  { name: 'a/b' },
  { name: 5, type: 5, details: 5 },
  { ...good, type: 'OTHER' },
  { ...good, details: {} },
  { ...good, details: [] },
  { ...good, details: null },
  { ...good, details: { ...details, token: 5 } },
  { ...good, details: { ...details, token: null } },
  { ...good, details: { ...details, headers: { a: 5, b: null } } },
  { ...good, details: { ...details, headers: [] } },
  { ...good, details: { ...details, verify_tls: 'true' } },
  { ...good, details: { ...details, client_id: 5, token_url: {} } },
  { ...good, description: 'x'.repeat(4097) },
  { ...good, description: null },
  { ...good, tools_allowed: ['', 5] },
  { ...good, tools_allowed: 'x' },
  { ...good, acl: { sharing: 'all', owner: '', perms: { read: 'x', write: [5] } } },
  { ...good, version: 0 },
  { ...good, version: 1.5 },
  { ...good, version: Number.POSITIVE_INFINITY },
  JSON.parse('{"__proto__":{"name":"a"},"constructor":1}'),
  null,
  [],
  'text',
];
const QUERIES: Record<string, string>[] = [
  {},
  { count: '5', offset: '0', sort_key: 'name', sort_dir: 'desc', search: 'x', name: 'a', force: 'true' },
  { count: '-1' },
  { count: 'x', offset: '1.5', sort_key: 'token', sort_dir: 'up', name: '', force: 'maybe' },
  { count: 'Infinity' },
  { count: '' },
];

for (const [name, live] of Object.entries({ contract, gatewayContract }))
  describe(`compiled ${name}`, () => {
    let shipped: CompiledContract;
    let inputs: string[];
    before(async () => {
      ({ contract: shipped, inputs } = await standalone(name));
    });

    it('has the rows, secrets and version of the table', () => {
      const data = ({ rows, ...rest }: CompiledContract) =>
        JSON.parse(JSON.stringify({ ...rest, rows: rows.map(({ checks: _checks, ...row }) => row) }));
      expect(data(shipped)).to.deep.equal(data(live));
      expect(contract.rows.length + gatewayContract.rows.length).to.equal(table.length);
    });

    it('contains no compiler and no schema library', () => {
      const libraries = inputs.filter((path) => path.includes('node_modules'));
      expect(libraries.filter((path) => !path.includes('ajv/dist/runtime/'))).to.deep.equal([]);
      expect(inputs.filter((path) => path.startsWith('src/') && !path.startsWith('src/contract/'))).to.deep.equal([]);
    });

    it('reports the same problems as the validators compiled at run time', async () => {
      let refused = 0;
      let passed = 0;
      for (const [index, row] of live.rows.entries()) {
        const [here, there] = await Promise.all([row.checks(), shipped.rows[index]?.checks()]);
        const compare = (part: 'body' | 'query' | 'params', value: unknown) => {
          const [left, right] = [here[part], there?.[part]] as [Validate | null, Validate | null];
          expect(right === null, `${row.id} ${part}`).to.equal(left === null);
          if (!left || !right) return;
          const [mine, theirs] = [structuredClone(value), structuredClone(value)];
          const problems = left(mine);
          expect(right(theirs), `${row.id} ${part} ${JSON.stringify(value)}`).to.deep.equal(problems);
          // Texts of a query are converted in place.
          expect(theirs).to.deep.equal(mine);
          if (problems.length > 0) refused += 1;
          else passed += 1;
        };
        for (const body of BODIES) compare('body', body);
        for (const query of QUERIES) {
          compare('query', query);
          compare('params', query);
        }
      }
      expect(refused).to.be.above(20);
      if (name === 'contract') expect(passed).to.be.above(10);
    });
  });

describe('problems of a compiled row', () => {
  it('names the field of a problem but never quotes its value', async () => {
    const create = contract.rows.find((row) => row.id === 'createMcpConnection');
    const { body } = (await create?.checks()) ?? {};
    for (const value of BODIES) {
      const problems = body?.(value) ?? [];
      expect(JSON.stringify(problems)).not.to.include('canary');
      for (const { field, message } of problems) {
        expect(field).to.be.a('string').and.not.equal('');
        expect(message).to.be.a('string').and.not.equal('');
      }
    }
    expect(body?.({ ...good, name: 'a/b', details: { ...details, token: 5 } })).to.have.deep.members([
      {
        field: 'name',
        message:
          'must be 1 to 128 characters: first a letter (A-Z, a-z) or a digit, then letters, digits, space and _ . - @ + ( )',
      },
      { field: 'details.token', message: 'must be a string' },
    ]);
    expect(body?.({ type: 'PLATFORM', details: {} })).to.have.deep.members([
      { field: 'name', message: 'is required' },
      { field: 'details.url', message: 'is required' },
    ]);
    expect(body?.({ ...good, type: 'OTHER' })).to.deep.equal([
      { field: 'type', message: 'must be one of PLATFORM, ISSUE_TRACKER' },
    ]);
  });
});

describe('facts derived from a schema', () => {
  /** Without those of a schema that one narrows: that is another one, for the document alone. */
  const marked = (schema: JsonSchema): number =>
    JSON.stringify(schema, (key, value) => (key === 'x-narrows' ? undefined : value)).match(/"x-secret":true/g)
      ?.length ?? 0;

  const secretsOf = (family: string): readonly string[] =>
    (contract.plans as Readonly<Record<string, RecordPlan>>)[family]?.secrets ?? [];

  it('lists the secrets of an MCP connection', () => {
    expect(contract.plans['mcp-connections'].secrets).to.have.members([
      'details/token',
      'details/client_secret',
      'details/refresh_token',
      'details/headers/*',
    ]);
  });

  it('finds secrets at any depth', () => {
    for (const [family, { create }] of Object.entries(definitions)) {
      expect(secretPaths(plain(create)).length, family).to.equal(marked(plain(create)));
    }
    const odd: JsonSchema = {
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'null' }, { type: 'object', properties: { b: { 'x-secret': true } } }] },
        list: { type: 'object', patternProperties: { '^.*$': { 'x-secret': true } } },
      },
    };
    expect(secretPaths(odd)).to.deep.equal(['a/b', 'list/*']);
  });

  it('every row of a family that marks a secret in its body has that path among the secrets of the family', () => {
    for (const row of table) {
      const paths = row.body ? secretPaths(plain(row.body)) : [];
      for (const path of paths) expect(secretsOf(row.family), `${row.id} ${path}`).to.include(path);
    }
  });

  it('every body that takes a secret of its family marks it', () => {
    const isThere = (schema: JsonSchema, [name, ...rest]: string[]): boolean => {
      if (name === undefined) return true;
      const { anyOf = [], properties = {}, patternProperties = {} } = schema;
      const below = name === '*' ? Object.values(patternProperties) : [properties[name] ?? []].flat();
      return below.some((one) => isThere(one, rest)) || anyOf.some((one) => isThere(one, [name, ...rest]));
    };
    const unmarked = (secrets: readonly string[], body: JsonSchema) =>
      secrets.filter((path) => isThere(body, path.split('/')) && !secretPaths(body).includes(path));
    for (const { id, family, body } of table) {
      if (body) expect(unmarked(secretsOf(family), plain(body)), id).to.deep.equal([]);
    }
    const body = (token: JsonSchema): JsonSchema => ({
      properties: {
        details: { anyOf: [{ type: 'null' }, { properties: { token, more: { patternProperties: { '': token } } } }] },
      },
    });
    const secrets = ['details/token', 'details/more/*', 'details/absent'];
    expect(unmarked(secrets, body({ type: 'string' }))).to.deep.equal(['details/token', 'details/more/*']);
    expect(unmarked(secrets, body({ type: 'string', 'x-secret': true }))).to.deep.equal([]);
  });

  it('declares no secret in a reply', () => {
    for (const row of table) expect(secretPaths(plain(row.reply)), row.id).to.deep.equal([]);
  });

  it('accepts the keys of all alternatives in a key plan', () => {
    const plan = planOf({
      anyOf: [
        { type: 'null' },
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: { type: 'string', 'x-trim': true } } },
      ],
    });
    expect(plan).to.deep.equal({ p: { a: {}, b: { t: 1 } } });
    const trimmed = { type: 'object', properties: { a: { type: 'string', 'x-trim': true } } };
    const untrimmed = { type: 'object', properties: { a: { type: 'string' } } };
    expect(planOf({ anyOf: [trimmed, untrimmed] })).to.deep.equal({ p: { a: { t: 1 } } });
    expect(planOf({ anyOf: [untrimmed, trimmed] })).to.deep.equal({ p: { a: { t: 1 } } });
    expect(planOf({ type: 'object', properties: {} })).to.deep.equal({ p: {} });
    expect(planOf({ type: 'object' })).to.equal(true);
    expect(planOf({ type: 'array', items: { type: 'string' } })).to.deep.equal({ i: {} });
  });

  it('each schema of the table compiles where unknown words are refused', () => {
    const ajv = bodyAjv();
    for (const row of table) {
      for (const schema of [row.params, row.query, row.body, row.reply]) {
        if (schema) expect(() => ajv.compile(plain(schema)), row.id).not.to.throw();
      }
    }
    expect(compileRows(table)).to.have.length(table.length);
  });
});
