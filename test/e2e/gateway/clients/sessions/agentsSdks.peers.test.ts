import { prepareNodeClients } from '../../../../support/programs/nodeClients.ts';
import { needsInstalled } from '../../../../support/programs/part.ts';
import { preparePython } from '../../../../support/programs/python.ts';
import { expectOutcomes, limited, SessionWorld } from './world.ts';

describe("gateway with sessions of OpenAI's Agents SDKs", function () {
  this.timeout(120_000);
  let world: SessionWorld;

  before(async function () {
    await needsInstalled(this, 'the Agents SDK for Node', prepareNodeClients);
    await needsInstalled(this, 'the Agents SDK for Python', () => preparePython('openAi'));
    world = await SessionWorld.start();
  });
  after(() => world?.dispose());

  it('Responses from Node', async () => {
    expectOutcomes(await world.node('agents.mjs'), (dialect) => ({ overload: limited(dialect) }));
  });

  it('Responses from Python', async () => {
    expectOutcomes(await world.python('openai_agents.py'), (dialect) => ({ overload: limited(dialect) }));
  });
});
