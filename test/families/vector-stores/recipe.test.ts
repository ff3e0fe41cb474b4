import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { root } from '../../architecture/sources.ts';
import type { MemoryApp } from '../../support/memory/app.ts';

const FAMILY = 'src/families/vector-stores';
const RECORD = '      description: Type.String({ description: DESCRIPTION }),\n      details: Type.Object(\n';
const run = promisify(execFile);

describe('a new field of a vector store, by the recipe of CONTRIBUTING.md, in a copy of the sources', () => {
  let copy = '';

  const edit = (path: string, from: string, to: string) => {
    const text = readFileSync(join(copy, FAMILY, path), 'utf8');
    expect(text, path).to.contain(from);
    writeFileSync(join(copy, FAMILY, path), text.replace(from, to));
  };
  const compile = async () => {
    const files = ['endpoints.ts', 'handlers.ts'].map((file) => join(FAMILY, file));
    const config = { extends: join(root, 'tsconfig.json'), include: [], files, compilerOptions: { types: ['node'] } };
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
    return run(join(root, 'node_modules/.bin/tsc'), ['-p', copy]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  };

  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'recipe-'));
    for (const part of ['src', 'test/support', 'package.json']) {
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true }));

  it('takes four places in its family, and does not compile until all of them have it', async () => {
    const input = "Clearable(Type.String({ maxLength: 64, description: 'Team that owns the store' }))";
    edit('schemas.ts', 'const optionalInput = {\n', `const optionalInput = {\n  team: Type.Optional(${input}),\n`);
    expect(await compile()).to.match(/endpoints\.ts.*missing: "team"/s);

    edit('schemas.ts', RECORD, `      team: Type.Optional(Type.String({ description: 'Team' })),\n${RECORD}`);
    expect(await compile()).to.match(/records\.ts.*Property 'team' is missing/s);

    edit('records.ts', 'description, details = {} })', 'description, team = base?.team, details = {} })');
    const description = "    description: replaceValue(base?.description, description, ''),\n";
    edit('records.ts', description, `${description}    team: team ?? undefined,\n`);
    expect(await compile()).to.match(/records\.ts.*Property 'team' is missing/s);

    edit(
      'records.ts',
      'view: ({ name, type, description, details })',
      'view: ({ name, type, description, team, details })',
    );
    edit(
      'records.ts',
      '({ name, type, description, details }) satisfies',
      '({ name, type, description, team, details }) satisfies',
    );
    expect(await compile()).to.equal('');
  });

  it('is stored, shown, kept, removed with null', async () => {
    const module = pathToFileURL(join(copy, 'test/support/memory/app.ts')).href;
    const { MemoryApp: Copied } = (await import(module)) as { MemoryApp: typeof MemoryApp };
    const app = new Copied();
    const save = async (method: string, body: object) =>
      (await app.call('editor', method, '/vector_stores', { name: 'a', ...body })).json.config;
    const made = { type: 'CLOUD_KB', team: 'search', details: { cloud_region: 'eu-west-1', kb_id: 'ABCDEFGHIJ' } };
    expect(await save('POST', made)).to.include({ team: 'search' });
    expect(await save('PUT', { description: 'x' })).to.include({ team: 'search', description: 'x' });
    expect(await save('PUT', { team: null })).to.not.have.property('team');
  });
});
