import { prepareNodeClients } from '../../../../support/programs/nodeClients.ts';
import { needsInstalled } from '../../../../support/programs/part.ts';
import { preparePython } from '../../../../support/programs/python.ts';
import { expectOutcomes, overloaded, SessionWorld } from './world.ts';

describe("gateway with sessions of Anthropic's SDKs", function () {
  this.timeout(120_000);
  let world: SessionWorld;

  before(async function () {
    await needsInstalled(this, "Anthropic's SDK for Node", prepareNodeClients);
    await needsInstalled(this, "Anthropic's SDK for Python", () => preparePython('openAi'));
    world = await SessionWorld.start();
  });
  after(() => world?.dispose());

  const others = { models: true, count: true };

  it('Messages from Node', async () => {
    const names = ['OverloadedError', 'InternalServerError'] as const;
    expectOutcomes(await world.node('anthropic.mjs'), (dialect) => ({ overload: overloaded(dialect, names), others }));
  });

  it('Messages from Python', async () => {
    const names = ['OverloadedError', 'InternalServerError'] as const;
    const outcomes = await world.python('anthropic_messages.py');
    expectOutcomes(outcomes, (dialect) => ({ overload: overloaded(dialect, names), others }));
  });
});
