import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectStatus, type Reply, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { completionOf, configure, gatewayPlatform, MOUNT, toolCallsOf } from '../gatewayPlatform.ts';

/** Rows of both indexes for who may search both. */
const SEARCH = 'search (index=web OR index=payroll) | stats count by index, host | sort host';
/** Of roles that import no other, so that nothing of `user` is among them. */
const CAPABILITIES = [
  ...['search', 'run_custom_command', 'run_agents', 'use_ai_gateway', 'list_ai_commander_config'],
  ...['list_search_tools', 'run_spl_tool', 'edit_search_tools'],
];
const TEAMS = {
  wanda: { role: 'web_team', index: 'web', host: 'w1', sourcetype: 'access', field: 'status' },
  paul: { role: 'pay_team', index: 'payroll', host: 'p1', sourcetype: 'ledger', field: 'salary' },
} as const;
type User = keyof typeof TEAMS;
const OTHER: Record<User, User> = { wanda: 'paul', paul: 'wanda' };

interface Asking {
  messages: { role: string; content: string }[];
}

/** Calls the tool, then says what it got. */
function answerTo({ messages }: Asking) {
  const last = messages.at(-1);
  return last?.role === 'tool' ? completionOf(last.content) : toolCallsOf([['search__hosts', {}]]);
}

