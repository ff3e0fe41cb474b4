import { expect } from 'chai';
import { TestMembers } from '../support/members.ts';
import { until } from '../support/patience.ts';

const JSON_MODE = '?output_mode=json';
const PRIVATE = '/servicesNS/admin/fixture/saved/searches';

interface Run {
  search: string;
  sid: string;
}

describe('scheduled searches of members of a cluster', () => {
  let members: TestMembers;
  before(async () => {
    members = await new TestMembers({ ML_MEMBERS: '3' }).start();
  });
  after(() => members.dispose());

  const runAll = async (now: number): Promise<Run[]> => {
    const ask = (member: number) =>
      members.call(member, 'POST', `/services/embedded/scheduler${JSON_MODE}`, { form: { now: String(now) } });
    const replies = await Promise.all([1, 2, 3].map(ask));
    return replies.flatMap(({ json }) => json.runs as Run[]);
  };

  it('are replicated, and run on one of them', async () => {
    // Half an hour ahead, so that the clock itself runs none of them.
    const time = Math.floor(Date.now() / 60_000) * 60 + 1800;
    const minute = new Date(time * 1000).getUTCMinutes();
    const names = ['first', 'second', 'third'];
    for (const [index, name] of names.entries()) {
      const form = { name, search: '| makeresults', is_scheduled: '1', cron_schedule: `${minute} * * * *` };
      const made = await members.call(index + 1, 'POST', PRIVATE, { form });
      expect(made.status, made.text).to.equal(201);
    }
    for (const member of [1, 2, 3]) {
      await until(
        async () => (await members.call(member, 'GET', PRIVATE + JSON_MODE)).json.entry.length,
        (count) => count === names.length,
      );
    }
    const runs = await runAll(time);
    expect(runs.map(({ search }) => search).sort()).to.deep.equal(names);
    expect(new Set(runs.map(({ sid }) => sid)).size).to.equal(3);
    expect(await runAll(time)).to.deep.equal([]);
    expect(await runAll(time + 3600)).to.have.length(3);
  });
});
