import { expect } from 'chai';
import type { OpenWorld } from '../support/worlds/world.ts';

type Json = Record<string, unknown>;

/** Roles in access lists, in any world. */
export function accessListSuite(open: OpenWorld): void {
  const world = open({
    users: {
      ...{ ann: ['user'], mia: ['ml_user'], max: ['ml_admin'], pat: ['power'], root: ['admin'] },
      ...{ lee: ['lead'], lone: ['loner'] },
    },
    imports: { analyst: ['user'], lead: ['analyst'] },
    collections: ['ml_experiments', 'ml_mcp_connections'],
  });

  const create = (acl: object, more: Json = { title: 'Sales', type: 'smart_forecast' }) =>
    world.call('ann', 'POST', '/experiments', { ...more, acl });

  it('what is shared with a role is shared with those that import it, through any number of levels', async () => {
    for (const [role, readers] of [
      ['user', ['mia', 'max', 'pat', 'lee']],
      ['analyst', ['lee']],
    ] as const) {
      const { status, json } = await create(
        { sharing: 'app', perms: { read: [role] } },
        { title: role, type: 'smart_forecast' },
      );
      expect(status, JSON.stringify(json)).to.equal(200);
      for (const user of ['mia', 'max', 'pat', 'lee', 'lone']) {
        const sees = (readers as readonly string[]).includes(user);
        const titles = (await world.call(user, 'GET', '/experiments')).json.result.map(({ title }: Json) => title);
        expect(titles.includes(role), `${user} of ${role}`).to.equal(sees);
        const single = await world.call(user, 'GET', `/experiments/${json.experiment_id}`);
        expect(single.status, `${user} of ${role}`).to.equal(sees ? 200 : 404);
      }
    }
    const connection = { name: 'shared', type: 'PLATFORM', details: { url: 'http://127.0.0.1:9/mcp' } };
    const acl = { sharing: 'app', perms: { read: ['analyst'] } };
    expect((await world.call('root', 'POST', '/mcp_connection', { ...connection, acl })).status).to.equal(200);
    const total = async (user: string) => (await world.call(user, 'GET', '/mcp_connection')).json.pagination.total;
    expect([await total('lee'), await total('pat')]).to.deep.equal([1, 0]);
  });

  it('a role that does not exist is refused with its place, with every other problem', async () => {
    const perms = { read: ['user', 'nobodys', '*'], write: ['*', 'ghosts'] };
    const { status, json } = await create({ sharing: 'app', perms });
    expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
    expect(json.errors).to.deep.equal([
      { field: 'acl.perms.read.1', message: 'is not a role of this platform' },
      { field: 'acl.perms.write.1', message: 'is not a role of this platform' },
    ]);
    const both = await create({ perms: { read: ['nobodys'] } }, {});
    expect(both.json.errors.map(({ field }: { field: string }) => field)).to.have.members([
      'title',
      'type',
      'acl.perms.read.0',
    ]);
  });
}
