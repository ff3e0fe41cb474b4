import { expect } from 'chai';
import type { HostedApp } from '../../src/apps/hostedApp.ts';
import { chargedRole, type RoleQuota, refusalOf, searchLimits } from '../../src/search/jobs/concurrency.ts';
import { JOBS, jobPath, messagesOf, SearchJobs } from '../support/searchJobs.ts';

const LIMITS = { instance: 8, isCumulative: false, queues: true };
const role = (name: string, jobs: number, cumulative = 0): RoleQuota => ({ role: name, jobs, cumulative });
const running = (count: number, owner: string, name?: string) =>
  Array.from({ length: count }, () => ({ owner, role: name }));

describe('embedded platform: quotas of searches', () => {
  const jobs = new SearchJobs({ users: { plain: 'user', other: 'user' } });
  const { call, post, get, until, dispatch } = jobs;
  const as = 'plain:changed-it';
  const content = async (sid: string) => (await get(jobPath(sid), as)).json.entry[0].content;

  it('make searches of normal mode wait, and others fail', async () => {
    const sids: string[] = [];
    for (let n = 0; n < 3; n += 1) sids.push((await post(JOBS, { search: '| fake "do=for ever"' }, as)).json.sid);
    const text =
      'This search could not be dispatched because the role-based concurrency limit of historical searches for user "plain" has been reached (usage=3, quota=3).';
    for (const mode of ['oneshot', 'blocking']) {
      const refused = await post(JOBS, { search: '| makeresults', exec_mode: mode }, as);
      expect([refused.status, messagesOf(refused)], mode).to.deep.equal([
        503,
        `FATAL Search not executed: ${text}, concurrency_category="historical", concurrency_context="user_instance-wide", current_concurrency=3, concurrency_limit=3`,
      ]);
    }
    expect((await post(`${JOBS}/export`, { search: '| makeresults' }, as)).status).to.equal(503);
    const waiting = await post(JOBS, { search: '| makeresults' }, as);
    expect(waiting.status).to.equal(201);
    const queued = await content(waiting.json.sid);
    expect(queued).to.include({ dispatchState: 'QUEUED', isDone: false });
    expect(queued.messages).to.deep.equal([{ type: 'WARN', text }]);
    expect(queued).not.to.have.property('resultCount');
    expect((await get(`${jobPath(waiting.json.sid)}/results`, as)).status).to.equal(204);
    // Others are not held up.
    expect((await post(JOBS, { search: '| makeresults', exec_mode: 'oneshot' }, 'other:changed-it')).status).to.equal(
      200,
    );
    const cancelled = (await post(JOBS, { search: '| fake do=rows' }, as)).json.sid;
    const finalized = (await post(JOBS, { search: '| fake do=rows' }, as)).json.sid;
    await post(`${jobPath(cancelled)}/control`, { action: 'cancel' }, as);
    expect((await get(jobPath(cancelled), as)).status).to.equal(404);
    await post(`${jobPath(finalized)}/control`, { action: 'finalize' }, as);
    expect(await content(finalized)).to.include({ dispatchState: 'DONE', isFinalized: true, resultCount: 0 });
    for (const sid of sids) await call('DELETE', jobPath(sid), { as });
    const done = await until(waiting.json.sid, ({ isDone }) => isDone === true);
    expect(done).to.include({ dispatchState: 'DONE', resultCount: 1 });
  });

  it('let a job that waits be cancelled when nobody asks for it', async () => {
    const sids: string[] = [];
    for (let n = 0; n < 3; n += 1) sids.push((await post(JOBS, { search: '| fake "do=for ever"' }, as)).json.sid);
    const { sid } = (await post(JOBS, { search: '| makeresults', auto_cancel: '1' }, as)).json;
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await get(jobPath(sid), as)).status).to.equal(404);
    for (const running of sids) await call('DELETE', jobPath(running), { as });
    await dispatch('| makeresults');
  });

  it('are those of the instance, the user and, if they are switched on, the role', () => {
    const refusal = (quotas: RoleQuota[], limits: Partial<typeof LIMITS>, active: ReturnType<typeof running>) =>
      refusalOf('ann', quotas, { ...LIMITS, ...limits }, active);
    expect(refusal([role('user', 3)], {}, running(2, 'ann'))).to.equal(undefined);
    expect(refusal([role('user', 3), role('power', 10)], {}, running(5, 'ann'))).to.equal(undefined);
    expect(refusal([role('user', 3), role('free', 0)], {}, running(5, 'ann'))).to.equal(undefined);
    expect(refusal([role('user', 3)], {}, running(8, 'bob'))).to.include({
      text: 'The maximum number of concurrent historical searches on this instance has been reached.',
      context: 'instance-wide',
      usage: 8,
      limit: 8,
    });
    const shared = [role('user', 3, 4), role('team', 3, 2)];
    const full = [...running(4, 'bob', 'user'), ...running(2, 'cat', 'team')];
    expect(refusal(shared, {}, full)).to.equal(undefined);
    expect(refusal(shared, { isCumulative: true }, full.slice(1))).to.equal(undefined);
    expect(refusal(shared, { isCumulative: true }, full)?.text).to.equal(
      'The maximum number of concurrent historical searches for the role=user has been reached. quota=4 usage=4.',
    );
    expect(chargedRole(shared, { ...LIMITS, isCumulative: true }, [])).to.equal('user');
    expect(chargedRole(shared, { ...LIMITS, isCumulative: true }, running(4, 'bob', 'user'))).to.equal('team');
    expect(chargedRole(shared, LIMITS, [])).to.equal(undefined);
  });

  it('come from limits.conf', () => {
    const app = (search: Record<string, string>) => ({ name: 'a', conf: () => ({ search }) }) as unknown as HostedApp;
    const usual = searchLimits([app({})]);
    expect(usual).to.include({ isCumulative: false, queues: true });
    expect(usual.instance).to.be.greaterThan(6);
    expect(
      searchLimits([
        app({
          base_max_searches: '2',
          max_searches_per_cpu: '0',
          enable_cumulative_quota: '1',
          default_allow_queue: '0',
        }),
      ]),
    ).to.deep.equal({ instance: 2, isCumulative: true, queues: false });
  });
});
