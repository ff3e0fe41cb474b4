import { expect } from 'chai';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { fixture } from '../../support/models/onnx.ts';
import { openSite, type Site } from '../../support/programs/browser.ts';

describe('the console: experiments, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let walk: Walk;

  before(async function () {
    site = await openSite(this);
    ({ platform } = site);
    walk = walkOf(site.admin, platform);
  });

  after(() => site?.dispose());

  const make = async (title: string, more: object = {}): Promise<string> =>
    (await callAdmin(platform, 'POST', '/experiments', { title, type: 'forecast_time_series', ...more })).experiment_id;
  const models = async () =>
    (await callAdmin(platform, 'GET', '/list_models')).result.map(({ name }: { name: string }) => name);

  it('makes an experiment with a stage, and proposes a title for its clone', async () => {
    const { page } = walk;
    const form = await walk.openForm('experiments', 'experiment');
    await walk.press('Save', form);
    await walk.see(form, 'Title is required');
    await walk.fill(form, { Title: 'Disks <b>' });
    await walk.choose(form, 'type', 'Smart forecast');
    await walk.press('Add stage', form);
    await walk.press('Save', form);
    await walk.see(form, 'Stage 1: SPL is required');
    await walk.fill(form, { SPL: 'fit LinearRegression a from b' });
    await walk.press('Save', form);
    const panel = walk.dialog('Disks <b>');
    await walk.see(panel, 'fit LinearRegression a from b');
    await panel.getByRole('button', { name: 'Copy SPL of stage 1' }).waitFor();
    const id = new URL(page.url()).searchParams.get('name');
    const { config } = await callAdmin(platform, 'GET', `/experiments/${id}`);
    expect(config.search_stages).to.deep.equal([{ role: 'preprocess', search: 'fit LinearRegression a from b' }]);

    await walk.press('Clone', panel);
    await walk.press('Save', walk.dialog('Clone Disks <b>'));
    await walk.see(walk.dialog('Copy of Disks <b>'), 'fit LinearRegression a from b');
    expectNoComplaints(site.admin);
  });

  it('keeps the filters in the address, and sends them to the server', async () => {
    const { page } = walk;
    await make('A forecast');
    await make('A cluster', { type: 'smart_clustering' });
    await walk.open('experiments');
    await page.getByRole('link', { name: 'A forecast' }).waitFor();
    await page.getByRole('combobox', { name: /^Type/ }).click();
    await page.getByRole('option', { name: 'Smart clustering' }).click();
    await page.waitForURL(/type=smart_clustering/);
    await page.getByRole('link', { name: 'A forecast' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'A cluster' }).waitFor();
    await walk.fill(page, { Owner: 'nobody-of-that-name' });
    await page.keyboard.press('Enter');
    await walk.see(page, 'No experiments match');
    await walk.press('Clear search and filters');
    await page.getByRole('link', { name: 'A forecast' }).waitFor();
    expect(new URL(page.url()).search).to.equal('');
  });

  it('shows statistics of the history as lines and numbers, pages and filters it, and adds notes', async () => {
    const { page } = walk;
    const id = await make('With runs');
    for (let run = 1; run <= 12; run++) {
      const statistics = { r_squared: run / 100, deep: { er: run } };
      const status = run === 7 ? 'fail' : 'success';
      const entry = { action: 'train', status, statistics, message: `Run ${run}.` };
      await callAdmin(platform, 'POST', `/experiments/${id}/history`, entry);
    }
    await walk.open(`experiments?name=${id}`);
    const panel = walk.dialog('With runs');
    await walk.see(panel, 'Run 12.');
    await panel.getByRole('img', { name: 'r_squared: 12 values, lowest 0.01, highest 0.12, last 0.12' }).waitFor();
    await walk.press('Numbers of deep.er', panel);
    const numbers = panel.getByRole('table', { name: 'Numbers of deep.er' });
    await numbers.waitFor();
    expect(await numbers.getByRole('row').count()).to.equal(13);
    expect(await panel.getByText('Run 1.').count(), 'on another page').to.equal(0);
    const filter = async (outcome: string) => {
      await panel.getByRole('combobox', { name: /^Outcome/ }).click();
      await page.getByRole('option', { name: outcome }).click();
    };
    await filter('Failed');
    await panel.getByText('Run 12.').waitFor({ state: 'detached' });
    await walk.see(panel, 'Trained: failed');
    expect(new URL(page.url()).searchParams.get('history_status')).to.equal('fail');
    await filter('any');

    await walk.press('Add note', panel);
    const note = walk.dialog('Add a note to With runs');
    await walk.press('Save', note);
    await walk.see(note, 'Note is required');
    await walk.fill(note, { Note: 'Looks <i>good</i>' });
    await walk.press('Save', note);
    await walk.see(panel.getByRole('list', { name: 'History, newest first' }), 'Looks <i>good</i>');
  });

  it('clones models to names of their own, shows the outcome of each, and can keep them', async () => {
    const id = await make('To publish');
    const draft = `_exp_draft_${id}`;
    const model_file = fixture('linear').toString('base64');
    const upload = { model_name: draft, features: ['a', 'b', 'c'], targets: 'y', model_file };
    await callAdmin(platform, 'POST', '/upload_model', upload);
    await walk.open(`experiments?name=${id}`);
    for (const outcome of ['cloned', 'skipped: name exists']) {
      await walk.press('Clone models');
      const form = walk.dialog('Clone models of To publish');
      await form.getByRole('checkbox', { name: `Clone ${draft}` }).waitFor();
      await walk.press('Apply', form);
      await walk.see(form.getByRole('table', { name: 'Copies' }), outcome);
      await walk.press('Done');
    }
    expect(await models()).to.have.members([draft, `_exp_${id}`]);

    await walk.press('Delete');
    await walk.page.getByText('Keep its models').click();
    await walk.press('Delete', walk.dialog('Delete To publish?'));
    await walk.page.getByRole('link', { name: 'To publish' }).waitFor({ state: 'detached' });
    expect(await models()).to.have.length(2);
  });
});
