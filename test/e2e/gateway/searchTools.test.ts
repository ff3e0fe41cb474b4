import { expect } from 'chai';
import { expectStatus, type TestPlatform } from '../../support/e2e/platform.ts';
import { gatewayPlatform } from './gatewayPlatform.ts';

const EVERYONE = { sharing: 'app', perms: { read: ['*'], write: [] } };

describe('search tools on the platform', () => {
  let platform: TestPlatform;
  const call = (tool: string, args: object = {}, user = 'anna') =>
    platform.ml(user, 'POST', '/ai_gateway/search', { tool, arguments: args });
  before(async () => {
    platform = await gatewayPlatform();
    const tool = {
      name: 'made_up',
      search: '| makeresults count=3 | eval word="$word$", n=7',
      arguments: [{ name: 'word', type: 'string' }],
      acl: EVERYONE,
    };
    expectStatus(await platform.ml('anna', 'POST', '/search_tools', tool), 200, 'the tool');
  });
  after(() => platform?.dispose());

  it('run as jobs of their caller', async () => {
    const { status, json } = await call('made_up', { word: 'a "b" | c' });
    expect(status, JSON.stringify(json)).to.equal(200);
    const { result } = json as {
      result: { sid: string; fields: string[]; rows: unknown[][]; count: number; total: number };
    };
    expect([result.count, result.total]).to.deep.equal([3, 3]);
    const row = Object.fromEntries(result.fields.map((field, index) => [field, result.rows[0]?.[index]]));
    expect(row).to.include({ word: 'a "b" | c', n: 7 });
    expect(String(row._time)).to.match(/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/);
  });

  it('run a search that the guard allows, and pass on what the platform says of others', async () => {
    const { status, json } = await call('spl', { search: '| makeresults | eval a=1' });
    expect(status, JSON.stringify(json)).to.equal(200);
    const refused = await call('spl', { search: '| makeresults | outputlookup x.csv' });
    expect([refused.status, refused.json.error_code, refused.json.command]).to.deep.equal([
      ...[400, 'search_not_allowed', 'outputlookup'],
    ]);
  });

  it('list saved searches and lookups of the caller', async () => {
    for (const tool of ['saved_searches', 'lookups']) {
      const { status, json } = await call(tool);
      expect(status, `${tool} ${JSON.stringify(json)}`).to.equal(200);
    }
  });

  it('are tested, and checked by the health of connections', async () => {
    const tested = await platform.ml('anna', 'POST', '/search_tools/test', { name: 'made_up', values: { word: 'a' } });
    expect([tested.status, tested.json.success], JSON.stringify(tested.json)).to.deep.equal([200, true]);
    const checked = await platform.ml('anna', 'POST', '/connection_health/check', {
      family: 'search_tools',
      max_age_s: 0,
    });
    expect(JSON.stringify(checked.json.result)).to.contain('"state":"ok"');
  });
});
