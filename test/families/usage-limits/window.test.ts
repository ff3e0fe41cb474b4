import { expect } from 'chai';
import { SourceCopy } from '../../support/sourceCopy.ts';

describe('a new window of usage limits, in a copy of the sources', () => {
  let copy: SourceCopy;
  before(() => {
    copy = new SourceCopy();
  });
  after(() => copy.remove());

  it('takes its name and its length, which the compiler asks for', async () => {
    copy.edit('src/contract/families/usageLimits.ts', "'day', 'month'", "'day', 'week', 'month'");
    const compile = () => copy.compile('src/metering/usage/windows.ts');
    expect(await compile()).to.match(/windows\.ts.*week/s);
    copy.edit('src/metering/usage/windows.ts', 'day: 86_400', 'day: 86_400, week: 604_800');
    expect(await compile()).to.equal('');
  });

  it('is stored and read back', async () => {
    const app = await copy.openApp();
    app.user('anna', { capabilities: ['edit_usage_limits'] });
    const limit = { name: 'weekly', window: 'week', requests: 10 };
    const { status, json } = await app.call('anna', 'POST', '/usage_limits', limit);
    expect(status, JSON.stringify(json)).to.equal(200);
    const { json: list } = await app.call('anna', 'GET', '/usage_limits');
    expect(list.result).to.have.length(1);
    expect(list.result[0]).to.include(limit);
  });
});
