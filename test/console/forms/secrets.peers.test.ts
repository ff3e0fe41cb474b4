import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { openSite, openView, type Site, untilQuiet } from '../../support/programs/browser.ts';

const CANARY = 'canary-of-every-field-4741';

// The types of the pages are compiled separately.
const { FIELDS } = (await import(new URL('../../../console/generated/fields.ts', import.meta.url).href)) as {
  FIELDS: Record<string, { path: string; kind: string; secret?: true }[]>;
};

/** A form, and the steps that show its secret fields one after the other. */
interface Form {
  view: string;
  button: string;
  operation: string;
  /** Where secrets may be sent to, below `/ml/`. */
  sentTo: RegExp;
  ways: readonly ((form: Locator) => Promise<void>)[];
  finish(form: Locator): Promise<void>;
}

describe('the console: typed secrets appear nowhere else', () => {
  let site: Site;
  let platform: TestPlatform;
  let peer: KeyedPeer;
  let page: Page;
  /** Requests with a secret, and lines of the browser's console. */
  const sent: string[] = [];
  const said: string[] = [];

  before(async function () {
    peer = await KeyedPeer.start();
    site = await openSite(this);
    ({ platform } = site);
    ({ page } = site.admin);
    await platform.setConf('aws', { endpoint_url: peer.url });
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (`${request.url()}${JSON.stringify(request.headers())}`.includes(CANARY))
        sent.push(`in the address: ${pathname}`);
      else if (request.postData()?.includes(CANARY)) sent.push(pathname.replace(/^.*\/ml\//, ''));
    });
    page.on('console', (message) => said.push(message.text()));
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  const field = (form: Locator, label: string) => form.getByLabel(label, { exact: true });
  const choose = (place: string, option: string | RegExp) => async (form: Locator) => {
    await form.locator(`[data-place="${place}"] button`).first().click();
    await page.getByRole('option', { name: option }).first().click();
  };
  const all =
    (...steps: ((form: Locator) => Promise<void>)[]) =>
    async (form: Locator) => {
      for (const step of steps) await step(form);
    };
  const tick =
    (...labels: string[]) =>
    async (form: Locator) => {
      for (const label of labels) await field(form, label).check();
    };
  const signedInBy = (mode: string) => choose('payload.auth_mode', mode);
  const press = (form: Locator, name: string) => form.getByRole('button', { name, exact: true }).click();

  const FORMS: Readonly<Record<string, Form>> = {
    'an MCP connection': {
      view: 'connections',
      button: 'New MCP connection',
      operation: 'createMcpConnection',
      sentTo: /^mcp_connection(\/test)?$/,
      ways: [
        all(choose('type', 'Issue tracker with OAuth'), async (form) => {
          await press(form, 'Add to Other headers');
          await field(form, 'Name of entry 1 in Other headers').fill('x-key');
          await field(form, 'Value of x-key in Other headers').fill(`${CANARY}-header`);
        }),
      ],
      async finish(form) {
        await field(form, 'Name').fill('Desk');
        await field(form, 'Address').fill(`${peer.url}/mcp`);
      },
    },
    'a container connection': {
      view: 'connections?tab=containers',
      button: 'New container connection',
      operation: 'saveContainerConnection',
      sentTo: /^container_connection$/,
      ways: [
        tick('Export traces', 'Let notebooks search the platform', 'Let notebooks send events to the platform'),
        all(choose('payload.container_type', 'Kubernetes'), signedInBy('Bearer token')),
        signedInBy('User name and password'),
        signedInBy('Cloud IAM (Amazon EKS)'),
        signedInBy('Service account'),
        signedInBy('Client certificate and key'),
      ],
      async finish(form) {
        await field(form, 'Name').fill('Desk');
        await field(form, 'Cluster URL').fill(peer.url);
        await field(form, 'Client certificate').fill('none');
      },
    },
    'a vector store': {
      view: 'connections?tab=vectors',
      button: 'New vector store',
      operation: 'createVectorStore',
      sentTo: /^vector_stores(\/test)?$/,
      ways: [
        choose('type', 'PostgreSQL with pgvector'),
        choose('type', 'OpenSearch or Elasticsearch'),
        choose('type', 'Amazon Bedrock knowledge base'),
      ],
      async finish(form) {
        await field(form, 'Name').fill('Desk');
        await field(form, 'Region').fill('eu-central-1');
        await field(form, 'Knowledge base id').fill('ABCDE12345');
        await field(form, 'Access key id').fill('AKIAEXAMPLE');
      },
    },
    'a cloud model': {
      view: 'models',
      button: 'New cloud model',
      operation: 'registerModel',
      sentTo: /^register_model(\/test)?$/,
      ways: [async () => {}],
      async finish(form) {
        await field(form, 'Name').fill('churn');
        await field(form, 'SageMaker endpoint').fill('ready');
        await field(form, 'Region').fill('eu-central-1');
        await field(form, 'Access key id').fill('AKIAEXAMPLE');
      },
    },
  };

  for (const [what, form] of Object.entries(FORMS)) {
    it(`hides every secret of ${what}`, async () => {
      const paths = (FIELDS[form.operation] ?? []).filter(({ secret, kind }) => secret && kind === 'text');
      expect(paths).to.not.be.empty;
      expect(await typeAll(form)).to.have.members(paths.map(({ path }) => path));
    });
  }

  it('hides every secret of a language model of each provider', async () => {
    const { config } = (await platform.ml('admin', 'GET', '/aicommander_metadata')).json;
    type Field = { type: string; secret: boolean; fields?: Record<string, Field> };
    type Service = { display_name: string; fields: Record<string, Field> };
    const services = Object.values(config.services as Record<string, Service>);
    const isSecret = ({ type, secret, fields = {} }: Field): boolean =>
      (secret && type !== 'map') || Object.values(fields).some(isSecret);
    const names = services.flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([name, one]) => (isSecret(one) ? [name] : [])),
    );
    const found = await typeAll({
      view: 'connections?tab=llm',
      button: 'New LLM configuration',
      operation: 'saveLlmConfiguration',
      sentTo: /^aicommander(_metadata)?$/,
      ways: services.map(({ display_name }) => choose('service', display_name)),
      async finish(form) {
        await choose('service', /OpenAI\)/)(form);
        await field(form, 'Connection').fill('desk');
        await field(form, 'Endpoint').fill(`${peer.url}/v1`);
        await field(form, 'Model').fill('gpt-4o-mini');
        await field(form, 'Access token').fill(`${CANARY}-last`);
        // One takes the place of the other.
        await form.locator('[id="secret-servicesettings.oauth.value.client_secret"]').fill('');
      },
    });
    expect(found.map((path) => path.split('.')[1])).to.have.members([...new Set(names)]);
  });

  /** Types into each secret field that is shown in any of the ways, tests and saves. @returns their paths */
  async function typeAll({ view, button, sentTo, ways, finish }: Form): Promise<string[]> {
    await openView(site.admin, platform, view);
    await page.getByRole('button', { name: button, exact: true }).first().click();
    const form = page.getByRole('dialog', { name: button, exact: true });
    await form.getByRole('button', { name: 'Cancel' }).waitFor();
    const found = new Set<string>();
    sent.length = 0;
    for (const way of ways) {
      await way(form);
      for (const input of await form.locator('[id^="secret-"]').all()) {
        const path = ((await input.getAttribute('id')) ?? '').replace('secret-', '');
        await input.fill(`${CANARY}-${found.size}`);
        found.add(path);
      }
      expect(await readable(page), 'what can be read').to.not.contain(CANARY);
    }
    expect(sent, 'before anything is tested or saved').to.deep.equal([]);
    await finish(form);
    const test = form.getByRole('button', { name: 'Test', exact: true });
    if (await test.isVisible()) {
      await test.click();
      await form.getByText('Nothing was saved.').waitFor();
      expect(await readable(page), 'the outcome of a test').to.not.contain(CANARY);
    }
    const save = form.getByRole('button', { name: /^Save/ });
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await save.click();
    await answer;
    await untilQuiet(page);
    expect(await readable(page), 'after it was saved, or refused').to.not.contain(CANARY);
    expect(sent.filter((path) => !sentTo.test(path))).to.deep.equal([]);
    expect(sent, 'the form did send them').to.not.be.empty;
    sent.length = 0;
    if (await save.isVisible()) await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await page.content(), 'the page without the form').to.not.contain(CANARY);
    await openView(site.admin, platform, view);
    await untilQuiet(page);
    expect(sent, 'later requests').to.deep.equal([]);
    expect(said.join('\n'), 'the console of the browser').to.not.contain(CANARY);
    return [...found];
  }
});

/** All text and storage of a page, without the values of its fields. */
const readable = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const shown = document.body.cloneNode(true);
    for (const field of shown.querySelectorAll('textarea')) field.remove();
    const kept = [document.cookie, { ...localStorage }, { ...sessionStorage }, history.state];
    return [location.href, document.title, document.body.innerText, shown.textContent, JSON.stringify(kept)].join();
  })()`);
