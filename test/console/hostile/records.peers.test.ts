import { AUDIT } from '../../../src/domain/audit/stored.ts';
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
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { fixture } from '../../support/models/onnx.ts';
import { type ScriptedPeer, startRefusing } from '../../support/peers/mcp/scripted.ts';
import { openSite, type Site, untilQuiet } from '../../support/programs/browser.ts';
import { dayBefore, putUsage, usageRow } from '../../support/records/usageSums.ts';

const WORDS = LONG.slice(0, 4000 - HOSTILE.length);
const ABOUT = `${HOSTILE} ${WORDS}`;
/** As a text of a search, which has no control characters. */
const SPL_TEXT = HOSTILE.replace(/[\\"$\p{Cc}]/gu, '');
/** A connection may be called so. */
const NAME = `<b>bold ${HIDDEN.slice(0, 5)}`;
const NAME_SHOWN = '<b>bold a[U+202E]b[U+200B]c';
const MODEL = { service: 'Local_Runtime', connection_name: NAME, model: `<b>${'x'.repeat(200)}` };

/** View and tab -> what the panel of the first record has. */
const LISTS: Readonly<Record<string, string>> = {
  connections: SHOWN,
  'connections?tab=llm': NAME_SHOWN,
  'connections?tab=aliases': SHOWN,
  'connections?tab=searches': SHOWN,
  'connections?tab=vectors': SHOWN,
  'connections?tab=masking': SHOWN,
  agents: SHOWN,
  experiments: SHOWN,
  models: SHOWN,
  'usage?tab=limits': SHOWN,
  audit: SHOWN,
};
/** Views and tabs without panels. */
const OTHERS = [
  ...['overview', 'playground', 'playground?tab=predict&model=line', 'settings', 'settings?tab=images'],
  'playground?tab=tool&from=splunk&search=greet',
  ...['usage', 'usage?by=user&show=cost', 'usage?by=connection', 'usage?by=agent'],
];

describe('the console: what hostile users have stored, in a browser', function () {
  this.timeout(120_000);
  let site: Site;
  let platform: TestPlatform;
  let peer: ScriptedPeer;
  let walk: Walk;

  before(async function () {
    peer = await startRefusing(500, HOSTILE + LONG, { 'content-type': 'text/html' });
    site = await openSite(this);
    ({ platform } = site);
    watchDialogs(site.admin);
    walk = walkOf(site.admin, platform);
    const make = (path: string, body: object) => callAdmin(platform, 'POST', path, body);
    await make('/mcp_connection', { name: 'Desk', type: 'PLATFORM', details: { url: peer.url }, description: ABOUT });
    await make('/mcp_connection/test', { name: 'Desk' });
    const details = { cloud_region: 'eu-central-1', kb_id: 'ABCDE12345' };
    await make('/vector_stores', { name: 'Runbooks', type: 'CLOUD_KB', description: ABOUT, details });
    await make('/search_tools', {
      ...{ name: 'greet', description: ABOUT, search: `| makeresults | eval a="$who$", b="${SPL_TEXT}"` },
      arguments: [{ name: 'who', type: 'string', description: HOSTILE, enum: [MARKUP, SPL_TEXT] }],
    });
    await make('/aicommander', MODEL);
    await make('/model_aliases', { name: 'fast', targets: [MODEL], description: ABOUT });
    await make('/agents', {
      name: 'helper',
      runtime_type: 'BUILT_IN',
      llm: MODEL,
      description: ABOUT,
      system_prompt: ABOUT,
      task_prompt: ABOUT,
    });
    await make('/masking_policies', {
      ...{ name: 'usual', description: ABOUT, kinds: { key: 'mask' }, fields: [MARKUP.slice(0, 200)] },
      never: [HIDDEN.slice(0, 200)],
    });
    const applies_to = { models: [HOSTILE.slice(0, 200)], users: [MARKUP.slice(0, 50)] };
    await make('/usage_limits', { name: 'daily', window: 'day', requests: 5, description: ABOUT, applies_to }).catch(
      (e) => console.log(String(e)),
    );
    await make('/upload_model', {
      ...{ model_name: 'line', features: [MARKUP.slice(0, 90), HIDDEN, FORMULA], targets: HIDDEN },
      model_file: fixture('linear').toString('base64'),
    });
    const stage = {
      role: 'fit',
      search: HOSTILE + LONG,
      algorithm: MARKUP,
      fields: [HIDDEN, FORMULA],
      parameters: { [HIDDEN]: MARKUP },
    };
    const { experiment_id } = await make('/experiments', {
      ...{
        title: HOSTILE.slice(-256),
        type: 'smart_forecast',
        description: ABOUT,
        tags: [MARKUP.slice(0, 60), HIDDEN],
      },
      ...{
        data_source: { search: HOSTILE, earliest: HIDDEN },
        search_stages: [stage],
        statistics: { [HIDDEN]: MARKUP },
      },
    });
    for (let run = 0; run < 5; run++)
      await make(`/experiments/${experiment_id}/history`, {
        ...{ action: 'train', status: 'fail', message: ABOUT, search: HOSTILE, sid: MARKUP },
        ...{ statistics: { [HIDDEN]: run, [MARKUP]: run, ['m'.repeat(200)]: run }, parameters: { [HIDDEN]: MARKUP } },
      });
    const rows = Array.from({ length: 1000 }, (_, at) =>
      usageRow({
        user: `${at} ${HOSTILE}`,
        model: at === 0 ? LONG : `${HOSTILE} ${at}`,
        requests: at + 1,
        connection: MARKUP,
        agent: HIDDEN,
        alias: MARKUP,
        cost: 1,
      }),
    );
    await putUsage(platform, new Map([[dayBefore(1), rows]]));
    const now = Date.now() / 1000;
    await platform.putDocuments(
      AUDIT,
      Array.from({ length: 1000 }, (_, at) => {
        const audit_id = (at + 1).toString(16).padStart(32, 'f');
        const changes = [
          { field: HIDDEN, before: HOSTILE, after: at < 30 ? LONG : MARKUP },
          { field: MARKUP, before: { [HIDDEN]: MARKUP }, after: [HIDDEN] },
        ];
        return {
          _key: audit_id,
          audit_id,
          time: now - at,
          user: HOSTILE,
          action: 'update',
          family: 'experiments',
          name: `${at} ${HOSTILE}`,
          name_key: '',
          outcome: 'failed',
          error_code: 'not_found',
          changed: JSON.stringify(changes),
          request_id: HIDDEN,
          duration_ms: 1,
          via: 'rest',
          member: 'x',
        };
      }),
    );
    await platform.setConf('feature_flags', { '<b>flag': '1' });
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  for (const view of OTHERS)
    it(`is text in the view ${view}`, async () => {
      await walk.open(view);
      await untilQuiet(walk.page);
      await expectHarmless(site.admin, view);
    });

  it('is text in the plan of a document', async () => {
    const { document } = await callAdmin(platform, 'GET', '/export');
    const records = (document.records as { family: string; name: string; spec: object }[]).map((record) => ({
      ...record,
      spec: { ...record.spec, description: `${HIDDEN} ${MARKUP}`, [MARKUP]: HIDDEN },
    }));
    const strange = { family: 'agents', name: HOSTILE, spec: { name: HOSTILE, [HIDDEN]: { deep: [MARKUP] } } };
    await walk.open('settings?tab=move');
    const text = JSON.stringify({ ...document, records: [...records, strange] });
    await walk.page.getByLabel('Document', { exact: true }).fill(text);
    await walk.press('Plan');
    await walk.see(walk.page.getByRole('table', { name: 'Plan' }), /U\+202E/);
    await expectHarmless(site.admin, 'a plan');
    await walk.page.getByLabel('Document', { exact: true }).fill(JSON.stringify({ [MARKUP]: HIDDEN }));
    await walk.press('Plan');
    await walk.page.getByRole('alert').first().waitFor();
    await expectHarmless(site.admin, 'a document that is none');
  });

  for (const [view, shown] of Object.entries(LISTS))
    it(`is text in the list, panel and form of ${view}`, async () => {
      await walk.open(view);
      await walk.page.getByRole('table').getByRole('link').first().click();
      const panel = walk.page.getByRole('dialog');
      await walk.see(panel, shown);
      await untilQuiet(walk.page);
      await panel.locator('button[aria-expanded=false]').evaluateAll((folds) => {
        for (const fold of folds) (fold as HTMLElement).click();
      });
      await expectHarmless(site.admin, `the panel of ${view}`);
      const edit = panel.getByRole('button', { name: 'Edit', exact: true });
      if ((await edit.count()) === 0) return;
      await edit.click();
      await walk.page.getByRole('dialog', { name: /^Edit/ }).waitFor();
      await expectHarmless(site.admin, `the form of ${view}`);
    });
});
