import { expectHarmless, HOSTILE, watchDialogs } from '../../support/console/harm.ts';
import { walkOf } from '../../support/console/walk.ts';
import { openSite, type Site, untilQuiet } from '../../support/programs/browser.ts';

const TEXT = encodeURIComponent(HOSTILE);
const LIST = `name=${TEXT}&q=${TEXT}&sort=${TEXT}&page=${TEXT}`;
const ADDRESSES = [
  ...['connections', 'agents', 'experiments', 'models', 'containers', 'audit'].map((view) => `${view}?${LIST}`),
  ...[`agents?tab=runs&agent=${TEXT}`, `usage?by=${TEXT}&range=${TEXT}`, `settings?tab=${TEXT}`],
  ...['tool&connection=', 'retrieve&store=', 'predict&model=', 'conversation&tools='].map(
    (query) => `playground?tab=${query}${TEXT}`,
  ),
];

describe('the console: what hostile links have in their address, in a browser', function () {
  this.timeout(120_000);
  let site: Site;

  before(async function () {
    site = await openSite(this);
    watchDialogs(site.admin);
  });

  after(() => site?.dispose());

  for (const address of ADDRESSES)
    it(`is text at ${address.slice(0, address.indexOf('%'))}`, async () => {
      await walkOf(site.admin, site.platform).open(address);
      await untilQuiet(site.admin.page);
      await expectHarmless(site.admin, address.slice(0, 40));
    });
});
