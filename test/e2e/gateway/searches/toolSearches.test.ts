import { expect } from 'chai';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import type { Peer } from '../../../support/peers/listen.ts';
import { startEverything } from '../../../support/peers/mcp/everything.ts';
import { eventually } from '../../../support/time.ts';
import { searched } from '../../agents/agentSupport.ts';
import { gatewayPlatform } from '../gatewayPlatform.ts';

const CANARY = 'canary-of-an-argument-5c1d';

describe('mltool on the platform', function () {
  this.timeout(180_000);
  let server: Peer;
  let platform: TestPlatform;
  const search = (text: string) => searched(platform, 'bob', text);

  before(async () => {
    server = await startEverything('streamableHttp');
    platform = await gatewayPlatform();
    const body = {
      name: 'Everything',
      type: 'PLATFORM',
      details: { url: server.url },
      tools_allowed: ['echo', 'get-sum', 'get-structured-content'],
      acl: { sharing: 'app', perms: { read: ['ml_admin'], write: [] } },
    };
    expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', body), 200, 'a connection');
  });
  after(async () => {
    await platform?.dispose();
    await server.close();
  });

  it('calls a tool for each row, with the types that it names', async () => {
    const { rows } = await search(
      '| makeresults count=3 | streamstats count as n | mltool connection="Everything" tool="get-sum" a="{n}" b="10" | table n result result_error',
    );
    expect(rows).to.deep.equal(
      ['1', '2', '3'].map((n) => ({ n, result: `The sum of ${n} and 10 is ${Number(n) + 10}.`, result_error: '' })),
    );
  });

  it('writes structured results as fields, and keeps rows that fail', async () => {
    const { rows } = await search(
      '| makeresults count=2 | streamstats count as n | eval city=if(n=1,"Chicago","Nowhere") | mltool connection="Everything" tool="get-structured-content" location="{city}" output=weather | table city weather.temperature weather.conditions weather_error',
    );
    expect(rows[0]).to.include({
      city: 'Chicago',
      'weather.temperature': '36',
      'weather.conditions': 'Light rain / drizzle',
      weather_error: '',
    });
    expect(rows[1]).to.include({ city: 'Nowhere', weather_error: 'validation_failed' });
  });

  it('leaves a record of each use and one audit entry for a search, without arguments', async () => {
    const { rows } = await search(
      `| makeresults count=4 | streamstats count as n | mltool connection="Everything" tool="echo" message="${CANARY} {n}" | table result`,
    );
    expect(rows.at(-1)).to.deep.equal({ result: `Echo: ${CANARY} 4` });
    const entries = async () => {
      const { json } = await platform.ml('anna', 'GET', '/audit?action=call&count=0');
      return json.result.filter(({ tool }: { tool: string }) => tool === 'echo');
    };
    await eventually(async () => (await entries())[0]?.count === 4, 10_000, 'the count of calls');
    expect(await entries()).to.have.length(1);
    expect((await entries())[0]).to.include({ user: 'bob', via: 'search' });
    expect(platform.output + platform.log()).not.to.include(CANARY);
    expect(platform.filesWith([CANARY]).filter((file) => !file.includes('dispatch'))).to.deep.equal([]);
  });
});
