import { expect } from 'chai';
import { startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { type ScriptedProvider, startProvider, WELL } from '../support/peers/llm.ts';
import { Random } from '../support/random.ts';

const MASK = '***MASKED***';
const STEPS = 250;
const SEED = Number(process.env.ML_TEST_SEED ?? 20_261_120);

describe('a stored key reaches the recording host it was saved for, and no other', () => {
  let platform: TestPlatform;
  let hosts: ScriptedProvider[] = [];

  before(async () => {
    platform = await startPlatform();
    hosts = [await startProvider(WELL.General_Chat), await startProvider(WELL.General_Chat)];
  });
  after(async () => {
    await platform.dispose();
    for (const host of hosts) await host.close();
  });

  it(`by ${STEPS} random calls`, async () => {
    const random = new Random(SEED);
    let keys = 0;
    let refused = 0;
    for (let step = 0; step < STEPS; step++) {
      const identity = {
        service: 'General_Chat',
        connection_name: random.pick(['one', 'ONE', 'two']),
        model: random.pick(['gpt-4o-mini', 'other']),
      };
      const to = random.below(hosts.length);
      keys += 1;
      const token = random.pick([undefined, MASK, MASK, `canary-for-${to}-${keys}`, '']);
      const servicesettings = {
        endpoint: { value: `${hosts[to]?.url}/v1` },
        ...(token === undefined ? {} : { access_token: { value: token } }),
      };
      const call = random.pick(['save', 'save', 'save', 'given', 'given', 'given', 'saved', 'refresh', 'delete']);
      const path = `/aicommander/General_Chat/${identity.connection_name}/${identity.model}`;
      const reply =
        call === 'save'
          ? await platform.ml('admin', 'POST', '/aicommander', { ...identity, servicesettings })
          : call === 'delete'
            ? await platform.ml('admin', 'DELETE', path)
            : await platform.ml('admin', 'POST', '/aicommander_metadata', {
                ...identity,
                ...(call === 'given' ? { servicesettings } : {}),
                ...(call === 'refresh' ? { action: 'refresh_models' } : {}),
              });
      expect(reply.status, reply.text).to.be.oneOf([200, 400, 404]);
      if (reply.json.error_code === 'secret_required_for_new_host') refused += 1;
      expect(reply.text).to.not.contain('canary');
    }
    const sent = hosts.flatMap(({ asked }, at) =>
      asked.map(({ headers }) => ({ at, key: headers.authorization ?? '' })),
    );
    for (const { at, key } of sent) expect(key, `seed ${SEED}`).to.match(new RegExp(`^Bearer canary-for-${at}-`));
    expect(sent.length).to.be.greaterThan(20);
    expect(refused).to.be.at.least(5);
    expect(platform.filesWith(['canary-for-'])).to.deep.equal([]);
  });
});
