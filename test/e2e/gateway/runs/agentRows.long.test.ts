import { expect } from 'chai';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { readBody, sendJson } from '../../../support/peers/listen.ts';
import { startAnswering } from '../../../support/peers/mcp/scripted.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { eventually } from '../../../support/time.ts';
import { type Row, searched } from '../../agents/agentSupport.ts';
import { completionOf, configure, gatewayPlatform, MOUNT, toolCallsOf } from '../gatewayPlatform.ts';

const ROWS = '| makeresults count=4 | streamstats count as n';
const SHOWN = 'table n answer answer_error answer_error_message answer_state answer_run_id answer_steps';

describe('rows of a search that get no answer from an agent', function () {
  this.timeout(180_000);
  const peers = new Peers();
  let platform: TestPlatform;
  const held: (() => void)[] = [];
  const release = () => {
    for (const answer of held.splice(0)) answer();
  };
  let calls = 0;

  before(async () => {
    const url = await peers.serve(async (request, response) => {
      const { messages }: { messages: { role: string; content: unknown }[] } = JSON.parse(await readBody(request));
      const question = messages.find(({ role }) => role === 'user')?.content;
      const answer = (said: string | object) =>
        sendJson(response, 200, typeof said === 'string' ? completionOf(said) : said);
      const [choice] = completionOf('').choices;
      if (question === '2') answer({ choices: [{ ...choice, finish_reason: 'content_filter' }] });
      else if (question === '3') answer(toolCallsOf([['Desk__look', {}]]));
      else if (question === '5' && messages.some(({ role }) => role === 'tool')) answer('after a tool');
      else if (question === '5') held.push(() => answer(toolCallsOf([['Desk__none', {}]])));
      else if (question === '4') held.push(() => answer('late'));
      else answer('fine');
    });
    const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' } }];
    const server = await peers.started(startAnswering('tools/call', () => (calls += 1), tools));
    platform = await gatewayPlatform();
    await configure(platform, 'up', url);
    const connection = { name: 'Desk', type: 'PLATFORM', details: { url: server.url } };
    expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', connection), 200, 'a connection');
    const built = {
      runtime_type: 'BUILT_IN',
      llm: { model: 'up/m' },
      mcps: [{ name: 'Desk' }],
      approve_tools: 'always',
    };
    expectStatus(await platform.ml('anna', 'POST', '/agents', { name: 'helper', ...built }), 200, 'an agent');
  });
  after(() => platform?.dispose());

  const stateOf = async (run: string | undefined) =>
    (await platform.call('anna', 'GET', `${MOUNT}/runs/${run}`)).json.state;

  it('say why: refused, waiting for a person, too late; and the runs that have not ended stay', async () => {
    const { rows, job } = await searched(
      platform,
      'anna',
      `${ROWS} | mlagent agent=helper input="{n}" timeout=10 | ${SHOWN}`,
    );
    expect(rows.map(({ answer_error }) => answer_error)).to.deep.equal([
      '',
      'content_filtered',
      'waiting_for_approval',
      'timeout',
    ]);
    const [fine, refused, waiting, late] = rows as [Row, Row, Row, Row];
    expect(fine).to.include({ answer: 'fine', answer_state: 'succeeded', answer_steps: '1' });
    expect(refused).to.include({ answer: '', answer_state: 'failed' });
    expect(refused.answer_error_message).to.contain('Change the input');
    expect(waiting).to.include({ answer_state: 'waiting_for_approval' });
    expect(calls).to.equal(0);
    const warnings = job.messages.map(({ text }) => text).join('\n');
    expect(warnings).to.contain('content_filtered 1').and.to.contain('timeout 1');
    expect(warnings).to.not.contain('waiting_for_approval');
    expect(await stateOf(waiting.answer_run_id)).to.equal('waiting_for_approval');
    release();
    await eventually(async () => (await stateOf(late.answer_run_id)) === 'succeeded', 30_000, 'the late answer');
  });

  it('goes on in a search of its own beyond its timeout, through all its steps', async () => {
    const five = ROWS.replace('count=4', 'count=5');
    const { rows } = await searched(
      platform,
      'anna',
      `${five} | mlagent agent=helper input="{n}" timeout=8 | ${SHOWN}`,
    );
    const late = rows[4] as Row;
    expect(late).to.include({ answer_error: 'timeout' });
    expect(late.answer_error_message).to.match(/It goes on in the search \S+$/);
    release();
    await eventually(async () => (await stateOf(late.answer_run_id)) === 'succeeded', 60_000, 'the end of the run');
  });

  it('are none where there is no such agent: the search fails at once and says so', async () => {
    const { job } = await searched(platform, 'anna', `${ROWS} | mlagent agent=nobody input="{n}" | ${SHOWN}`);
    expect(job.isFailed).to.equal(true);
    const errors = job.messages.filter(({ type }) => type === 'ERROR' || type === 'FATAL');
    expect(JSON.stringify(errors)).to.contain('unknown_reference').and.to.contain('nobody');
  });
});
