import { expect } from 'chai';
import { connectCloud, set } from '../support/e2e/agentCloud.ts';
import { startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { AgentCorePeer } from '../support/peers/aws/agentCore.ts';
import { severalDrivers } from './agents/agentSupport.ts';

/** So long may a driver go by settings that it has read. */
const REMEMBERED_MS = 5000;
const ROUNDS = 5;
/** At once, so that each of the drivers has to answer some. */
const AT_ONCE = 8;

describe('new settings', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await startPlatform({ env: { ML_DRIVERS: '3' }, movableClock: true });
    await platform.createUser('anna', ['ml_admin']);
    // No search follows her agents: she cannot search.
    await platform.createRole('maker', [], ['edit_agents', 'run_agents']);
    await platform.createUser('mary', ['maker']);
  });
  after(() => platform.dispose());

  const many = <T>(work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, i) => work(i)));

  it('enable a feature from the next request on, in any driver', async () => {
    const codes = async () => {
      const replies = await many(() =>
        platform.ml('anna', 'POST', '/experiments', { title: 'x', type: 'smart_forecast' }),
      );
      return [...new Set(replies.map(({ json }) => json.error_code ?? json.status))];
    };
    await severalDrivers(platform, 'anna');
    for (let round = 0; round < ROUNDS; round += 1) {
      await platform.setFlag('experiments', '0');
      platform.advance(REMEMBERED_MS);
      expect(await codes(), `round ${round}`).to.deep.equal(['feature_disabled']);
      await platform.setFlag('experiments', '1');
      const replies = await codes();
      expect(replies, `round ${round}`).to.deep.equal(['success']);
    }
  });

  it('complete an agent that lacked them', async () => {
    const cloud = await AgentCorePeer.start();
    try {
      await connectCloud(platform, cloud.url, { role_arn: '' });
      const [first] = await many((index) => platform.ml('mary', 'POST', '/agents', { name: `a${index}` }));
      expect([first?.status, first?.json.error_code]).to.deep.equal([502, 'configuration_invalid']);
      expect(first?.json.message).to.include('role_arn');
      await set(platform, { role_arn: 'arn:aws:iam::123456789012:role/runtime' });
      const again = await many((index) => platform.ml('mary', 'POST', `/agents/a${index}/retry`));
      expect(again.map(({ status }) => status)).to.deep.equal(Array(AT_ONCE).fill(200));
      // Without a region their location is unknown.
      await set(platform, { region: '' });
      expect((await platform.ml('mary', 'POST', '/agents', { name: 'b' })).json.message).to.include('region');
      await set(platform, { region: 'eu-west-3' });
      const made = await many((index) => platform.ml('mary', 'POST', '/agents', { name: `c${index}` }));
      expect(made.map(({ status }) => status)).to.deep.equal(Array(AT_ONCE).fill(200));
      const docs = (await platform.documents('ml_agents')).filter(({ name }) => /^c\d$/.test(String(name)));
      expect(docs.map(({ order }) => (order as { place: string }).place)).to.deep.equal(
        Array(AT_ONCE).fill('eu-west-3'),
      );
    } finally {
      await cloud.stop();
    }
  });
});
