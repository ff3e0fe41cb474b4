import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { completionOf, MOUNT, toolCallsOf } from '../../e2e/gateway/gatewayPlatform.ts';
import { expectFocus, keyboard } from '../../support/console/hands.ts';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import { expectStatus, type TestPlatform } from '../../support/e2e/platform.ts';
import { type Asked, type ScriptedProvider, startProvider } from '../../support/peers/llm.ts';
import { rpcResult, type ScriptedPeer, startAnswering } from '../../support/peers/mcp/scripted.ts';
import { expectAccessible, openSite, type Site } from '../../support/programs/browser.ts';

const INVENTED = '203.0.113.77';
const ANSWER = `# Report on ${INVENTED}

Host **db-3** was reached from \`${INVENTED}\`, as [db-3](https://wiki.example/db-3) says.

| host | rows |
|---|---|
| db-3 | 42 |

Block ${INVENTED}; anna asked, and web-7 is fine. <b>x</b>`;
const EARLIER = '11111111-2222-4333-8444-555555555555';
const ENTITIES = [
  { text: INVENTED, kind: 'ipv4', status: 'unverified', by: [], why: 'not in the input or in a result <i>' },
  { text: 'db-3', kind: 'host', status: 'backed', by: [{ step: 1, field: 'host' }, { input: true }] },
  { text: '42', kind: 'number', status: 'derived', by: [{ step: 1, field: 'rows' }], why: 'sum of a column' },
  { text: 'anna', kind: 'user', status: 'backed', by: [{ input: true }] },
  { text: 'web-7', kind: 'host', status: 'backed', by: [{ run_id: EARLIER, step: 3, field: 'host' }] },
  { text: 'not in the answer', kind: 'path', status: 'backed', by: [{ step: 1 }] },
];
const EVIDENCE = { checked: 6, backed: 4, derived: 1, unverified: 1 };
const SUMMARY = "1 of 6 values was not found in the run's data; 4 were found there, 1 follows from values there.";
const ACL = { sharing: 'app', perms: { read: ['*'], write: ['ml_admin'] } };

function answerTo({ messages }: { messages: { role: string }[] }) {
  return messages.at(-1)?.role === 'tool' ? completionOf(ANSWER) : toolCallsOf([['Desk__look', { host: 'db-3' }]]);
}

