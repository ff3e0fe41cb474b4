import { expect } from 'chai';
import { publish, TOOL } from '../../search/searchApp.ts';
import type { RunsApp } from '../runsApp.ts';
import { maskedRuns, seenByModel, wordOf } from './maskedRuns.ts';

const RIGHTS = ['list_ai_commander_config', 'use_ai_gateway', 'run_agents', 'run_spl_tool', 'list_search_tools'];
const USER = 'CORP\\jdoe';

describe('values in the searches of masked runs', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await maskedRuns();
    runs.app.user('anna', { capabilities: ['edit_search_tools'] });
    runs.app.user('asker', { capabilities: RIGHTS });
    await publish(runs.app, { ...TOOL, search: 'search index=main user="$host$"' });
  });

  /** The search that ran for a call of the model. */
  async function ran(name: string, argument: string, text: (word: string) => string): Promise<string | undefined> {
    runs.turns.push((body) => [{ name: `search__${name}`, args: { [argument]: text(wordOf('user', body)) } }], 'done');
    const run = await runs.work(await runs.start({ input: `Who is ${USER}?` }, { search_tools: ['errors', 'spl'] }));
    expect(run.state, JSON.stringify(run)).to.equal('succeeded');
    expect(run.steps[1].state, run.steps[1].output).to.equal('done');
    expect(seenByModel(runs)).to.not.include('jdoe');
    return runs.app.platformSearches.ran[0]?.search;
  }

  it('are quoted by the template of a search tool', async () => {
    expect(await ran('errors', 'host', (word) => word)).to.equal('search index=main user="CORP\\\\jdoe"');
  });

  it('are quoted in SPL, where they stand in no quotes', async () => {
    const search = await ran('spl', 'search', (word) => `search index=main user=${word} OR src=${word}`);
    expect(search).to.include('user="CORP\\\\jdoe" OR src="CORP\\\\jdoe"');
  });

  it('are escaped in SPL, where they stand in quotes', async () => {
    const search = await ran('spl', 'search', (word) => `search index=main user="${word}" msg="by \\"${word}\\""`);
    expect(search).to.include('user="CORP\\\\jdoe" msg="by \\"CORP\\\\jdoe\\""');
  });

  it('are no commands, whatever they say', async () => {
    runs.turns.push(
      (body) => [{ name: 'search__spl', args: { search: `search index=main pw=${wordOf('sec', body)}` } }],
      'done',
    );
    const input = `password='x" | delete "y'`;
    await runs.work(await runs.start({ input }, { search_tools: ['spl'] }));
    expect(runs.app.platformSearches.ran[0]?.search).to.include('pw="x\\" | delete \\"y"');
  });
});
