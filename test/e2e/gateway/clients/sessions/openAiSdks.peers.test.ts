import { prepareNodeClients } from '../../../../support/programs/nodeClients.ts';
import { needsInstalled } from '../../../../support/programs/part.ts';
import { preparePython } from '../../../../support/programs/python.ts';
import { expectOutcomes, limited, SessionWorld } from './world.ts';

describe("gateway with sessions of OpenAI's SDKs", function () {
  this.timeout(120_000);
  let world: SessionWorld;

  before(async function () {
    await needsInstalled(this, "OpenAI's SDK for Node", prepareNodeClients);
    await needsInstalled(this, "OpenAI's SDK for Python", () => preparePython('openAi'));
    world = await SessionWorld.start();
  });
  after(() => world?.dispose());

  const expected = (dialect: Parameters<typeof limited>[0]) => ({
    overload: limited(dialect),
    others: { models: true },
  });

  it('Responses from Node', async () => expectOutcomes(await world.node('openai.mjs'), expected));

  it('Responses from Python', async () => expectOutcomes(await world.python('openai_responses.py'), expected));
});