describe('the console: the evidence of an answer, in a browser', function () {
  this.timeout(180_000);
  let site: Site;
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let server: ScriptedPeer;
  let walk: Walk;

  before(async function () {
    provider = await startProvider(async ({ body }: Asked) => ({ status: 200, body: answerTo(body as never) }));
    const tool = {
      name: 'look',
      description: 'Looks',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    };
    server = await startAnswering(
      'tools/call',
      (response: ServerResponse, message) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(rpcResult(message, { content: [{ type: 'text', text: '{"host":"db-3"}' }] })));
      },
      [tool],
    );
    site = await openSite(this);
    ({ platform } = site);
    const servicesettings = { endpoint: { value: `${provider.url}/v1` }, access_token: { value: 'sk-of-a-test' } };
    const model = { service: 'General_Chat', connection_name: 'up', model: 'm', servicesettings };
    await callAdmin(platform, 'POST', '/aicommander', model);
    const desk = { name: 'Desk', type: 'PLATFORM', details: { url: server.url }, acl: ACL };
    await callAdmin(platform, 'POST', '/mcp_connection', desk);
    const agent = {
      name: 'helper',
      acl: ACL,
      runtime_type: 'BUILT_IN',
      llm: { model: 'up/m' },
      mcps: [{ name: 'Desk' }],
    };
    await callAdmin(platform, 'POST', '/agents', agent);
    walk = walkOf(site.admin, platform);
  });

  after(async () => {
    await site?.dispose();
    await Promise.all([provider?.close(), server?.close()]);
  });

  /** An ended run with such evidence, in place of its own. @returns its id */
  async function runWith(
    evidence: object | undefined,
    entities?: readonly object[],
    more: object = {},
  ): Promise<string> {
    const body = { agent: 'helper', input: 'what is wrong, asks anna', wait_s: 25 };
    const reply = await platform.call('admin', 'POST', `${MOUNT}/runs`, body);
    expectStatus(reply, 200, 'a run');
    const { run_id } = reply.json;
    const stored = (await platform.documents('ml_runs')).find(({ _key }) => _key === run_id) ?? {};
    const { evidence: _evidence, entities: _entities, ...run } = stored;
    await platform.putDocument('ml_runs', {
      ...{ ...run, output: ANSWER, ...more },
      ...(evidence ? { evidence } : {}),
      ...(entities
        ? { entities: JSON.stringify(entities), json: [...new Set([...(run.json as string[]), 'entities'])] }
        : {}),
    });
    return run_id;
  }
  const panel = () => walk.dialog('Run of helper');
  const openRun = (id: string) => walk.open(`agents?tab=runs&name=${id}`);
  const answer = (where: Locator = panel()) => where.getByRole('region', { name: 'Answer', exact: true });
  const evidenceIn = (where: Locator = panel()) => where.getByRole('region', { name: 'Evidence' });

  it('marks values in the text, says so in words, and lists all of them', async () => {
    await openRun(await runWith(EVIDENCE, ENTITIES));
    await walk.see(answer(), SUMMARY);
    const marks = answer().locator('u');
    expect(await marks.filter({ hasText: INVENTED }).count(), 'not in the heading').to.equal(2);
    expect(await answer().getByText('not found', { exact: true }).count(), 'two marks, one entry').to.equal(3);
    expect(await answer().getByText('derived', { exact: true }).count()).to.equal(1);
    const line = await marks
      .filter({ hasText: INVENTED })
      .first()
      .evaluate((mark) => getComputedStyle(mark).textDecorationStyle);
    expect(line).to.equal('wavy');
    // A link of the answer has no other link in it, and a further occurrence none.
    expect(await answer().getByRole('link', { name: 'db-3', exact: true }).count()).to.equal(2);
    expect(await answer().locator('a a').count()).to.equal(0);
    expect(await answer().locator('b, i').count()).to.equal(0);

    const missing = evidenceIn().getByRole('list', { name: 'Values that were not found' });
    await walk.see(missing, INVENTED, 'IPv4 address', 'not in the input or in a result <i>');
    await walk.press('Values that were found or derived (5)', evidenceIn());
    const others = evidenceIn().getByRole('list', { name: 'Values that were found or derived' }).getByRole('listitem');
    expect(
      await others.allInnerTexts().then((texts) => texts.map((text) => text.replace(/[\s\u2060]+/g, ' ').trim())),
    ).to.deep.equal([
      'db-3 host found step 1, field host; the input',
      '42 number derived sum of a column: step 1, field rows',
      'anna user found the input',
      'web-7 host found step 3 of an earlier run, field host (Opens new window)',
      'not in the answer path found step 1',
    ]);
    const earlier = await others.getByRole('link', { name: /earlier run/ }).getAttribute('href');
    expect(earlier).to.match(new RegExp(`/agents\\?tab=runs&name=${EARLIER}&step=3$`));
    expect(await panel().innerText()).to.not.match(/\btrue\b|verified/i);
    await expectAccessible(site.admin, 'an answer with its evidence');
    expectNoComplaints(site.admin);
  });

  it('leads by keyboard from a value to its step, or to the input', async () => {
    await openRun(await runWith(EVIDENCE, ENTITIES));
    const hands = keyboard(walk.page);
    const fold = panel().getByRole('button', { name: 'Input and output of step 1' });
    const value = answer().getByRole('link', { name: 'db-3', exact: true }).first();
    expect(await value.getAttribute('title')).to.equal('found in step 1, field host');
    await hands.press(value);
    await expectFocus(fold, 'the focus to be at the step');
    expect(await fold.getAttribute('aria-expanded')).to.equal('true');
    await panel().getByRole('region', { name: 'Output of step 1' }).waitFor();
    expect(new URL(walk.page.url()).searchParams.get('step')).to.equal('1');
    // The step stays open.
    await hands.press(answer().getByRole('link', { name: '42', exact: true }));
    await expectFocus(fold, 'the focus to be at the step again');
    expect(await fold.getAttribute('aria-expanded')).to.equal('true');
    await hands.press(answer().getByRole('link', { name: 'anna', exact: true }));
    await expectFocus(panel().getByRole('region', { name: 'Input', exact: true }), 'the focus to be at the input');
    expect(hands.complaints).to.deep.equal([]);
  });

  it('shows how many values were not found where runs are listed', async () => {
    await runWith(EVIDENCE, ENTITIES);
    const words = '1 of 6 values not found in its data';
    const loaded: string[] = [];
    walk.page.on('request', (request) => loaded.push(request.url()));
    await walk.open('agents?tab=runs');
    await walk.see(walk.page.getByRole('table', { name: 'runs' }), words);
    await walk.open('overview');
    await walk.see(walk.page.getByRole('table', { name: 'Newest runs' }), words);
    expect(loaded.filter((url) => url.includes('CheckedAnswer'))).to.deep.equal([]);
  });

  for (const [what, evidence, words] of [
    ['that the check took too long', { error_code: 'timeout' }, 'The check took too long; nothing was compared.'],
    [
      'that there is nothing to look up',
      { checked: 0, backed: 0, derived: 0, unverified: 0 },
      /^The answer has no addresses/,
    ],
    ['that all was found', { checked: 1, backed: 1, derived: 0, unverified: 0 }, /^The only value was found/],
  ] as const)
    it(`says ${what}`, async () => {
      await openRun(await runWith(evidence));
      await walk.see(answer(), words);
      expect(await evidenceIn().count()).to.equal(0);
      expect(await answer().locator('u').count()).to.equal(0);
      await expectAccessible(site.admin, what);
    });

  it('shows the answer of a run that failed because of it', async () => {
    const failed = { state: 'failed', error_code: 'unverified_claims', message: '1 value was not found' };
    await openRun(await runWith(EVIDENCE, ENTITIES, failed));
    await walk.see(panel(), /^failed$/, 'unverified_claims', '1 value was not found');
    await walk.see(answer(), SUMMARY, /^Host/);
    expect(await answer().locator('u').filter({ hasText: INVENTED }).count()).to.equal(2);
  });

  it('shows the answer alone where nothing was checked', async () => {
    await openRun(await runWith(undefined));
    await walk.see(answer(), /^Host/);
    expect(await evidenceIn().count()).to.equal(0);
  });

  it('marks nothing in an answer that is too long, but lists the values', async () => {
    await openRun(await runWith(EVIDENCE, ENTITIES, { output: `${ANSWER} ${'word '.repeat(10_000)}` }));
    await walk.see(answer(), SUMMARY, 'The answer is too long to mark them in it.', /^# Report/);
    await walk.see(evidenceIn(), INVENTED);
    expect(await answer().locator('u').count()).to.equal(0);
  });

  it('shows the answer while the rest is loaded, also after a lost network', async () => {
    const id = await runWith(EVIDENCE, ENTITIES);
    let asked = 0;
    const pattern = /console\/CheckedAnswer-\w+\.js/;
    const visit = await site.visit('admin');
    await visit.page.route(pattern, (route) => {
      asked += 1;
      return asked <= 3 ? route.abort('internetdisconnected') : route.continue();
    });
    const own = walkOf(visit, platform);
    await own.open(`agents?tab=runs&name=${id}`);
    const region = answer(own.dialog('Run of helper'));
    await own.see(region, /^Host/, /^Waiting for the evidence of the answer/);
    await own.see(region, SUMMARY);
    expect(asked).to.equal(4);
    await visit.context.close();
  });

  it('shows many values on a narrow page, in both themes', async () => {
    const entities = Array.from({ length: 200 }, (_, index) => ({
      ...{ text: `10.1.${index}.7`, kind: 'ipv4', why: 'not in the input or in a result' },
      ...(index < 120 ? { status: 'unverified', by: [] } : { status: 'backed', by: sources(index - 118) }),
    }));
    const long = `C:\\${'long-name-'.repeat(24)}`;
    entities[0] = { text: long, kind: 'path', why: 'no such path', status: 'unverified', by: [] };
    const text = entities.map((entity) => `- ${entity.text} was there`).join('\n');
    const counts = { checked: 431, backed: 301, derived: 10, unverified: 120 };
    const id = await runWith(counts, entities, { output: text });
    for (const theme of ['light', 'dark'] as const) {
      const visit = await site.visit('admin', { viewport: { width: 320, height: 640 } });
      const own = walkOf(visit, platform);
      const other = own.page.getByRole('button', { name: `Switch to ${theme} theme` });
      if (await other.isVisible()) await Promise.all([own.page.waitForEvent('load'), other.click()]);
      await own.open(`agents?tab=runs&name=${id}`);
      const region = evidenceIn(own.dialog('Run of helper'));
      await own.see(answer(own.dialog('Run of helper')), /^120 of 431 values were not found/);
      await own.see(region, 'The list has 200 of 431 values; the counts are of all.');
      expect(await region.getByRole('listitem').count()).to.equal(120);
      await own.press('Values that were found or derived (80)', region);
      expect(await region.getByRole('listitem').count()).to.equal(200);
      await own.see(region, /; 73 more$/);
      expect(await answer(own.dialog('Run of helper')).locator('p, li').locator('u').count()).to.equal(120);
      await expectAccessible(visit, `many values, ${theme}, narrow`);
      const beyond = 'document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth';
      expect(await own.page.evaluate(beyond), 'pixels beyond the window').to.equal(0);
      const box = answer(own.dialog('Run of helper'));
      expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 'of the box').to.equal(0);
      await visit.context.close();
    }
  });

  it('marks the answers of the playground', async () => {
    const visit = await site.visit('admin');
    await visit.page.route('**/ai_gateway/runs/*', async (route) => {
      const reply = await route.fetch();
      const json = await reply.json();
      if (json.config?.output !== undefined) json.config.evidence = { ...EVIDENCE, entities: ENTITIES };
      await route.fulfill({ response: reply, json });
    });
    const own = walkOf(visit, platform);
    await own.open(`playground?model=up/m&tools=${encodeURIComponent(JSON.stringify([{ name: 'Desk' }]))}`);
    await own.page.getByLabel('Message', { exact: true }).fill('what is wrong, asks anna');
    await own.press('Send');
    const message = own.page.getByRole('article', { name: 'Message 1' });
    await own.see(message, SUMMARY);
    expect(await message.locator('u').filter({ hasText: INVENTED }).count()).to.equal(2);
    await expectAccessible(visit, 'an answer of the playground with its evidence');
    const hands = keyboard(own.page);
    await hands.press(message.getByRole('link', { name: 'db-3', exact: true }).first());
    const fold = message.getByRole('button', { name: 'Desk__look (done)' });
    await expectFocus(fold, 'the focus to be at the call');
    await own.see(message, 'Result of Desk__look');
    await hands.press(message.getByRole('link', { name: 'anna', exact: true }));
    await expectFocus(message.locator('p').first(), 'the focus to be at the question');
    expect(hands.complaints).to.deep.equal([]);
    await visit.context.close();
  });
});

/** So many results of steps. */
const sources = (count: number) => Array.from({ length: count }, (_, index) => ({ step: index + 1, field: 'ip' }));
