import { expect } from 'chai';
import { messagesOf } from '../support/searchJobs.ts';
import { Shop } from '../support/shop.ts';

describe('embedded platform: lookups of searches', () => {
  const shop = new Shop();
  const { get, names, oneshot, post, rows } = shop;

  describe('of any kind', () => {
    it('are read by name, as a file or a collection', async () => {
      expect(await rows('| inputlookup users')).to.have.length(4);
      expect(
        (await rows('| inputlookup users.csv where dept="it*" | table user dept')).map(({ dept }) => dept),
      ).to.deep.equal(['it, ops', 'it2']);
      expect(await rows('| from lookup:users | fields user')).to.have.length(4);
      expect(await rows('| from inputlookup:"users.csv" | head 1')).to.have.length(1);
      expect((await rows('| inputlookup sales')).map(({ user }) => user)).to.deep.equal(['ann']);
      expect(await rows('| inputlookup users start=1 max=1 | table user')).to.deep.equal([{ user: 'bob' }]);
      expect(
        await rows('| makeresults | fields - _time | eval user="new" | inputlookup append=t users | table user'),
      ).to.have.length(5);
      expect(await rows('| inputlookup users | head 1', 'ann', 'search')).to.have.length(1);
      const documents = '/servicesNS/nobody/shop/storage/collections/data/assets';
      const body = JSON.stringify({ _key: 'k', host: 'a', owner: { name: 'x' }, other: 1 });
      await shop.platform.call('POST', documents, { body, headers: { 'Content-Type': 'application/json' } });
      expect(await rows('| inputlookup assets_kv')).to.deep.equal([{ _key: 'k', host: 'a', owner: '{"name":"x"}' }]);
    });

    it('add their fields to rows', async () => {
      const one = (user: string, clause: string) =>
        rows(`| makeresults | eval user="${user}", dept="old" | lookup ${clause} | fields - _time, user`);
      expect(await one('ann', 'users user')).to.deep.equal([{ dept: 'sales' }]);
      expect(await one('bob', 'users user OUTPUT dept AS team')).to.deep.equal([
        { dept: 'old', team: ['it, ops', 'it2'] },
      ]);
      expect(await one('bob', 'users user OUTPUTNEW dept')).to.deep.equal([{ dept: 'old' }]);
      expect(await one('ANN', 'users user OUTPUT dept')).to.deep.equal([{ dept: 'old' }]);
      expect(await one('ANN', 'nocase user OUTPUT dept AS team')).to.deep.equal([{ dept: 'old', team: 'sales' }]);
      expect(await one('Carl', 'nocase user OUTPUT dept AS team')).to.deep.equal([{ dept: 'old', team: 'wild' }]);
      expect(await one('zoe', 'nocase user OUTPUT dept AS team')).to.deep.equal([{ dept: 'old', team: 'nobody' }]);
      expect(
        await rows('| makeresults | eval login="ann" | lookup users user AS login OUTPUT dept | table dept'),
      ).to.deep.equal([{ dept: 'sales' }]);
      expect(
        await rows('| makeresults | eval h="a" | lookup assets_kv host AS h OUTPUT owner | table owner'),
      ).to.deep.equal([{ owner: '{"name":"x"}' }]);
    });

    for (const [search, message] of [
      [
        '| from datamodel:Sales',
        "Error in 'from' command: The embedded platform can read lookups only, not 'datamodel:Sales'.",
      ],
      ['| from users', "Error in 'from' command: The argument 'users' is invalid."],
      [
        '| inputlookup net',
        "Error in 'inputlookup' command: The embedded platform cannot use the lookup 'net', since it has 'match_type = CIDR'.",
      ],
      [
        '| inputlookup timed',
        "Error in 'inputlookup' command: The embedded platform cannot use the lookup 'timed', since it has 'time_field'.",
      ],
      [
        '| inputlookup nothing',
        "Error in 'inputlookup' command: The lookup table 'nothing' requires a .csv or KV store lookup definition.",
      ],
      [
        '| inputlookup nothing.csv',
        "Error in 'inputlookup' command: The lookup table 'nothing.csv' does not exist or is not available.",
      ],
      [
        '| inputlookup private.csv',
        "Error in 'inputlookup' command: The lookup table 'private.csv' does not exist or is not available.",
      ],
      [
        '| inputlookup extraction',
        "Error in 'inputlookup' command: The lookup table 'extraction' requires a .csv or KV store lookup definition.",
      ],
      [
        '| inputlookup off',
        "Error in 'inputlookup' command: The lookup table 'off' is disabled. Contact your system administrator.",
      ],
      [
        '| inputlookup dns',
        "Error in 'inputlookup' command: The embedded platform cannot use the lookup 'dns', since its type is external.",
      ],
      ['| inputlookup', "Error in 'inputlookup' command: A lookup table name or file name is required."],
      [
        '| inputlookup users where',
        "Error in 'inputlookup' command: The 'where' keyword must be followed by a search clause.",
      ],
      [
        '| inputlookup secrets_kv',
        "Error in 'inputlookup' command: Lookup failed because collection 'secrets' in app 'shop' does not exist, or user 'ann' does not have read access.",
      ],
      [
        '| inputlookup lost_kv',
        "Error in 'inputlookup' command: Lookup failed because collection 'lost' in app 'shop' does not exist, or user 'ann' does not have read access.",
      ],
      [
        '| makeresults | lookup nothing a',
        "Error in 'lookup' command: The lookup table 'nothing' does not exist or is not available.",
      ],
      ['| makeresults | lookup users', "Error in 'lookup' command: Must specify one or more lookup fields."],
      ['| makeresults | lookup', "Error in 'lookup' command: Expecting lookup table name as the first argument."],
      [
        '| makeresults | lookup users nofield',
        "Error in 'lookup' command: Cannot find the source field 'nofield' in the lookup table 'users'.",
      ],
      [
        '| makeresults | lookup users user OUTPUT nofield',
        "Error in 'lookup' command: Cannot find the destination field 'nofield' in the lookup table 'users'.",
      ],
      [
        '| makeresults | lookup users user dept tag',
        "Error in 'lookup' command: All of the fields in the lookup table are specified as lookups, leaving no destination fields.",
      ],
      [
        '| makeresults | lookup users user AS',
        "Error in 'lookup' command: Missing alias after field 'user' in lookup command.",
      ],
      [
        '| makeresults | lookup dns host',
        "Error in 'lookup' command: The embedded platform cannot use the lookup 'dns', since its type is external.",
      ],
    ] as const) {
      it(`are refused: ${search}`, async () => {
        expect(messagesOf(await oneshot(search))).to.equal(`FATAL ${message}`);
      });
    }

    for (const [fault, reason] of [
      ['disabled', 'disabled because KV Store is disabled.'],
      ['starting', 'not available because KV Store initialization has not completed yet.'],
      ['down', 'not available because KV Store initialization has failed. Contact your system administrator.'],
    ] as const) {
      it(`of collections fail while the KV store is ${fault}`, async () => {
        const set = (kvstore: string) => post('/services/embedded/faults', { kvstore }, 'admin');
        await set(fault);
        const reply = await oneshot('| inputlookup assets_kv');
        await set('ok');
        expect(messagesOf(reply)).to.equal(
          `FATAL Error in 'inputlookup' command: External command based lookup 'assets_kv' is ${reason}`,
        );
      });
    }

    it('are listed with their type', async () => {
      const { entry } = (await get('/servicesNS/ann/shop/data/transforms/lookups?count=0', 'ann')).json;
      const types = entry.map(
        ({ name, content }: { name: string; content: { type: string } }) => `${name} ${content.type}`,
      );
      expect(types).to.deep.equal([
        'assets_kv kvstore',
        'dns external',
        'lost_kv kvstore',
        'net file',
        'nocase file',
        'off file',
        'sales file',
        'secrets_kv kvstore',
        'states geo',
        'timed file',
        'users file',
      ]);
      expect(entry[0].content).to.deep.include({ collection: 'assets', fields_array: ['_key', 'host', 'owner'] });
      expect(await names('/servicesNS/ann/search/data/transforms/lookups', 'ann')).to.deep.equal(['users']);
      expect((await get('/servicesNS/ann/shop/data/transforms/lookups/extraction')).status).to.equal(404);
    });
  });
});
