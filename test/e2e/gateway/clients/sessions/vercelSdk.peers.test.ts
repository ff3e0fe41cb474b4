import { prepareNodeClients } from '../../../../support/programs/nodeClients.ts';
import { needsInstalled } from '../../../../support/programs/part.ts';
import { expectOutcomes, limited, overloaded, SessionWorld } from './world.ts';

describe("gateway with sessions of Vercel's AI SDK", function () {
  this.timeout(120_000);
  let world: SessionWorld;

  before(async function () {
    await needsInstalled(this, "Vercel's AI SDK", prepareNodeClients);
    world = await SessionWorld.start();
  });
  after(() => world?.dispose());

  const failure = 'APICallError';

  it('Responses', async () => {
    const outcomes = await world.node('vercel.mjs', 'openai');
    expectOutcomes(outcomes, (dialect) => ({ overload: { ...limited(dialect), failure } }));
  });

  it('Messages', async () => {
    const outcomes = await world.node('vercel.mjs', 'anthropic');
    expectOutcomes(outcomes, (dialect) => ({ overload: overloaded(dialect, [failure, failure]) }));
  });
});