describe('search tools of users with different indexes', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let provider: ScriptedProvider;

  before(async () => {
    provider = await startProvider(({ body }) => ({ status: 200, body: answerTo(body as unknown as Asking) }));
    platform = await gatewayPlatform();
    for (const [user, { role, index, host, sourcetype, field }] of Object.entries(TEAMS)) {
      expectStatus(await platform.admin('POST', '/services/data/indexes', { name: index }), 201, index);
      const form = { name: role, capabilities: CAPABILITIES, srchIndexesAllowed: index, srchIndexesDefault: index };
      expectStatus(await platform.admin('POST', '/services/authorization/roles', form), 201, role);
      await platform.createUser(user, [role]);
      const target = `/services/receivers/simple?index=${index}&sourcetype=${sourcetype}&host=${host}`;
      for (const value of [1, 2])
        expectStatus(await platform.call('admin', 'POST', target, `${field}=${value}`), 200, index);
    }
    await configure(platform, 'up', provider.url);
    // A search ends with the begin of the current second.
    await sleep(1000);
    const acl = { sharing: 'app', perms: { read: ['*'], write: [] } };
    expectStatus(
      await platform.ml('anna', 'POST', '/search_tools', { name: 'hosts', search: SEARCH, acl }),
      200,
      'the tool',
    );
  });
  after(async () => {
    await platform?.dispose();
    await provider?.close();
  });

  const search = async (user: string, tool: string, args: object = {}) => {
    const reply = await platform.ml(user, 'POST', '/ai_gateway/search', { tool, arguments: args });
    expectStatus(reply, 200, tool);
    return reply.json.result as { fields: string[]; rows: unknown[][]; total: number };
  };
  const viaMcp = async (user: string, name: string, args: object = {}): Promise<Reply['json']> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const reply = await platform.call(user, 'POST', `${MOUNT}/mcp`, message);
    expectStatus(reply, 200, name);
    return reply.json.result;
  };
  const column = ({ fields, rows }: { fields: string[]; rows: unknown[][] }, name: string) =>
    rows.map((row) => row[fields.indexOf(name)]);

  for (const user of ['wanda', 'paul'] as const) {
    const { index, host, sourcetype, field } = TEAMS[user];
    const own = [[index, host, 2]];
    const foreign = TEAMS[OTHER[user]];

    describe(`${user}, whose role imports no other`, () => {
      it('gets the rows of the own index by POST search, published and free', async () => {
        expect((await search(user, 'hosts')).rows).to.deep.equal(own);
        expect((await search(user, 'spl', { search: SEARCH })).rows).to.deep.equal(own);
        const everywhere = `index=* (sourcetype=access OR sourcetype=ledger) | stats count by index, host`;
        expect((await search(user, 'spl', { search: everywhere })).rows).to.deep.equal(own);
        const counted = '| tstats count where (index=web OR index=payroll) by index, host';
        expect((await search(user, 'spl', { search: counted })).rows).to.deep.equal(own);
        const nested = `| makeresults | fields - _time | append [${SEARCH}] | where isnotnull(index) | table index host count`;
        expect((await search(user, 'spl', { search: nested })).rows).to.deep.equal(own);
        expect(
          (await search(user, 'spl', { search: `search index=${foreign.index} | table host` })).rows,
        ).to.deep.equal([]);
      });

      it('gets them through MCP', async () => {
        for (const [name, args] of [
          ['search__hosts', {}],
          ['search__spl', { search: SEARCH }],
        ] as const) {
          const { content, structuredContent, isError } = await viaMcp(user, name, args);
          expect([isError, structuredContent.rows], JSON.stringify(content)).to.deep.equal([false, own]);
          expect(content[0].text).to.contain(host).and.not.contain(foreign.host);
        }
      });

      it('gets them in a run, by a worker and by own steps', async () => {
        const definition = { runtime_type: 'BUILT_IN', llm: { model: 'up/m' }, search_tools: ['hosts'] };
        const body = { definition, input: 'Which hosts?' };
        const worked = await platform.call(user, 'POST', `${MOUNT}/runs`, { ...body, wait_s: 25 });
        expectStatus(worked, 200, 'a run');
        expect(worked.json.state, worked.text).to.equal('succeeded');
        expect(worked.json.output).to.contain(host).and.not.contain(foreign.host);
        const stepped = await platform.call(user, 'POST', `${MOUNT}/runs`, { ...body, worker: 'caller' });
        for (let step = 0; step < 3; step += 1) {
          expectStatus(
            await platform.call(user, 'POST', `${MOUNT}/runs/${stepped.json.run_id}/step`, {}),
            200,
            'a step',
          );
        }
        const { json } = await platform.call(user, 'GET', `${MOUNT}/runs/${stepped.json.run_id}`);
        expect([json.state, json.output]).to.deep.equal(['succeeded', worked.json.output]);
      });

      it('gets them when the tool is tested, and only tests as itself', async () => {
        const tested = await platform.ml(user, 'POST', '/search_tools/test', { name: 'hosts', values: {} });
        expectStatus(tested, 200, 'the test');
        expect(tested.json.data.rows).to.deep.equal(own);
        const inline = await platform.ml(user, 'POST', '/search_tools/test', { search: SEARCH, values: {} });
        expectStatus(inline, 200, 'the test of a search');
        expect(inline.json.data.rows).to.deep.equal(own);
      });

      it('sees its own index, source types and fields in the lists', async () => {
        const names = column(await search(user, 'indexes'), 'name');
        expect(names).to.include(index).and.not.include(foreign.index);
        const mcpNames = column((await viaMcp(user, 'search__indexes')).structuredContent, 'name');
        expect(mcpNames).to.deep.equal(names);
        expect(column(await search(user, 'sourcetypes', { index }), 'sourcetype')).to.deep.equal([sourcetype]);
        expect((await search(user, 'sourcetypes', { index: foreign.index })).rows).to.deep.equal([]);
        expect(column(await search(user, 'fields', { index }), 'field')).to.include(field);
        expect((await search(user, 'fields', { index: foreign.index })).rows).to.deep.equal([]);
      });
    });
  }

  it('shows what an imported role allows', async () => {
    await platform.createRole('child', ['web_team']);
    await platform.createUser('chris', ['child']);
    expect((await search('chris', 'hosts')).rows).to.deep.equal([['web', 'w1', 2]]);
    expect(column(await search('chris', 'indexes'), 'name'))
      .to.include('web')
      .and.not.include('payroll');
  });

  it('shows both to who may search both', async () => {
    await platform.createUser('both', ['web_team', 'pay_team']);
    expect((await search('both', 'hosts')).rows).to.deep.equal([
      ['payroll', 'p1', 2],
      ['web', 'w1', 2],
    ]);
    expect(column(await search('both', 'indexes'), 'name')).to.include.members(['web', 'payroll']);
  });
});
