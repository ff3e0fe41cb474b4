import { expect } from 'chai';
import {
  expectHarmless,
  FORMULA,
  HIDDEN,
  HOSTILE,
  LONG,
  MARKUP,
  SHOWN,
  watchDialogs,
} from '../../support/console/harm.ts';
import { callAdmin, type Walk, walkOf } from '../../support/console/walk.ts';
import { cloudEnv } from '../../support/e2e/cloud.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { fixture } from '../../support/models/onnx.ts';
import { type Peer, sendJson, startHttp } from '../../support/peers/listen.ts';
import { openSite, type Site } from '../../support/programs/browser.ts';

const PASSAGE = {
  content: { text: HOSTILE, type: 'TEXT' },
  location: { type: 'WEB', webLocation: { url: 'javascript:window.broken=1' } },
  score: 0.5,
  metadata: { [HIDDEN]: MARKUP, deep: FORMULA },
};
const CONTAINER = {
  id: HIDDEN,
  cluster: 'docker',
  connection_name: MARKUP,
  container_name: HOSTILE,
  image: MARKUP,
  image_reference: HOSTILE,
  api_url: 'javascript:window.broken=1',
  api_url_external: `http://outside.invalid/${MARKUP}`,
  jupyter_url: ' javascript:alert(1)',
  tensorboard_url: '',
  mlflow_url: '',
  spark_url: '',
  status: 'Failed',
  protocol: MARKUP,
  api_port: '1',
  https: '',
  mode: MARKUP,
  runtime: HIDDEN,
  hpa_enabled: '0',
  min_cpu: MARKUP,
  max_cpu: HIDDEN,
  min_memory: '',
  max_memory: '',
  min_replicas: '1',
  max_replicas: '1',
  cpu_threshold_percent: '',
  status_reason: MARKUP,
  status_message: HOSTILE + LONG,
  status_since: HIDDEN,
  probe_error: HIDDEN,
  restarts: MARKUP,
};
const LOG = [
  ...[HOSTILE, LONG, HIDDEN, FORMULA, '\u001b[31mred\u001b[0m'],
  ...Array.from({ length: 5000 }, (_, at) => `line ${at} ${MARKUP}`),
];

describe('the console: what hostile containers, stores and rows hold, in a browser', function () {
  this.timeout(120_000);
  let site: Site;
  let platform: TestPlatform;
  let cloud: Peer;
  let walk: Walk;
  let isRefusing = false;

  before(async function () {
    cloud = await startHttp((request, response) => {
      request.resume();
      if (isRefusing)
        return sendJson(response, 400, { message: HOSTILE + LONG }, { 'x-amzn-errortype': 'ValidationException' });
      const found = [PASSAGE, { ...PASSAGE, content: { text: LONG, type: 'TEXT' } }];
      sendJson(response, 200, { retrievalResults: [...found, ...Array.from({ length: 20 }, () => PASSAGE)] });
    });
    site = await openSite(this, { env: cloudEnv(cloud) });
    ({ platform } = site);
    watchDialogs(site.admin);
    walk = walkOf(site.admin, platform);
    const keys = { cloud_access_key_id: 'AKIAEXAMPLE', cloud_access_key_token: 'secret-of-a-test' };
    const details = { cloud_region: 'eu-central-1', kb_id: 'ABCDE12345', ...keys };
    await callAdmin(platform, 'POST', '/vector_stores', { name: 'Runbooks', type: 'CLOUD_KB', details });
    const model_file = fixture('linear').toString('base64');
    await callAdmin(platform, 'POST', '/upload_model', {
      model_name: 'line',
      features: 'a,b,c',
      targets: 'load',
      model_file,
    });
  });

  after(async () => {
    await site?.dispose();
    await cloud?.close();
  });

  it('is text in passages', async () => {
    await walk.open('playground?tab=retrieve&store=Runbooks');
    await walk.page.getByLabel('Query').fill(HOSTILE);
    await walk.press('Retrieve');
    const found = walk.page.getByRole('table', { name: 'Passages', exact: true });
    await walk.see(found, SHOWN);
    await walk.press('Metadata of 1', found);
    await expectHarmless(site.admin, 'passages');
    isRefusing = true;
    await walk.press('Retrieve');
    await walk.page.getByRole('alert').waitFor();
    await expectHarmless(site.admin, 'a refusal of a store');
  });

  it('is text in the columns and rows of predictions', async () => {
    await walk.open('playground?tab=predict&model=line');
    const good = { a: 1, b: 2, c: 3 };
    const others = { [MARKUP]: HOSTILE, [HIDDEN]: HIDDEN, [FORMULA]: FORMULA, Row: 'row', Error: 'error', load: LONG };
    const wide = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`c${at}`, 1]));
    const rows = [
      ...[
        { ...good, ...others, ...wide },
        { a: MARKUP, constructor: 1 },
      ],
      ...Array.from({ length: 250 }, () => ({ ...good, ...wide })),
    ];
    await walk.page.getByLabel('Rows', { exact: true }).fill(JSON.stringify(rows));
    await walk.press('Predict');

    await walk.see(walk.page, /rows have a prediction/, SHOWN);

    await walk.see(walk.page, /Of their columns, the first 40 are shown\./);
    expect(await walk.page.getByText('native code').count(), 'what every object has').to.equal(0);
    await expectHarmless(site.admin, 'predictions');

    await walk.press('In a search');

    await expectHarmless(site.admin, 'the search of a prediction');
  });

  it('is text in containers and their logs', async () => {
    const { page } = walk;
    await page.route(/\/ml\/container_data/, (route) =>
      route.fulfill({ json: { status: 'success', message: '', config: { churn: CONTAINER, [MARKUP]: CONTAINER } } }),
    );
    const entries = LOG.map((log) => ({ _time: '2026-01-01T00:00:00.000Z', log }));
    await page.route(/\/ml\/container_logs/, (route) =>
      route.fulfill({ json: { status: 'success', message: '', container_logs: { entries } } }),
    );
    await walk.open('overview');
    await walk.see(page, SHOWN);
    await expectHarmless(site.admin, 'a container on the overview');
    await walk.open('containers?name=churn');
    const panel = walk.dialog('churn');
    await walk.see(panel, SHOWN);
    await expectHarmless(site.admin, 'the panel of a container');

    await walk.press('Logs', panel);
    const logs = walk.dialog('Logs of churn');
    await walk.see(logs, /5,005 lines/);
    expect(await logs.getByRole('region').textContent(), 'colours of a terminal').to.contain('Z red\n');

    await walk.fill(logs, { 'Search in the log': 'script' });

    await expectHarmless(site.admin, 'a log');
  });
});
