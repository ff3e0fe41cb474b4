import { createServer } from 'node:http';
import { expect } from 'chai';
import { startManyEngine } from '../../../support/containers/manyEngine.ts';
import { expectStatus, startPlatform, type TestPlatform } from '../../../support/e2e/platform.ts';
import { listen, readBody, sendJson } from '../../../support/peers/listen.ts';
import { searched } from '../../agents/agentSupport.ts';
import { ContainerClient } from '../../containers/containerSupport.ts';

/** Doubles a number, as MLflow's scoring server would answer it, and refuses one. */
const doubling = createServer(async (request, response) => {
  if (request.url === '/version') return response.end('3.17.2');
  if (request.url === '/ping') return response.end('\n');
  if (request.url !== '/invocations') return sendJson(response, 404, {});
  const { columns, data } = JSON.parse(await readBody(request)).dataframe_split;
  if (columns.join() !== 'n') return sendJson(response, 400, { message: `columns ${columns}` });
  if (data.flat().includes(4)) return sendJson(response, 400, { message: 'not 4' });
  return sendJson(response, 200, { predictions: data.map(([n]: number[]) => 2 * (n ?? 0)) });
});

const speaking = createServer(async (request, response) => {
  if (request.url === '/v1/models') return sendJson(response, 200, { data: [{ id: 'tiny' }] });
  if (request.url !== '/v1/chat/completions') return sendJson(response, 404, {});
  const { model, messages } = JSON.parse(await readBody(request));
  const message = { role: 'assistant', content: `${model}: ${messages.at(-1).content}` };
  return sendJson(response, 200, { choices: [{ index: 0, message, finish_reason: 'stop' }] });
});

describe('searches that use models in containers', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  const closers: (() => Promise<void>)[] = [];

  before(async () => {
    platform = await startPlatform();
    await platform.createUser('analyst', ['ml_user']);
    const servers = [await listen(doubling), await listen(speaking)];
    const engine = await startManyEngine(servers.map(({ port }) => port));
    closers.push(engine.close, ...servers.map(({ close }) => close));
    const client = new ContainerClient(platform);
    expectStatus(await client.save(engine.connection), 200, 'a connection');
    await client.data();
    engine.belongsTo(await client.installation());
    // Both are found in the engine now, and by their protocols.
    const { config } = (await client.data()).json;
    expect([config['model-0'].protocol, config['model-1'].protocol]).to.deep.equal(['mlflow', 'openai']);
  });
  after(async () => {
    await platform?.dispose();
    await Promise.all(closers.map((close) => close()));
  });

  it('predict, and a bad row fails alone', async () => {
    const rows = '| makeresults count=1200 | streamstats count as n | table n';
    const text = `${rows} | mlpredict model=container:model-0 | table n prediction prediction_error prediction_error_message`;
    const found = (await searched(platform, 'analyst', text)).rows;
    expect(found).to.deep.equal(
      Array.from({ length: 1200 }, (_, index) => {
        const n = index + 1;
        const good = { n: `${n}`, prediction: `${2 * n}`, prediction_error: '', prediction_error_message: '' };
        const said = { prediction_error: 'bad_request', prediction_error_message: 'The container answered 400: not 4' };
        return n === 4 ? { ...good, prediction: '', ...said } : good;
      }),
    );
  });

  it('ask a language model', async () => {
    const text =
      '| makeresults | eval word="hello" | mlchat model=container/model-1 prompt="Say {word}" | table answer';
    expect((await searched(platform, 'analyst', text)).rows).to.deep.equal([{ answer: 'tiny: Say hello' }]);
  });
});
