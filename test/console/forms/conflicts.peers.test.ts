import { expect } from 'chai';
import { hasFocus } from '../../support/console/hands.ts';
import { callAdmin } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, openView, type Site, type Visit } from '../../support/programs/browser.ts';

/** A kind of record that the console and another user change at once: the console changes `label`. */
interface Shared {
  /** @returns the name in the address of the page */
  make(call: Call): Promise<string>;
  view: string;
  title: string;
  label: string;
  value?: string;
  save?: string;
  /** The change of the other user. */
  theirs(call: Call, address: string): Promise<unknown>;
  /** Path of the record. */
  path(address: string): string;
  expected: { mine: [path: string, value: unknown]; theirs: [path: string, value: unknown] };
}
type Call = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  status?: number,
) => Promise<Record<string, unknown>>;

const CANARY = 'canary-of-a-conflict-4745';
/** More than the dialog has. */
const MOST_STOPS = 20;
const NOBODY = 'http://127.0.0.1:9';
const DESCRIPTION: [string, unknown] = ['description', '77'];

const SHARED: Readonly<Record<string, Shared>> = {
  'an MCP connection': {
    async make(call) {
      await call('POST', '/mcp_connection', {
        name: 'Both',
        type: 'PLATFORM',
        details: { url: `${NOBODY}/mcp`, token: CANARY },
      });
      return 'Both';
    },
    view: 'connections?',
    title: 'Both',
    label: 'Description',
    theirs: (call) => call('PUT', '/mcp_connection', { name: 'Both', description: 'theirs', tools_allowed: ['one'] }),
    path: (name) => `/mcp_connection/${name}`,
    expected: { mine: DESCRIPTION, theirs: ['tools_allowed', ['one']] },
  },
  'an LLM configuration': {
    async make(call) {
      const servicesettings = { endpoint: { value: `${NOBODY}/v1` } };
      await call('POST', '/aicommander', { ...LLM, servicesettings });
      return 'General_Chat/both/gpt';
    },
    view: 'connections?tab=llm&',
    title: 'gpt (both)',
    label: 'Request timeout',
    theirs: (call) =>
      call('POST', '/aicommander', {
        ...LLM,
        servicesettings: { endpoint: { value: 'http://127.0.0.2:9/v1' }, request_timeout: { value: 50 } },
      }),
    path: (address) => `/aicommander/${address}`,
    expected: {
      mine: ['servicesettings.request_timeout.value', 77],
      theirs: ['servicesettings.endpoint.value', 'http://127.0.0.2:9/v1'],
    },
  },
  'a container connection': {
    async make(call) {
      await call('POST', '/container_connection', { payload: { ...DOCKER, docker_url: 'tcp://127.0.0.1:9' } });
      return 'docker/both';
    },
    view: 'connections?tab=containers&',
    title: 'both',
    label: 'External host',
    value: 'mine.example.com',
    save: 'Save without test',
    theirs: (call) =>
      call('POST', '/container_connection', {
        payload: {
          ...DOCKER,
          is_edit: 'true',
          docker_network: 'theirs',
          endpoint_hostname_external: 'theirs.example.com',
        },
      }),
    path: (address) => `/container_connection/${address}`,
    expected: { mine: ['endpoint_hostname_external', 'mine.example.com'], theirs: ['docker_network', 'theirs'] },
  },
  'a vector store': {
    async make(call) {
      const details = { cloud_region: 'eu-central-1', kb_id: 'ABCDE12345' };
      await call('POST', '/vector_stores', { name: 'Both', type: 'CLOUD_KB', details });
      return 'Both';
    },
    view: 'connections?tab=vectors&',
    title: 'Both',
    label: 'Description',
    theirs: (call) =>
      call('PUT', '/vector_stores', { name: 'Both', description: 'theirs', details: { kb_id: 'ZZZZZ12345' } }),
    path: (address) => `/vector_stores/${address}`,
    expected: { mine: DESCRIPTION, theirs: ['details.kb_id', 'ZZZZZ12345'] },
  },
  'an experiment': {
    async make(call) {
      const { experiment_id } = await call('POST', '/experiments', { title: 'Both', type: 'smart_forecast' });
      return String(experiment_id);
    },
    view: 'experiments?',
    title: 'Both',
    label: 'Description',
    theirs: (call, id) => call('POST', `/experiments/${id}`, { description: 'theirs', tags: ['theirs'] }),
    path: (id) => `/experiments/${id}`,
    expected: { mine: DESCRIPTION, theirs: ['tags', ['theirs']] },
  },
  'an agent': {
    async make(call) {
      // Without a cloud the agent is stored as failed.
      await call('POST', '/agents', { name: 'both', system_prompt: 'Be careful.' }, 502);
      return 'both';
    },
    view: 'agents?',
    title: 'both',
    label: 'Description',
    theirs: (call) => call('PUT', '/agents', { name: 'both', description: 'theirs', system_prompt: 'Be bold.' }),
    path: (name) => `/agents/${name}`,
    expected: { mine: DESCRIPTION, theirs: ['system_prompt', 'Be bold.'] },
  },
};

