import { expect } from 'chai';
import { BUILT_IN_SEARCH_TOOLS } from '../../../../src/contract/families/searchTools.ts';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type Peer, startHttp } from '../../../support/peers/listen.ts';
import { startModern } from '../../../support/peers/mcp/modern.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';

const SERVERS = 20;
const TOOLS = 100;
/** Tools of one page of the gateway. */
const PAGE = 100;
/** How long servers are waited for; the hanging one would take 15 s. */
const LISTING_MS = 10_000;
const HANGING = 'tools 07';
/** Tools that everybody here has beside those of the servers. */
const OWN_TOOLS = Object.keys(BUILT_IN_SEARCH_TOOLS).map((name) => `search__${name}`);

interface Page {
  names: string[];
  nextCursor?: string;
  unavailable?: { connection: string; error_code: string }[];
  upstreamMs: number;
}

describe('2,000 tools on 20 servers, one of which hangs', function () {
  this.timeout(240_000);
  const { started } = new Peers();
  let platform: TestPlatform;
  const connectionOf = (index: number) => `tools ${String(index).padStart(2, '0')}`;

  before(async () => {
    platform = await gatewayPlatform({ ML_TLS: '0' });
    for (const role of ['even', 'odd']) await platform.createRole(role, ['ml_user'], []);
    for (const role of ['even', 'odd']) await platform.createUser(role, [role]);
    for (let index = 0; index < SERVERS; index += 1) {
      const name = connectionOf(index);
      const server = await started(
        name === HANGING ? startHanging() : startModern({ tools: toolsOf(index), pageSize: 40 }),
      );
      const read = index === 0 ? ['*'] : [index % 2 === 0 ? 'even' : 'odd'];
      const acl = { sharing: 'app', perms: { read, write: [] } };
      const body = { name, type: 'ISSUE_TRACKER', details: { url: server.url }, acl };
      expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', body), 200, name);
    }
  });
  after(() => platform?.dispose());

  async function page(user: string, cursor?: string): Promise<Page> {
    const params = cursor === undefined ? {} : { cursor };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params };
    const { json, headers, text } = await platform.call(user, 'POST', `${MOUNT}/mcp`, message);
    expect(json.result, text).to.be.an('object');
    const { tools, nextCursor, _meta } = json.result;
    const names = tools.map(({ name }: { name: string }) => name);
    const upstreamMs = Number(headers['x-ml-upstream-ms']);
    return { names, nextCursor, unavailable: _meta?.['ml_extension/unavailable'], upstreamMs };
  }

  async function walk(user: string): Promise<Page[]> {
    const pages = [await page(user)];
    for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
      pages.push(await page(user, cursor));
    }
    return pages;
  }
  const namesOf = (pages: readonly Page[]) => pages.flatMap(({ names }) => names);
  const ofServers = (names: readonly string[]) => names.filter((name) => !OWN_TOOLS.includes(name));

  it('are listed within ten seconds, in pages, in one order and by the same names each time', async () => {
    const pages = await walk('anna');
    const count = TOOLS * (SERVERS - 1) + OWN_TOOLS.length;
    expect(pages).to.have.length(Math.ceil(count / PAGE));
    for (const [index, { names, unavailable }] of pages.entries()) {
      expect(names).to.have.length(Math.min(PAGE, count - index * PAGE));
      expect(unavailable).to.deep.equal([{ connection: HANGING, error_code: 'timeout' }]);
    }
    const [first, ...others] = pages;
    expect(first?.upstreamMs).to.be.within(LISTING_MS - 500, LISTING_MS + 4000);
    // They do not wait again.
    for (const { upstreamMs } of others) expect(upstreamMs).to.be.below(LISTING_MS / 2);
    const names = namesOf(pages);
    expect(names).to.deep.equal([...names].sort());
    expect(new Set(names).size).to.equal(count);
    expect(names).to.include.members(OWN_TOOLS);
    for (const name of ofServers(names)) expect(name).to.match(/^tools_\d\d__t\d+_[0-9a-f]{8}$/);
    expect(namesOf(await walk('anna'))).to.deep.equal(names);
  });

  it('are those of the connections that each user may read', async () => {
    const connectionsOf = async (user: string) => {
      const names = ofServers(namesOf(await walk(user)));
      expect(names.length % TOOLS).to.equal(0);
      return [...new Set(names.map((name) => Number(name.slice(6, 8))))];
    };
    const all = Array.from({ length: SERVERS }, (_, index) => index);
    expect(await connectionsOf('anna')).to.deep.equal(all.filter((index) => connectionOf(index) !== HANGING));
    expect(await connectionsOf('even')).to.deep.equal(all.filter((index) => index % 2 === 0));
    expect(await connectionsOf('odd')).to.deep.equal(
      all.filter((index) => index === 0 || (index % 2 === 1 && connectionOf(index) !== HANGING)),
    );
    const narrowed = { name: connectionOf(4), acl: { sharing: 'user' } };
    expectStatus(await platform.ml('anna', 'PUT', '/mcp_connection', narrowed), 200, 'narrowed');
    expect(await connectionsOf('even')).to.deep.equal(all.filter((index) => index % 2 === 0 && index !== 4));
  });

  it('are called by name meanwhile', async () => {
    const name = ofServers(namesOf([await page('anna')]))[42];
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
    const { json } = await platform.call('anna', 'POST', `${MOUNT}/mcp`, message);
    expect(json.result.content).to.deep.equal([{ type: 'text', text: 'done' }]);
  });
});

const toolsOf = (server: number) =>
  Array.from({ length: TOOLS }, (_, index) => ({
    name: `t${index}`,
    description: `Tool ${index} of server ${server}`,
  }));

/** Takes requests and never answers. */
async function startHanging(): Promise<Peer> {
  const { url, close } = await startHttp(() => {});
  return { url: `${url}/mcp`, close };
}
