import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectNoComplaints, expectNowhere, type Walk, walkOf } from '../../support/console/walk.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { SlimServer } from '../../support/peers/slim.ts';
import { openSite, type Site } from '../../support/programs/browser.ts';

describe('the console: models that Splunk hosts, in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slim-ca-'));
  const slim = new SlimServer();
  let site: Site;
  let walk: Walk;

  before(async function () {
    const ca = makeCertificate({ ca: true });
    writeFileSync(join(folder, 'ca.pem'), ca.cert);
    await slim.start(makeCertificate({ issuer: ca }));
    site = await openSite(this, {
      env: { ML_SCS_TENANT: `${slim.tenant}@${slim.host}`, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    });
    walk = walkOf(site.admin, site.platform);
  });

  after(async () => {
    await site?.dispose();
    await slim.close();
    rmSync(folder, { recursive: true });
  });

  it('says in the form, after a test and in the panel who hosts them', async () => {
    const hosted = `Hosted by Splunk (tenant ${slim.tenant})`;
    const form = await walk.openForm('connections?tab=llm', 'LLM configuration');
    await walk.choose(form, 'service', 'Platform Hosted Models');
    await walk.see(form, `${hosted}, unless the connection has an endpoint of its own.`);
    await walk.fill(form, { Connection: 'splunk' });
    await walk.press('Refresh models', form);
    await walk.see(form, 'The provider offers 2 models', 'gpt-oss-120b');
    await walk.fill(form, { Model: 'gpt-oss-20b' });
    await walk.press('Test', form);
    await walk.see(form, 'It works', 'Nothing was saved.', 'Answer:');
    await form.getByText(hosted, { exact: true }).waitFor();
    await walk.press('Save', form);
    await walk.see(walk.dialog('gpt-oss-20b (splunk)'), 'Hosting', hosted);
    for (const token of new Set(slim.tokens)) await expectNowhere(site.admin, token);
    expectNoComplaints(site.admin);
  });
});
