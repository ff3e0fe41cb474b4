import { expect } from 'chai';
import { startPlatform, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type Scripted, type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { dispatch, job, searched } from '../../agents/agentSupport.ts';

const KEY = 'canary-of-the-provider';
const ROWS = '| makeresults count=3 | streamstats count as n | eval message="error ".tostring(n)';
const MODEL = 'model="team/small"';

describe('searches that ask language models', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let answer: (prompt: string) => Scripted;

  const said = (content: string): Scripted => ({
    status: 200,
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'small',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
    },
  });
  const search = (text: string) => searched(platform, 'reader', text);
  const prompts = () => provider.asked.map(({ body }) => (body.messages as { content: string }[]).at(-1)?.content);

  before(async () => {
    provider = await startProvider(({ path, body }) => {
      if (!path.endsWith('/embeddings'))
        return answer(String((body.messages as { content: string }[]).at(-1)?.content));
      const inputs = [body.input].flat();
      const data = inputs.map((text, index) => ({ object: 'embedding', index, embedding: [String(text).length, 0.5] }));
      return {
        status: 200,
        body: { object: 'list', model: 'small', data, usage: { prompt_tokens: 3, total_tokens: 3 } },
      };
    });
    platform = await startPlatform();
    await platform.createUser('reader', ['ml_user']);
    const saved = await platform.ml('admin', 'POST', '/aicommander', {
      service: 'Platform_Hosted_Models',
      connection_name: 'team',
      model: 'small',
      servicesettings: { endpoint: { value: `${provider.url}/v1` }, access_token: { value: KEY } },
    });
    expect(saved.status, saved.text).to.equal(200);
  });
  beforeEach(() => {
    provider.asked.length = 0;
    answer = (prompt) => said(`re: ${prompt}`);
  });
  after(async () => {
    await platform.dispose();
    await provider.close();
  });

  it('adds an answer to each row, with the stored key', async () => {
    const { rows } = await search(
      `${ROWS} | mlchat prompt="Classify: {message}" ${MODEL} | table n answer answer_model answer_tokens answer_error`,
    );
    expect(rows).to.deep.equal(
      ['1', '2', '3'].map((n) => ({
        n,
        answer: `re: Classify: error ${n}`,
        answer_model: 'team/small',
        answer_tokens: '9',
        answer_error: '',
      })),
    );
    expect(provider.asked.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).to.equal(true);
  });

  it('makes one answer of all rows, and shows prompts without asking', async () => {
    const { rows } = await search(`${ROWS} | mlchat mode=all rows="n,message" prompt="Sum up: {rows}" ${MODEL}`);
    expect(rows).to.have.length(1);
    expect(rows[0]?.answer).to.equal('re: Sum up: n,message\n1,error 1\n2,error 2\n3,error 3');
    provider.asked.length = 0;
    const dry = await search(
      `${ROWS} | mlchat prompt="Say {n}" dryrun=true ${MODEL} | table answer_prompt answer_tokens_estimated`,
    );
    expect(dry.rows.map(({ answer_prompt }) => answer_prompt)).to.deep.equal(['Say 1', 'Say 2', 'Say 3']);
    expect(dry.rows.every(({ answer_tokens_estimated }) => Number(answer_tokens_estimated) > 0)).to.equal(true);
    expect(provider.asked).to.deep.equal([]);
  });

  it('embeds', async () => {
    const { rows, job: done } = await search(
      `${ROWS} | mlembed text="{message}" ${MODEL} | table n embedding embedding_model`,
    );
    expect(done.isFailed, JSON.stringify(done.messages)).to.equal(false);
    expect(rows).to.deep.equal(
      ['1', '2', '3'].map((n) => ({ n, embedding: '[7,0.5]', embedding_model: 'team/small' })),
    );
  });

  it('keeps failed rows with a warning, and fails when all rows fail', async () => {
    const refused: Scripted = { status: 400, body: { error: { message: 'not this', type: 'invalid_request_error' } } };
    answer = (prompt) => (prompt.endsWith('2') ? refused : said('ok'));
    const { rows, job: kept } = await search(
      `${ROWS} | mlchat prompt="{message}" ${MODEL} | table answer answer_error`,
    );
    expect(rows.map(({ answer: text = '', answer_error = '' }) => [text, answer_error])).to.deep.equal([
      ['ok', ''],
      ['', 'bad_request'],
      ['ok', ''],
    ]);
    expect(kept.messages.map(({ type, text }) => `${type} ${text}`)).to.deep.equal([
      'WARN mlchat: 1 row failed: bad_request 1',
    ]);
    answer = () => refused;
    const { job: failed } = await search(`${ROWS} | mlchat prompt="{message}" ${MODEL}`);
    expect(failed.isFailed).to.equal(true);
    expect(JSON.stringify(failed.messages)).to.include('all 3 rows failed');
    const { job: unknown } = await search(`${ROWS} | mlchat prompt="{message}" model="nobody/nothing"`);
    expect(JSON.stringify(unknown.messages)).to.include('not_found');
  });

  it('processes rows of many batches in order', async () => {
    const { rows } = await search(
      `| makeresults count=1500 | streamstats count as n | mlembed text="{n}" parallel=16 ${MODEL} | table n embedding`,
    );
    expect(rows).to.have.length(1500);
    expect(rows.every(({ n, embedding }, at) => n === String(at + 1) && embedding === `[${n.length},0.5]`)).to.equal(
      true,
    );
  });

  it('asks nothing more after a cancel', async () => {
    const started = await dispatch(
      platform,
      'reader',
      `| makeresults count=2000 | streamstats count as n | mlchat prompt="{n}" max_rows=2000 ${MODEL}`,
    );
    const { sid } = started.json;
    while (provider.asked.length < 20) await new Promise((resolve) => setTimeout(resolve, 20));
    await platform.call('reader', 'DELETE', `/services/search/jobs/${sid}`);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const asked = prompts().length;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(prompts().length).to.equal(asked);
    expect(asked).to.be.below(2000);
    expect(await job(platform, 'reader', sid)).to.equal(undefined);
  });
});
