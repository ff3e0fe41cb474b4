import { expect } from 'chai';
import { CAPABILITIES } from '../../../src/contract/capabilities.ts';
import { SourceCopy } from '../../support/sourceCopy.ts';

const FIELD =
  "    team: optional(Clearable(Type.String({ maxLength: 64, description: 'Team' })), { view: Type.String({ description: 'Team' }) }),\n";
const DESCRIPTION = '    description: descriptionField(';

interface Family {
  folder: string;
  path: string;
  body: object;
  /** The line of the definition that the new field follows. */
  anchor?: string;
  imports?: [from: string, to: string][];
}

const CLEARABLE: [string, string] = ['import { Name }', 'import { Clearable, Name }'];
const OPTIONAL: [string, string] = ['  nameField,\n', '  nameField,\n  optional,\n'];

const FAMILIES: Record<string, Family> = {
  'a vector store': {
    folder: 'vector-stores',
    path: '/vector_stores',
    body: { type: 'CLOUD_KB', details: { cloud_region: 'eu-west-1', kb_id: 'ABCDEFGHIJ' } },
    imports: [CLEARABLE, OPTIONAL],
  },
  'an MCP connection': {
    folder: 'mcp-connections',
    path: '/mcp_connection',
    body: { type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' } },
  },
  'a usage limit': { folder: 'usage-limits', path: '/usage_limits', body: { window: 'day', requests: 1 } },
  'a masking policy': { folder: 'masking-policies', path: '/masking_policies', body: { kinds: {} } },
  'an agent': {
    folder: 'agents',
    path: '/agents',
    body: { runtime_type: 'BUILT_IN' },
    anchor: '  system_prompt: prompt(',
  },
};

for (const [title, { folder, path, body, anchor = DESCRIPTION, imports = [] }] of Object.entries(FAMILIES)) {
  describe(`a new stored field of ${title}, by the recipe of CONTRIBUTING.md, in a copy of the sources`, () => {
    let copy: SourceCopy;

    before(() => {
      copy = new SourceCopy();
    });
    after(() => copy.remove());

    it('takes one line', async () => {
      const file = `src/families/${folder}/definition.ts`;
      for (const [from, to] of imports) copy.edit(file, from, to);
      copy.edit(file, anchor, `${FIELD}${anchor}`);
      expect(await copy.compile(`src/families/${folder}/endpoints.ts`, `src/families/${folder}/handlers.ts`)).to.equal(
        '',
      );
    });

    it('is stored, shown, kept, and removed with null', async () => {
      const app = await copy.openApp();
      app.user('root', { capabilities: [...Object.keys(CAPABILITIES), 'admin_all_objects'] });
      const save = async (method: string, fields: object) => app.call('root', method, path, { name: 'a', ...fields });
      const shown = async () => (await app.call('root', 'GET', `${path}/a`)).json.config;
      await save('POST', { ...body, team: 'search' });
      expect(await shown()).to.include({ team: 'search' });
      await save('PUT', { description: 'x' });
      expect(await shown()).to.include({ team: 'search', description: 'x' });
      await save('PUT', { team: null });
      expect(await shown())
        .to.include({ description: 'x' })
        .and.not.to.have.property('team');
    });
  });
}
