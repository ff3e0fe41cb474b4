import { expect } from 'chai';
import { SourceCopy } from '../support/sourceCopy.ts';

const RECORD = '      description: Type.String({ description: DESCRIPTION }),\n      details: Type.Object(\n';
const MERGED = "    description: replaceValue(base?.description, description, ''),\n";

type Edit = [file: string, from: string, to: string];

interface Family {
  folder: string;
  path: string;
  body: object;
  merge: [Edit, ...Edit[]];
  view: [Edit, ...Edit[]];
}

const FAMILIES: Record<string, Family> = {
  'a vector store': {
    folder: 'vector-stores',
    path: '/vector_stores',
    body: { type: 'CLOUD_KB', details: { cloud_region: 'eu-west-1', kb_id: 'ABCDEFGHIJ' } },
    merge: [
      ['records.ts', 'description, details = {} })', 'description, team = base?.team, details = {} })'],
      ['records.ts', MERGED, `${MERGED}    team: team ?? undefined,\n`],
    ],
    view: [
      ['records.ts', 'view: ({ name,', 'view: ({ team, name,'],
      ['records.ts', '({ name, type, description, details }) sat', '({ team, name, type, description, details }) sat'],
    ],
  },
  'an MCP connection': {
    folder: 'mcp-connections',
    path: '/mcp_connection',
    body: { type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' } },
    merge: [
      ['merge.ts', 'details = {}, tools_allowed', 'team = base?.team, details = {}, tools_allowed'],
      ['merge.ts', MERGED, `${MERGED}    team: team ?? undefined,\n`],
    ],
    view: [
      ['kind.ts', 'const { name,', 'const { team, name,'],
      ['kind.ts', '      name,\n', '      team,\n      name,\n'],
    ],
  },
};

for (const [title, { folder, path, body, merge, view }] of Object.entries(FAMILIES)) {
  describe(`a new stored field of ${title}, by the recipe of CONTRIBUTING.md, in a copy of the sources`, () => {
    let copy: SourceCopy;

    before(() => {
      copy = new SourceCopy();
    });
    after(() => copy.remove());

    const home = `src/families/${folder}`;
    const edit = ([file, from, to]: Edit) => copy.edit(`${home}/${file}`, from, to);
    const compile = () => copy.compile(`${home}/endpoints.ts`, `${home}/handlers.ts`);

    it('takes four places in its family, and does not compile until all of them have it', async () => {
      const input = "Type.Union([Type.String({ maxLength: 64, description: 'Team' }), Type.Null()])";
      edit(['schemas.ts', 'const optionalInput = {\n', `const optionalInput = {\n  team: Type.Optional(${input}),\n`]);
      expect(await compile()).to.match(/endpoints\.ts.*missing: "team"/s);

      edit(['schemas.ts', RECORD, `      team: Type.Optional(Type.String({ description: 'Team' })),\n${RECORD}`]);
      expect(await compile()).to.match(missingIn(merge));

      merge.forEach(edit);
      expect(await compile()).to.match(missingIn(view));

      view.forEach(edit);
      expect(await compile()).to.equal('');
    });

    it('is stored, shown, kept, and removed with null', async () => {
      const app = await copy.openApp();
      const save = async (method: string, fields: object) =>
        (await app.call('editor', method, path, { name: 'a', ...fields })).json.config;
      expect(await save('POST', { ...body, team: 'search' })).to.include({ team: 'search' });
      expect(await save('PUT', { description: 'x' })).to.include({ team: 'search', description: 'x' });
      expect(await save('PUT', { team: null })).to.not.have.property('team');
    });
  });
}

const missingIn = ([[file]]: Family['merge']) => new RegExp(`/${file}.*Property 'team' is (missing|optional)`, 's');
