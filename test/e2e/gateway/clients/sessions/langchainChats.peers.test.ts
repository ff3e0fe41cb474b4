import { needsInstalled } from '../../../../support/programs/part.ts';
import { preparePython } from '../../../../support/programs/python.ts';
import { expectOutcomes, limited, SessionWorld } from './world.ts';

describe('gateway with sessions of LangChain', function () {
  this.timeout(120_000);
  let world: SessionWorld;

  before(async function () {
    await needsInstalled(this, 'LangChain', () => preparePython('openAi'));
    world = await SessionWorld.start();
  });
  after(() => world?.dispose());

  // Its errors have names of its own.
  it('Responses', async () => {
    const outcomes = await world.python('langchain_chats.py', 'openai');
    expectOutcomes(outcomes, (dialect) => ({ overload: { status: limited(dialect).status } }));
  });

  it('Messages', async () => {
    const outcomes = await world.python('langchain_chats.py', 'anthropic');
    expectOutcomes(outcomes, (dialect) => ({ overload: { status: dialect === 'anthropic' ? 529 : 502 } }));
  });
});
