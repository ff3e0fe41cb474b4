import { expect } from 'chai';
import { type Peer, startHttp } from '../support/peers/listen.ts';
import { eventually } from '../support/time.ts';
import { block, start } from './driver.ts';
import { request } from './peer.ts';

type Answer = readonly [status: number, body: unknown];
const context = (capabilities: string[]): Answer => [
  200,
  { entry: [{ content: { username: 'u', roles: ['user'], capabilities } }] },
];
const CALLER = context([
  'admin_all_objects',
  'edit_agent_connections',
  'list_container_connections',
  'list_ai_commander_config',
]);

/** A request for one record of each family that has records of a name, and where the store keeps it. */
const READS: Readonly<Record<string, string>> = {
  '/ml/mcp_connection/Some': 'ml_mcp_connections/some',
  '/ml/vector_stores/Some': 'ml_vector_stores/some',
  '/ml/container_connection/docker/Some': 'ml_container_connections/docker.some',
  '/ml/aicommander/General_Chat/Some/gpt-4o': 'ml_llm_connections/general_chat.some',
  '/ml/agents/Some': 'ml_agents/some',
  '/ml/experiments/0123456789ABCDEF0123456789abcdef': 'ml_experiments/0123456789abcdef0123456789abcdef',
};

describe('who calls and what they ask for', () => {
  let platform: Peer;
  let driver: ReturnType<typeof start>;
  let asked: string[];
  /** What the platform says of the caller, and when. */
  let who: Answer;
  let whoIsKnown: (call: () => void) => void;
  let record: Answer | 'reset';
  let replies: number;

  beforeEach(async () => {
    asked = [];
    who = CALLER;
    whoIsKnown = (tell) => tell();
    record = [404, {}];
    replies = 0;
    platform = await startHttp((incoming, outgoing) => {
      const path = (incoming.url ?? '').split('?')[0] ?? '';
      const isWho = path.includes('current-context');
      asked.push(isWho ? 'who' : path.replace(/^.*\/data\//, ''));
      const tell = ([status, body]: Answer) => outgoing.writeHead(status).end(JSON.stringify(body));
      if (isWho) return whoIsKnown(() => tell(who));
      if (path.includes('/conf-')) return tell([200, { entry: [] }]);
      if (record === 'reset') return incoming.socket.destroy();
      return tell(record);
    });
    driver = start();
    // The first request of a process asks one after the other.
    expect((await ask('/ml/mcp_connection/first')).status).to.equal(404);
    expect(asked.filter((call) => !call.includes('conf-'))).to.deep.equal(['who', 'ml_mcp_connections/first']);
    asked.length = 0;
  });

  afterEach(async () => {
    const { code, stderr } = await driver.end();
    await platform.close();
    expect([code, stderr.includes('bug')]).to.deep.equal([0, false]);
  });

  async function ask(rest_path: string): Promise<{ status: number; payload: { error_code?: string } }> {
    driver.write(request(block({ rest_path, server: { rest_uri: platform.url } })));
    replies += 1;
    return JSON.parse((await driver.frames(2 * replies)).at(-1) ?? '');
  }

  for (const [path, place] of Object.entries(READS)) {
    it(`${path}: the platform is asked for both at once`, async () => {
      const tells: (() => void)[] = [];
      whoIsKnown = (tell) => tells.push(tell);
      const reply = ask(path);
      await eventually(() => asked.includes(place), 10_000, 'both to be asked');
      for (const tell of tells) tell();
      expect([(await reply).status, (await reply).payload.error_code]).to.deep.equal([404, 'not_found']);
      expect(asked.filter((call) => call === place)).to.have.length(1);
    });
  }

  it('who may not ask gets nothing of what was read', async () => {
    record = [200, { _key: 'some', name: 'Some', details: { url: 'https://canary.example' }, acl: {} }];
    let reads = 0;
    // Otherwise the refusal may be here before the record has been asked for.
    whoIsKnown = (tell) => {
      reads += 1;
      const isRead = () => asked.filter((call) => call === 'ml_mcp_connections/some').length === reads;
      eventually(isRead, 10_000, 'the record to be asked for').then(tell, tell);
    };
    who = [401, {}];
    const unknown = await ask('/ml/mcp_connection/Some');
    expect(unknown).to.deep.equal({
      status: 401,
      payload: { messages: [{ type: 'WARN', text: 'call not properly authenticated' }] },
    });
    who = [503, {}];
    const unsure = await ask('/ml/mcp_connection/Some');
    expect([unsure.status, JSON.stringify(unsure).includes('canary')]).to.deep.equal([503, false]);
    expect(asked.filter((call) => call === 'ml_mcp_connections/some')).to.have.length(2);
  });

  it('a read that fails is told to those alone who may ask, and the next request reads anew', async () => {
    record = [500, {}];
    const failed = await ask('/ml/mcp_connection/Some');
    expect([failed.status, failed.payload.error_code]).to.deep.equal([503, 'store_unavailable']);
    record = 'reset';
    expect((await ask('/ml/mcp_connection/Some')).status).to.equal(503);
    who = [401, {}];
    expect((await ask('/ml/mcp_connection/Some')).status).to.equal(401);
    [who, record] = [CALLER, [404, {}]];
    expect((await ask('/ml/mcp_connection/Some')).status).to.equal(404);
  });

  it('a name that no record can have is not looked for', async () => {
    for (const name of ['%20', '..', 'a%2Fb', 'x'.repeat(300), '%00'])
      expect((await ask(`/ml/mcp_connection/${name}`)).status, name).to.be.oneOf([400, 404, 405]);
    expect(asked.filter((call) => call.startsWith('ml_mcp_connections'))).to.deep.equal([]);
  });
});
