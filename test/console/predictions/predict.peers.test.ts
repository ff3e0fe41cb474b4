import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { searched } from '../../e2e/agents/agentSupport.ts';
import { callAdmin, expectNoComplaints, expectNowhere, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { fixture } from '../../support/models/onnx.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { expectAccessible, openSite, type Site } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

const CANARY = 'canary-of-predictions-4714';
const REGISTRATION = {
  model_name: 'load',
  endpoint_name: 'ready',
  cloud_credentials: { region: 'eu-central-1', access_key_id: 'AKIAEXAMPLE', secret_access_key: CANARY },
  input_feature_map: { cpu: 'instances[*].cpu', memory: 'instances[*].memory' },
  output_prediction_map: { 'predictions[*]': 'load' },
  acl: { sharing: 'app', perms: { read: ['*'], write: [] } },
};

describe('the console: predictions, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let peer: KeyedPeer;

  before(async function () {
    peer = await KeyedPeer.start();
    peer.working.add(CANARY);
    peer.aws.add(CANARY);
    site = await openSite(this);
    ({ platform } = site);
    await platform.setConf('aws', { endpoint_url: peer.url });
    const made = () => platform.ml('admin', 'POST', '/register_model', REGISTRATION);
    await eventually(
      async () => [200, 409].includes((await made()).status),
      20_000,
      'the address of AWS to take effect',
    );
    await platform.createUser('reader', ['ml_user']);
    await platform.createUser('guest', ['user']);
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  const opened = async (walk: Walk, name = 'load'): Promise<Locator> => {
    await walk.open(`models?name=${name}`);
    await walk.press('Predict', walk.dialog(name));
    return walk.dialog(`Predict with ${name}`);
  };
  const table = async (form: Locator, name = 'Predictions of load'): Promise<string[]> => {
    const found = form.getByRole('table', { name });
    await found.waitFor();
    const rows = await found.getByRole('row').all();
    return Promise.all(rows.map(async (row) => (await row.locator('th, td').allTextContents()).join('|')));
  };

  it('are made from pasted rows, by somebody who may only read the model', async () => {
    const visit = await site.visit('reader');
    const walk = walkOf(visit, platform);
    const form = await opened(walk);
    const rows = form.getByLabel('Rows', { exact: true });
    expect(await rows.inputValue()).to.equal('cpu,memory\n');
    await walk.press('Predict', form);
    await walk.see(form, /There are no rows/);
    await rows.fill('cpu,memory,host\n1,2,a\n3,,b\n');
    await walk.press('Predict', form);
    expect(await table(form)).to.deep.equal([
      'Row|load|Error|cpu|memory|host',
      '1|3||1|2|a',
      '2|–|missing_field: The field memory is missing or empty|3|–|b',
    ]);
    await walk.see(form, '1 of 2 rows have a prediction.');
    await expectAccessible(visit, 'predictions');
    await rows.fill('[{"cpu": 0.5, "memory": 0.25}]');
    await walk.press('Predict', form);
    await walk.see(form, '1 of 1 rows have a prediction.');
    expect(await table(form)).to.deep.equal(['Row|load|cpu|memory', '1|0.75|0.5|0.25']);
    await walk.page.reload();
    await walk.press('Close', walk.dialog('Predict with load'));
    await walk.press('Predict', walk.dialog('load'));
    await expectNowhere(visit, CANARY);
    expectNoComplaints(visit);
    await visit.context.close();
  });

  it('are made from a file, and show the first of many rows', async () => {
    const walk = walkOf(site.admin, platform);
    const form = await opened(walk);
    const path = join(platform.home, 'rows.csv');
    writeFileSync(path, `cpu,memory\n${Array.from({ length: 1000 }, (_, at) => `${at},1\n`).join('')}`);
    await form.getByLabel('File with rows').setInputFiles(path);
    const rows = form.getByLabel('Rows', { exact: true });
    await eventually(async () => (await rows.inputValue()).includes('999,1'), 20_000, 'the rows of the file');
    await walk.press('Predict', form);
    await walk.see(form, '1,000 of 1,000 rows have a prediction. The first 200 are shown.');
    const shown = await table(form);
    expect([shown.length, shown.at(-1)]).to.deep.equal([201, '200|200|199|1']);
    const large = join(platform.home, 'large.csv');
    writeFileSync(large, 'x'.repeat(8_000_001));
    await form.getByLabel('File with rows').setInputFiles(large);
    await walk.see(form, 'The file has more than 8 MB');
  });

  it('are made with an uploaded model, whose inputs and outputs its panel shows', async () => {
    const model_file = fixture('linear').toString('base64');
    const body = { model_name: 'line', features: 'a,b,c', targets: 'load', model_file };
    await callAdmin(platform, 'POST', '/upload_model', body);
    const walk = walkOf(site.admin, platform);
    await walk.open('models?name=line');
    expect(await table(walk.dialog('line'), 'Inputs and outputs of line')).to.deep.equal([
      'Name|Kind|Type|Shape',
      'X|Input|float32|any × 3',
      'Y|Output|float32|any × 1',
    ]);
    const form = await opened(walk, 'line');
    await form.getByLabel('Rows', { exact: true }).fill('a,b,c,load\n1,2,3,x\n');
    await walk.press('Predict', form);
    await walk.see(form, '1 of 1 rows have a prediction.');
    expect((await table(form, 'Predictions of line'))[0]).to.equal('Row|predicted(load)|a|b|c|load');
    await walk.press('In a search', form);
    await walk.see(form, '| makeresults | eval "a"=1, "b"=2, "c"=3, "load"="x" | mlpredict model="line"');
    const search =
      '| makeresults | eval "a"=1, "b"=2, "c"=3, "load"="x" | mlpredict model="line" | table "predicted(load)"';
    expect((await searched(platform, 'admin', search)).rows).to.deep.equal([{ 'predicted(load)': '8' }]);
  });

  it('say why they fail, keep the rows, and can be stopped', async () => {
    const walk = walkOf(site.admin, platform);
    const form = await opened(walk);
    const rows = form.getByLabel('Rows', { exact: true });
    await rows.fill('cpu,memory\n1,2\n');
    peer.working.delete(CANARY);
    await walk.press('Predict', form);
    await walk.see(form, 'auth_failed');
    peer.working.add(CANARY);
    const gate = peer.hold();
    await walk.press('Predict', form);
    await gate.arrived;
    await walk.press('Stop waiting', form);
    gate.release();
    expect(await rows.inputValue()).to.equal('cpu,memory\n1,2\n');
    await walk.press('Predict', form);
    await walk.see(form, '1 of 1 rows have a prediction.');
  });

  it('are refused before the click to those who may not use the gateway', async () => {
    const visit = await site.visit('guest');
    const walk = walkOf(visit, platform);
    await walk.open('models?name=load');
    const button = walk.dialog('load').getByRole('button', { name: 'Predict', exact: true });
    await button.hover();
    await walk.see(walk.page, 'You need the capability use_ai_gateway');
    await visit.context.close();
  });
});