const DOCKER = { container_type: 'docker', connection_name: 'both' };
const LLM = { service: 'General_Chat', connection_name: 'both', model: 'gpt' };

describe('the console: concurrent changes of a record', () => {
  let site: Site;
  let platform: TestPlatform;
  let admin: Visit;

  before(async function () {
    site = await openSite(this);
    ({ platform, admin } = site);
  });

  after(() => site?.dispose());

  const call: Call = (method, path, body, status) => callAdmin(platform, method, path, body, status);

  for (const [what, shared] of Object.entries(SHARED)) {
    it(`merges two changes of ${what}, and reports that it was deleted`, async () => {
      const { page } = admin;
      const { title, label, value = '77', save = 'Save', expected } = shared;
      const address = await shared.make(call);
      await openView(admin, platform, `${shared.view}name=${encodeURIComponent(address)}`);
      const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
      const press = (where: string, name: string) =>
        dialog(where).getByRole('button', { name, exact: true }).last().click();
      await press(title, 'Edit');
      await dialog(`Edit ${title}`).getByLabel(label, { exact: true }).fill(value);
      await shared.theirs(call, address);
      await press(`Edit ${title}`, save);
      const conflict = dialog('Someone else has changed this');
      await conflict.getByRole('row', { name: new RegExp(`^${label}`) }).waitFor();
      expect(await page.content()).to.not.contain(CANARY);
      await press('Someone else has changed this', 'Apply');
      await press(`Edit ${title}`, save);
      await dialog(`Edit ${title}`).waitFor({ state: 'detached' });
      await dialog(title).getByText(value, { exact: true }).first().waitFor();
      const { config } = await call('GET', shared.path(address));
      expect(at(config, expected.mine[0])).to.deep.equal(expected.mine[1]);
      expect(at(config, expected.theirs[0])).to.deep.equal(expected.theirs[1]);

      await press(title, 'Delete');
      await call('DELETE', shared.path(address));
      await press(`Delete ${title}?`, 'Delete');
      await dialog(`${title} no longer exists`).getByText('Someone else deleted it').waitFor();
      await press(`${title} no longer exists`, 'Close');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });
  }

  it('asks for each field that both have changed, by keyboard, with radio buttons that say whose value is kept', async () => {
    const { page } = admin;
    await call('POST', '/mcp_connection', { name: 'Fields', type: 'PLATFORM', details: { url: `${NOBODY}/mcp` } });
    await openView(admin, platform, 'connections?name=Fields&edit=1');
    const form = page.getByRole('dialog', { name: 'Edit Fields' });
    await form.getByLabel('Description', { exact: true }).fill('of mine');
    await form.getByLabel('Address', { exact: true }).fill(`${NOBODY}/mine`);
    await call('PUT', '/mcp_connection', {
      ...{ name: 'Fields', description: 'of them', details: { url: `${NOBODY}/theirs` } },
    });
    await form.getByRole('button', { name: 'Save', exact: true }).click();

    const conflict = page.getByRole('dialog', { name: 'Someone else has changed this' });
    const choice = (label: string) => conflict.getByRole('radiogroup', { name: `Keep ${label}`, exact: true });
    const option = (label: string, side: string) => choice(label).getByRole('radio', { name: side, exact: true });
    await conflict.waitFor();
    for (const label of ['Description', 'Address']) {
      expect(await choice(label).getByRole('radio').count()).to.equal(2);
      expect(await option(label, 'Mine').isChecked()).to.equal(true);
    }
    await expectAccessible(admin, 'the choice of values');
    await option('Description', 'Mine').focus();
    await page.keyboard.press('ArrowDown');
    expect(await option('Description', 'Theirs').isChecked()).to.equal(true);
    expect(await option('Address', 'Mine').isChecked()).to.equal(true);
    const apply = conflict.getByRole('button', { name: 'Apply', exact: true });
    for (let stops = 0; !(await hasFocus(apply)) && stops < MOST_STOPS; stops++) await page.keyboard.press('Tab');
    expect(await hasFocus(apply), 'Tab reaches Apply').to.equal(true);
    await page.keyboard.press('Enter');

    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    const { config } = await call('GET', '/mcp_connection/Fields');
    expect([at(config, 'description'), at(config, 'details.url')]).to.deep.equal(['of them', `${NOBODY}/mine`]);
  });

  it('does not delete a record that has changed meanwhile before it was shown', async () => {
    const { page } = admin;
    const address = await SHARED['an MCP connection']?.make(call);
    await openView(admin, platform, `connections?name=${address}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await call('PUT', '/mcp_connection', { name: 'Both', description: 'of somebody else' });
    const question = page.getByRole('dialog', { name: 'Delete Both?' });
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await question.getByText('Check it before you delete it').waitFor();
    await page.getByRole('dialog', { name: 'Both', exact: true }).getByText('of somebody else').waitFor();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    expect((await platform.ml('admin', 'GET', '/mcp_connection/Both')).status).to.equal(404);
  });
});

/** The value at a dotted path. */
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((one, key) => (one as Record<string, unknown> | undefined)?.[key], value);
