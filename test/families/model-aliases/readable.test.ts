import { expect } from 'chai';
import { readableAlias, readableAliases } from '../../../src/families/model-aliases/readable.ts';
import { MemoryApp } from '../../support/memory/app.ts';

const TEAM = { service: 'General_Chat', connection_name: 'Team' };
const EVERYONE = { sharing: 'app', perms: { read: ['*'], write: [] } };
const callerOf = (user: string, ...capabilities: string[]) => ({ user, roles: [], capabilities });

describe('what a caller may use by name', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = new MemoryApp();
    app.user('keeper', { roles: ['keeper'], capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    const send = async (path: string, body: object) => {
      const reply = await app.call('keeper', 'POST', path, body);
      expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    };
    await send('/aicommander', { ...TEAM, model: 'a' });
    await send('/aicommander', { ...TEAM, model: 'b' });
    await send('/model_aliases', { name: 'Shared', targets: [{ ...TEAM, model: 'a' }], acl: EVERYONE });
    await send('/model_aliases', { name: 'private', targets: [{ ...TEAM, model: 'b' }] });
  });

  it('aliases, by any spelling of their name, if the list allows it', async () => {
    const { records } = app.site.process();
    expect(await readableAlias(records, callerOf('carl'), 'SHARED')).to.deep.include({
      name: 'Shared',
      targets: [{ ...TEAM, model: 'a' }],
      strategy: 'first',
      defaults: {},
    });
    for (const name of ['private', 'nobody'])
      expect(await readableAlias(records, callerOf('carl'), name), name).to.equal(undefined);
    const names = async (user: string) => (await readableAliases(records, callerOf(user))).map(({ name }) => name);
    expect(await names('carl')).to.deep.equal(['Shared']);
    expect(await names('keeper')).to.deep.equal(['private', 'Shared']);
  });
});
