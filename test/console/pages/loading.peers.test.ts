import { expect } from 'chai';
import { openSite, openView, type Site, type Visit } from '../../support/programs/browser.ts';

/** More than the tries for a module. */
const ALWAYS = 1000;

describe('the console: modules that do not load, in a browser', () => {
  let site: Site;
  before(async function () {
    site = await openSite(this);
  });
  after(() => site?.dispose());

  let visit: Visit;
  beforeEach(async () => {
    visit = await site.visit();
  });
  afterEach(() => visit.context.close());

  /** Drops the first requests for such a module, as a change of the network does. @returns how often it was asked for */
  const drop = async (module: RegExp, times: number) => {
    const asked = { count: 0 };
    await visit.page.route(module, (route) => {
      asked.count += 1;
      return asked.count <= times ? route.abort('internetdisconnected') : route.continue();
    });
    return asked;
  };
  const retry = () => visit.page.getByRole('button', { name: 'Retry' });

  for (const [what, module] of [
    ['the page itself', /console\/main-\w+\.js/],
    ['its view', /console\/page-\w+\.js/],
  ] as const) {
    it(`loads ${what} again after a lost network`, async () => {
      const asked = await drop(module, 2);
      await openView(visit, site.platform, 'connections');
      expect(asked.count).to.equal(3);
    });

    it(`reports that ${what} cannot be loaded, with a remedy`, async () => {
      await drop(module, ALWAYS);
      await visit.page.goto(`${site.platform.web}/en-US/app/ml_extension/connections`);
      await visit.page.getByRole('alert').getByText('The connection was lost or the app was updated').waitFor();
      await visit.page.unroute(module);
      await retry().click();
      await visit.page.getByRole('heading', { level: 1 }).waitFor();
    });
  }

  it('reports an error in a page, and does not blame the connection', async () => {
    const body = 'export function open() { throw new Error("out of paper"); }';
    await visit.page.route(/console\/main-\w+\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body }));
    await visit.page.goto(`${site.platform.web}/en-US/app/ml_extension/connections`);
    const alert = visit.page.getByRole('alert');
    await alert.getByText('Error in this page: Error: out of paper').waitFor();
    expect(await alert.innerText()).to.not.contain('connection');
  });

  it('loads a form again after a lost network', async () => {
    await openView(visit, site.platform, 'connections');
    const asked = await drop(/console\/FormDialog-\w+\.js/, 2);
    await visit.page.getByRole('button', { name: 'New MCP connection' }).first().click();
    await visit.page.getByLabel('Address').waitFor();
    expect(asked.count).to.equal(3);
  });
});
