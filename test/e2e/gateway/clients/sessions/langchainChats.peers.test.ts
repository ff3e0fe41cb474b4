import { needsInstalled } from '../../../../support/programs/part.ts';
import { preparePython } from '../../../../support/programs/python.ts';
import { expectOutcomes, limited, overloaded, SessionWorld } from './world.ts';

describe('gateway with sessions of LangChain', function () {
  this.timeout(120_000);
  let world: SessionWorld;

  before(async function () {
    await needsInstalled(this, 'LangChain', () => preparePython('openAi'));
    world = await SessionWorld.start();
  });
  after(() => world?.dispose());

  it('Responses', async () => {
    const outcomes = await world.python('langchain_chats.py', 'openai');
    expectOutcomes(outcomes, (dialect) => ({ overload: limited(dialect) }));
  });

  it('Messages', async () => {
    const outcomes = await world.python('langchain_chats.py', 'anthropic');
    const names = ['OverloadedError', 'InternalServerError'] as const;
    expectOutcomes(outcomes, (dialect) => ({ overload: overloaded(dialect, names) }));
  });
});
