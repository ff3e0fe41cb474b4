import { expect } from 'chai';
import { expectAccessible, inEveryLook, openSite, openView, type Site, type Visit } from '../support/browser.ts';
import type { TestPlatform } from '../support/e2e/platform.ts';
import { fixture } from '../support/onnx.ts';

describe('the console: experiments, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let admin: Visit;

  before(async function () {
    site = await openSite(this);
    ({ platform, admin } = site);
  });

  after(() => site?.dispose());

  const post = async (path: string, body: object) => {
    const reply = await platform.ml('admin', 'POST', path, body);
    expect(reply.status, reply.text.slice(0, 300)).to.equal(200);
    return reply.json;
  };
  const make = async (title: string, more: object = {}): Promise<string> =>
    (await post('/experiments', { title, type: 'forecast_time_series', ...more })).experiment_id;
  const stored = async (id: string) => (await platform.ml('admin', 'GET', `/experiments/${id}`)).json.config;
  const idOf = ({ page }: Visit) => new URL(page.url()).searchParams.get('name') ?? '';

  it('a newcomer makes one with a stage, changes it, clones it and deletes the clone', async () => {
    const { page, complaints } = admin;
    await openView(admin, platform, 'experiments');
    await page.getByText('No experiments yet').waitFor();
    await page.getByRole('button', { name: 'New experiment' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New experiment' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Title is required').waitFor();
    await dialog.getByLabel('Title').fill('Disks <b>');
    await dialog.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Smart forecast' }).click();
    await dialog.getByRole('button', { name: 'Add stage' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Stage 1: SPL is required').waitFor();
    await dialog.getByLabel('SPL').fill('fit LinearRegression a from b');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const panel = page.getByRole('dialog', { name: 'Disks <b>', exact: true });
    await panel.getByText('fit LinearRegression a from b').waitFor();
    await panel.getByRole('button', { name: 'Copy SPL of stage 1' }).waitFor();
    const before = await stored(idOf(admin));
    expect(before.search_stages).to.deep.equal([{ role: 'preprocess', search: 'fit LinearRegression a from b' }]);

    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('changed');
    await page.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('changed', { exact: true }).waitFor();
    const { description, version, last_updated_at: _1, ...after } = await stored(idOf(admin));
    const { description: _2, version: first, last_updated_at: _3, ...was } = before;
    expect([description, version]).to.deep.equal(['changed', first + 1]);
    expect(after).to.deep.equal(was);

    await panel.getByRole('button', { name: 'Clone', exact: true }).click();
    await page.getByRole('dialog', { name: 'Clone Disks <b>' }).getByRole('button', { name: 'Save' }).click();
    const copy = page.getByRole('dialog', { name: 'Copy of Disks <b>', exact: true });
    await copy.getByText('fit LinearRegression a from b').waitFor();
    await copy.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Delete Copy of Disks <b>?' });
    await question.getByText('Keep its models').waitFor();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('link', { name: 'Copy of Disks <b>' }).waitFor({ state: 'detached' });
    expect(complaints.errors).to.deep.equal([]);
    expect(complaints.strangers).to.deep.equal([]);
    expect(complaints.refused).to.deep.equal([]);
  });

  it('filters stand in the address, and go to the server', async () => {
    const { page } = admin;
    await make('A forecast');
    await make('A cluster', { type: 'smart_clustering' });
    await openView(admin, platform, 'experiments');
    await page.getByRole('link', { name: 'A forecast' }).waitFor();
    await page.getByRole('combobox', { name: /^Type/ }).click();
    await page.getByRole('option', { name: 'Smart clustering' }).click();
    await page.waitForURL(/type=smart_clustering/);
    await page.getByRole('link', { name: 'A forecast' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'A cluster' }).waitFor();
    await page.getByLabel('Owner').fill('nobody-of-that-name');
    await page.keyboard.press('Enter');
    await page.getByText('No experiments match').waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('link', { name: 'A forecast' }).waitFor();
    expect(new URL(page.url()).search).to.equal('');
  });

  it('the history has its statistics as lines and as numbers, its pages and filters, and takes notes', async () => {
    const { page } = admin;
    const id = await make('With runs');
    for (let run = 1; run <= 12; run++) {
      const statistics = { r_squared: run / 100, deep: { er: run } };
      const status = run === 7 ? 'fail' : 'success';
      await post(`/experiments/${id}/history`, { action: 'train', status, statistics, message: `Run ${run}.` });
    }
    await openView(admin, platform, `experiments?name=${id}`);
    const panel = page.getByRole('dialog', { name: 'With runs', exact: true });
    await panel.getByText('Run 12.').waitFor();
    await panel.getByRole('img', { name: 'r_squared: 12 values, lowest 0.01, highest 0.12, last 0.12' }).waitFor();
    await panel.getByText('Numbers of deep.er').click();
    await panel.getByRole('table', { name: 'Numbers of deep.er' }).waitFor();
    expect(await panel.getByRole('table', { name: 'Numbers of deep.er' }).getByRole('row').count()).to.equal(13);
    expect(await panel.getByText('Run 1.').count(), 'on another page').to.equal(0);
    await panel.getByRole('combobox', { name: /^Outcome/ }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await panel.getByText('Run 12.').waitFor({ state: 'detached' });
    await panel.getByText('Trained: failed').waitFor();
    expect(new URL(page.url()).searchParams.get('history_status')).to.equal('fail');
    await panel.getByRole('combobox', { name: /^Outcome/ }).click();
    await page.getByRole('option', { name: 'any' }).click();

    await panel.getByRole('button', { name: 'Add note' }).click();
    const note = page.getByRole('dialog', { name: 'Add a note to With runs' });
    await note.getByRole('button', { name: 'Save' }).click();
    await note.getByText('Note is required').waitFor();
    await note.getByLabel('Note').fill('Looks <i>good</i>');
    await note.getByRole('button', { name: 'Save' }).click();
    await panel.getByRole('list', { name: 'History, newest first' }).getByText('Looks <i>good</i>').waitFor();
  });

  it('models are cloned to names of their own, and each copy says what became of it', async () => {
    const { page } = admin;
    const id = await make('To publish');
    const draft = `_exp_draft_${id}`;
    const model_file = fixture('linear').toString('base64');
    await post('/upload_model', { model_name: draft, features: ['a', 'b', 'c'], targets: 'y', model_file });
    await openView(admin, platform, `experiments?name=${id}`);
    const apply = async () => {
      await page.getByRole('button', { name: 'Clone models' }).click();
      const dialog = page.getByRole('dialog', { name: 'Clone models of To publish' });
      await dialog.getByRole('checkbox', { name: `Clone ${draft}` }).waitFor();
      await dialog.getByRole('button', { name: 'Apply' }).click();
      return dialog.getByRole('table', { name: 'Copies' });
    };
    await (await apply()).getByText('cloned').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await (await apply()).getByText('skipped: name exists').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const listed = (await platform.ml('admin', 'GET', '/list_models')).json.result.map(
      (one: { name: string }) => one.name,
    );
    expect(listed).to.have.members([draft, `_exp_${id}`]);

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Keep its models').click();
    await page.getByRole('dialog', { name: 'Delete To publish?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'To publish' }).waitFor({ state: 'detached' });
    expect((await platform.ml('admin', 'GET', '/list_models')).json.result).to.have.length(2);
  });

  inEveryLook(
    () => site,
    async (visit, { theme, width }) => {
      const { page } = visit;
      const id = await make(`For everybody ${theme} ${width}`, {
        search_stages: [{ role: 'fit', search: 'fit LinearRegression a from b', model_name: 'a_model' }],
      });
      await post(`/experiments/${id}/history`, { action: 'train', statistics: { r_squared: 0.5 }, message: 'A run' });
      await openView(visit, platform, 'experiments');
      await page.getByRole('table', { name: 'experiments' }).waitFor();
      await expectAccessible(visit, 'the list');
      await openView(visit, platform, `experiments?name=${id}`);
      await page.getByText('A run').waitFor();
      await page.getByText('Numbers of r_squared').click();
      await page.getByRole('table', { name: 'Numbers of r_squared' }).waitFor();
      await expectAccessible(visit, 'the panel');
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('dialog', { name: /^Edit/ }).getByLabel('SPL').waitFor();
      await expectAccessible(visit, 'the form');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Clone models' }).click();
      await page.getByRole('checkbox', { name: 'Clone a_model' }).waitFor();
      await expectAccessible(visit, 'the copies');
    },
  );
});
