import { expect } from 'chai';
import { messagesOf } from '../support/searchJobs.ts';
import { Shop } from '../support/shop.ts';

describe('embedded platform: what searches look up', () => {
  const { get, names, oneshot, post, remove, rows } = new Shop();

  describe('macros', () => {
    const normalized = async (q: string, user = 'ann', app = 'shop') => {
      const reply = await post(`/servicesNS/${user}/${app}/search/v2/parser`, { q }, user);
      return reply.status === 200 ? reply.json.normalizedSearch : messagesOf(reply);
    };

    it("are those of the caller's app and user, and exported ones", async () => {
      expect(await normalized('search `web` | `rows(3)`')).to.equal('search host=shop | head 3');
      expect(await normalized('search `web`', 'ann', 'search')).to.equal('search host=search');
      expect(await normalized('search a | `shared`', 'ann', 'search')).to.equal('search a | head 1');
      for (const name of ['rows(1)', 'hidden', 'off'])
        expect(await normalized(`search a | \`${name}\``, 'ann', 'search')).to.contain('cannot be found');
      expect(await normalized('search a | `hidden`')).to.contain(
        "The search specifies a macro 'hidden' that cannot be found.",
      );
      expect(await normalized('search a | `hidden`', 'admin')).to.equal('search a | head 2');
      expect(await rows('| makeresults count=5 | `rows(2)`')).to.have.length(2);
    });

    it('can be private, and shared later', async () => {
      const made = await post('/servicesNS/ann/shop/admin/macros', { name: 'web', definition: 'host=mine' }, 'ann');
      expect(made.status, made.text).to.equal(201);
      expect(made.json.entry[0].acl).to.include({ owner: 'ann', sharing: 'user' });
      expect(await normalized('search `web`')).to.equal('search host=mine');
      expect(await normalized('search `web`', 'bob')).to.equal('search host=shop');
      expect(
        (await get('/servicesNS/ann/shop/configs/conf-macros/web', 'ann')).json.entry[0].content.definition,
      ).to.equal('host=mine');
      expect(
        (await get('/servicesNS/nobody/shop/configs/conf-macros/web', 'ann')).json.entry[0].content.definition,
      ).to.equal('host=shop');
      expect((await get('/servicesNS/ann/shop/admin/macros/web', 'bob')).json.entry[0].content.definition).to.equal(
        'host=shop',
      );
      expect(
        (await post('/servicesNS/ann/shop/admin/macros', { name: 'other', definition: 'x' }, 'bob')).status,
      ).to.equal(403);
      const changed = await post('/servicesNS/ann/shop/data/macros/web', { definition: 'host=changed' }, 'ann');
      expect([changed.status, await normalized('search `web`')]).to.deep.equal([200, 'search host=changed']);
      const removed = await remove('/servicesNS/ann/shop/data/macros/web', 'ann');
      expect([removed.status, await normalized('search `web`')]).to.deep.equal([200, 'search host=shop']);
      await post('/servicesNS/ann/shop/admin/macros', { name: 'mine(2)', definition: '$a$ $b$', args: 'a,b' }, 'ann');
      const acl = { owner: 'nobody', sharing: 'app' };
      expect((await post('/servicesNS/ann/shop/admin/macros/mine(2)/acl', acl, 'ann')).status).to.equal(403);
      expect((await post('/servicesNS/ann/shop/admin/macros/mine(2)/acl', acl, 'admin')).status).to.equal(200);
      expect(await normalized('search `mine(1,2)`', 'bob')).to.equal('search 1 2');
    });

    it('are checked', async () => {
      const create = async (form: Record<string, string>) =>
        (await post('/servicesNS/nobody/shop/admin/macros', form, 'admin')).status;
      for (const form of [
        { name: 'a b', definition: 'x' },
        { name: 'n' },
        { name: 'n(1)', definition: 'x' },
        { name: 'n(1)', definition: 'x', args: 'a,b' },
        { name: 'n(2)', definition: 'x', args: 'a,a' },
        { name: 'n(1)', definition: 'x', args: 'a b' },
        { name: 'n', definition: 'x', iseval: 'perhaps' },
        { name: 'n', definition: 'x', unknown: '1' },
      ])
        expect(await create(form as Record<string, string>), JSON.stringify(form)).to.equal(400);
      expect(await create({ name: 'n(1)', definition: '"x"', args: 'a', iseval: '1' })).to.equal(201);
      expect(await create({ name: 'n(1)', definition: 'x', args: 'a' })).to.equal(409);
      const [entry] = (await get('/servicesNS/nobody/shop/admin/macros/n(1)')).json.entry;
      expect(entry.content).to.include({ definition: '"x"', args: 'a', iseval: true });
      expect(
        (await post('/servicesNS/nobody/shop/admin/macros', { name: 'm', definition: 'x' }, 'ann')).status,
      ).to.equal(403);
    });
  });

  it('has data models with their acceleration', async () => {
    const { entry } = (await get('/servicesNS/ann/search/datamodel/model?count=0', 'ann')).json;
    expect(entry.map(({ name }: { name: string }) => name)).to.deep.equal(['Sales']);
    expect(JSON.parse(entry[0].content.description)).to.include({ modelName: 'Sales' });
    expect(JSON.parse(entry[0].content.acceleration)).to.include({ enabled: true, earliest_time: '-1mon' });
    expect((await get('/servicesNS/ann/search/datamodel/model/Broken')).status).to.equal(404);
  });

  it('lists the commands of apps', async () => {
    expect(await names('/servicesNS/ann/shop/data/commands', 'ann')).to.deep.equal(['shopcmd']);
    expect(await names('/servicesNS/ann/search/data/commands', 'ann')).to.deep.equal([]);
  });

  it('filters saved searches by their schedule', async () => {
    const path = '/servicesNS/ann/shop/saved/searches?search=';
    expect(await names(`${path}is_scheduled%3D1`)).to.deep.equal(['Nightly']);
    expect(await names(`${path}is_scheduled%3Dtrue`)).to.deep.equal(['Nightly']);
    expect(await names(`${path}is_scheduled%3D0`)).to.deep.equal(['By hand']);
    expect(await names(`${path}is_scheduled!%3D1`)).to.deep.equal(['By hand']);
  });

  describe('nested searches', () => {
    it('give terms to the search around them', async () => {
      const inner = '[| inputlookup users | search dept=sales | fields user]';
      expect(await rows(`| inputlookup users | search ${inner} | table user`)).to.deep.equal([{ user: 'ann' }]);
      expect(
        await rows('| inputlookup users | search [| inputlookup users | search dept=none | fields user]'),
      ).to.deep.equal([]);
      expect(
        await rows(
          '| inputlookup users | search [| makeresults | eval search="user=ann" | fields search] | table user',
        ),
      ).to.deep.equal([{ user: 'ann' }]);
      expect(
        await rows('| inputlookup users | where user=[| makeresults | eval x="\\"ann\\"" | return $x] | table user'),
      ).to.deep.equal([{ user: 'ann' }]);
    });

    it('add rows and fields', async () => {
      const left = '| makeresults | eval user="bob", n=1 | fields - _time';
      const right = '[| inputlookup users | fields user dept]';
      expect(await rows(`${left} | append ${right} | table user`)).to.have.length(5);
      expect(await rows(`${left} | appendcols ${right} | table user dept`)).to.deep.equal([
        { user: 'bob', dept: 'sales' },
        { user: 'bob', dept: 'it, ops' },
        { user: 'bob', dept: 'it2' },
        { user: 'c*', dept: 'wild' },
      ]);
      expect(await rows(`${left} | join user ${right} | table n dept`)).to.deep.equal([{ n: '1', dept: 'it, ops' }]);
      expect(await rows(`${left} | join max=0 user ${right} | table dept`)).to.have.length(2);
      expect(await rows(`${left} | eval user="zoe" | join user ${right}`)).to.deep.equal([]);
      expect(await rows(`${left} | eval user="zoe" | join type=left user ${right} | table user n`)).to.deep.equal([
        { user: 'zoe', n: '1' },
      ]);
      expect(await rows(`| inputlookup users | appendpipe [stats count] | table user count`)).to.deep.include({
        count: '4',
      });
      expect(await rows('| union [| makeresults] [| makeresults count=2]')).to.have.length(3);
      expect(messagesOf(await oneshot('| makeresults | append'))).to.equal(
        "FATAL Error in 'append' command: The last argument must be a subsearch.",
      );
    });
  });
});
