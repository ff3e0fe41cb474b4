import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { Locator, Route } from 'playwright-core';
import { sendEvent } from '../../support/console/events.ts';
import { keyboard } from '../../support/console/hands.ts';
import { expectHarmless, HIDDEN, MARKUP, SHOWN, watchDialogs } from '../../support/console/harm.ts';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { type Asked, type Scripted, type ScriptedProvider, startProvider } from '../../support/peers/llm.ts';
import { expectAccessible, openSite, type Site, type Visit } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

const EVERYONE = { sharing: 'app', perms: { read: ['*'], write: [] } };
const API = /\/ml\/search_tools(\?|$)/;
const SLOW_MS = 1500;
const SHOWN_TEXT = new RegExp(SHOWN.replace(/[[\]+]/g, '\\$&'));
const JOB = /\/app\/search\/search\?sid=[\w.]+$/;
const TOOL_TAB = 'playground?tab=tool&from=splunk';

interface Message {
  role: string;
  content: string | null;
}

describe('the console: search tools in the playground, in a browser', function () {
  this.timeout(180_000);
  let site: Site;
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let visit: Visit;
  let walk: Walk;

  before(async function () {
    provider = await startProvider((asked): Scripted => ({ status: 200, body: answerTo(asked) }));
    site = await openSite(this);
    ({ platform } = site);
    await callAdmin(platform, 'POST', '/aicommander', {
      ...{ service: 'General_Chat', connection_name: 'up', model: 'm' },
      servicesettings: { endpoint: { value: `${provider.url}/v1` }, access_token: { value: 'sk-of-a-test' } },
    });
    const publish = (name: string, search: string, more: object = {}) =>
      callAdmin(platform, 'POST', '/search_tools', { name, search, acl: EVERYONE, ...more });
    await publish('words', '| makeresults count=$count$ | eval word="$word$"', {
      description: 'Repeats a word',
      arguments: [
        { name: 'word', type: 'string', description: 'The word' },
        { name: 'count', type: 'integer', default: 3, is_required: false, minimum: 1, maximum: 500 },
      ],
    });
    // A command of an app is taken for one that changes something.
    await publish('keep', '| mlhealth | fields name');
    await publish('hostile', 'search index=main sourcetype=hostile | table _raw | rename _raw AS "said <b>"');
    await publish('off', '| makeresults', { is_enabled: false });
    await sendEvent(platform, `${MARKUP} ${HIDDEN}`);
    await platform.createRole('asker', ['user'], ['use_ai_gateway']);
    await platform.createUser('asker', ['asker']);
  });

  beforeEach(async () => {
    visit = await site.visit();
    watchDialogs(visit);
    walk = walkOf(visit, platform);
  });
  afterEach(() => visit?.context.close());

  after(async () => {
    await site?.dispose();
    await provider?.close();
  });

  const control = (name: string): Locator => {
    const button = walk.page.getByRole('button', { name, exact: true });
    return button.or(walk.page.getByRole('combobox', { name, exact: true })).first();
  };
  const choose = async (label: string, option: string) => {
    await control(label).click();
    await walk.page.getByRole('option', { name: option, exact: true }).click();
  };
  const region = (name: string): Locator => walk.page.getByRole('region', { name, exact: true });
  const table = (name: string): Locator => walk.page.getByRole('table', { name, exact: true });
  const message = (number: number): Locator =>
    walk.page.getByRole('article', { name: `Message ${number}`, exact: true });
  const say = async (text: string) => {
    await walk.page.getByLabel('Message', { exact: true }).fill(text);
    await walk.press('Send');
  };
  const conversation = (...names: string[]) =>
    `playground?${new URLSearchParams({ model: 'up/m', searches: JSON.stringify(names) })}`;

  it('are chosen for a conversation, whose steps show rows and link to the job', async () => {
    await walk.open('playground?model=up/m');
    await choose('Search tools', 'words');
    await walk.page.keyboard.press('Escape');
    await walk.page.waitForURL((url) => url.searchParams.get('searches') === '["words"]');
    await say('call words {"word": "a, \\"b\\"", "count": 150}');
    const answer = message(1);
    await walk.see(answer, 'search__words (done)', /^the tool said/);
    const link = answer.getByRole('link', { name: /^Search job/ });
    expect(await link.getAttribute('href')).to.match(JOB);
    expect(await link.getAttribute('target'), 'beside the conversation, which a new page would end').to.equal('_blank');
    await walk.press('search__words (done)', answer);
    await walk.see(table('Result of search__words'), 'a, "b"');
    expect(await table('Result of search__words').getByRole('row').count()).to.equal(101);
    await walk.see(answer, 'The first 100 of 150 rows are shown.', /"count": 150/);
    const { tools } = (provider.asked.at(-1)?.body ?? {}) as { tools: { function: { name: string } }[] };
    expect(tools.map((tool) => tool.function.name)).to.deep.equal(['search__words']);
    await expectAccessible(visit, 'a step with rows');
    expectNoComplaints(visit);
  });

  it('are listed by capability, without those that are switched off', async () => {
    await walk.open('playground?model=up/m');
    await control('Search tools').click();
    const names = await walk.page.getByRole('option').allInnerTexts();
    expect(names.map((name) => name.trim()).sort()).to.deep.equal([
      ...[
        'data_models',
        'fields',
        'hostile',
        'indexes',
        'keep',
        'lookups',
        'saved_searches',
        'sourcetypes',
        'spl',
        'words',
      ],
    ]);
  });

  it('wait for approval where they change something', async () => {
    await walk.open(conversation('keep', 'words'));
    await say('call words {"word": "x"}');
    await walk.see(message(1), 'search__words (done)');
    await say('call keep {}');
    const decision = walk.page.getByRole('region', { name: 'Decision about search__keep' });
    await walk.see(decision, 'The model wants to call search__keep.');
    await expectAccessible(visit, 'a decision about a search');
    await decision.getByLabel('Reason of a rejection').fill('not today');
    await walk.press('Reject search__keep', decision);
    await walk.see(message(2), /^search__keep .rejected/);
    expect(
      await message(2)
        .getByRole('link', { name: /^Search job/ })
        .count(),
    ).to.equal(0);
    await say('call keep {}');
    await walk.press('Approve search__keep', decision);
    await walk.see(message(3), 'search__keep (done)', /^the tool said/);
    await message(3)
      .getByRole('link', { name: /^Search job/ })
      .waitFor();
    await walk.press('search__keep (done)', message(3));
    await walk.see(table('Result of search__keep'), 'words');
    expectNoComplaints(visit);
  });

  it('that fail say so in the words of the platform', async () => {
    await walk.open(conversation('spl'));
    await say('call spl {"search": "search index=main | stats nonsense(x)"}');
    await walk.press('search__spl (failed: search_failed)', message(1));
    await walk.see(message(1), /nonsense\(x\)/);
  });

  it('are called with a form of their arguments, or with JSON', async () => {
    await walk.open('playground?tab=tool');
    await choose('Tools of', 'Searches of Splunk');
    await choose('Search tool', 'words');
    await walk.page.waitForURL(/from=splunk&search=words/);
    const form = region('Tool words');
    await walk.see(form, 'Repeats a word', 'Only reads', /Required. The word/);
    await form.getByLabel('word', { exact: true }).fill('100 %');
    await expectAccessible(visit, 'the form of a search tool');
    await walk.press('Call the tool', form);
    const result = region('Result of words');
    await walk.see(result, '3 of 3 rows.', /^From \d{4}-/);
    await walk.see(table('Rows of words'), '100 %');
    expect(await result.getByRole('link', { name: /^Search job/ }).getAttribute('href')).to.match(JOB);
    await expectAccessible(visit, 'the rows of a search tool');
    await walk.page.reload();
    expect(await form.getByLabel('word', { exact: true }).inputValue()).to.equal('100 %');
    await form.getByRole('checkbox', { name: 'Arguments as JSON' }).click();
    await form.getByLabel('Arguments', { exact: true }).fill('{"word": "x", "count": 501}');
    await walk.press('Call the tool', form);
    await walk.see(form.getByRole('alert'), /arguments.count/, 'validation_failed');
    expectNoComplaints(visit);
  });

  it('built in are called, and refuse what is not allowed', async () => {
    await walk.open(`${TOOL_TAB}&search=spl`);
    const form = region('Tool spl');
    await form.getByLabel('search', { exact: true }).fill('| makeresults | outputlookup users.csv');
    await walk.press('Call the tool', form);
    await walk.see(form.getByRole('alert'), /outputlookup/, 'search_not_allowed');
    await choose('Search tool', 'indexes');
    await walk.press('Call the tool', region('Tool indexes'));
    await walk.see(table('Rows of indexes'), 'main');
    expect(await region('Result of indexes').getByRole('link').count(), 'a list is no job').to.equal(0);
    await walk.open(`${TOOL_TAB}&search=keep`);
    await walk.see(region('Tool keep'), 'Changes something');
    await walk.open(`${TOOL_TAB}&search=off`);
    await walk.see(walk.page, /There is no search tool off, it is switched off/);
  });

  it('say what is missing while they are read, cannot be read, are none or are switched off', async () => {
    const { page } = walk;
    const slow = (route: Route) => setTimeout(SLOW_MS).then(() => route.continue());
    await page.route(API, slow);
    await walk.open(TOOL_TAB);
    await walk.see(page, 'Waiting for the search tools …', 'Choose a search tool, and a form for its arguments');
    await page.unroute(API, slow);
    const refusal = { status: 'fail', message: 'The list is on fire', error_code: 'validation_failed' };
    await page.route(API, (route) => route.fulfill({ status: 400, json: refusal }));
    await walk.open(TOOL_TAB);
    await walk.see(page.getByRole('alert'), 'The list is on fire');
    await page.unrouteAll();
    await walk.press('Retry');
    await control('Search tool').waitFor();

    const asker = await site.visit('asker');
    const his = walkOf(asker, platform);
    await asker.page.route(API, (route) => route.fulfill({ json: { status: 'success', result: [] } }));
    await his.open(TOOL_TAB);
    await his.see(his.page, 'No search tools for you');
    await expectAccessible(asker, 'no search tools');
    await asker.page.unrouteAll();
    await his.open(`${TOOL_TAB}&search=spl`);
    await his.see(his.page, /There is no search tool spl/);
    await his.open(`${TOOL_TAB}&search=words`);
    await his.page.getByLabel('word', { exact: true }).fill('mine');
    await his.press('Call the tool');
    await his.see(his.page.getByRole('table', { name: 'Rows of words' }), 'mine');
    await asker.context.close();

    await platform.setFlag('search_tools', '0');
    try {
      await walk.open(`${TOOL_TAB}&search=words`);
      await walk.see(page, 'Search tools: switched off (the feature flag search_tools)');
      const button = page.getByRole('button', { name: 'Call the tool' });
      await eventually(async () => (await button.getAttribute('aria-disabled')) === 'true', 20_000, 'a dimmed button');
    } finally {
      await platform.setFlag('search_tools', '1');
    }
  });

  for (const theme of ['light', 'dark'] as const)
    it(`show hostile rows as text on pages of 320 pixels, ${theme} theme`, async () => {
      const { page } = walk;
      if (theme === 'dark') await Promise.all([page.waitForEvent('load'), walk.press('Switch to dark theme')]);
      await walk.open(`${TOOL_TAB}&search=hostile`);
      await eventually(
        async () => {
          await walk.press('Call the tool');
          return region('Result of hostile')
            .waitFor({ timeout: 5000 })
            .then(
              () => true,
              () => false,
            );
        },
        30_000,
        'the feature to be on again',
      );
      await walk.see(table('Rows of hostile'), SHOWN_TEXT);
      await expectHarmless(visit, 'rows of a tool');
      await page.setViewportSize({ width: 320, height: 700 });
      await expectAccessible(visit, 'narrow rows of a tool');
      await walk.open(conversation('hostile'));
      await say('call hostile {}');
      // The buttons change once the answer is complete.
      await walk.see(message(1), 'search__hostile (done)', /^the tool said/);
      await walk.press('search__hostile (done)', message(1));
      await walk.see(table('Result of search__hostile'), SHOWN_TEXT);
      await expectAccessible(visit, 'narrow rows of a step');
      await expectHarmless(visit, 'rows of a step');
    });

  it('are used by keyboard alone', async () => {
    const { page } = walk;
    const hands = keyboard(page);
    await walk.open('playground?tab=tool');
    await hands.choose(control('Tools of'), 'Searches of Splunk');
    await hands.choose(control('Search tool'), 'words');
    const form = region('Tool words');
    await hands.type(form.getByLabel('word', { exact: true }), 'typed');
    await hands.press(form.getByRole('button', { name: 'Call the tool', exact: true }));
    await walk.see(table('Rows of words'), 'typed');
    await walk.open('playground?model=up/m');
    await hands.choose(page.getByRole('combobox', { name: 'Search tools', exact: true }), 'words');
    await page.keyboard.press('Escape');
    await hands.type(page.getByLabel('Message', { exact: true }), 'call words {"word": "by keys"}');
    await hands.press(page.getByRole('button', { name: 'Send', exact: true }));
    await hands.press(message(1).getByRole('button', { name: 'search__words (done)', exact: true }));
    await walk.see(table('Result of search__words'), 'by keys');
    expect(hands.complaints).to.deep.equal([]);
  });
});

/** A model that calls the tool that it is told to call. */
function answerTo({ body }: Asked): object {
  const { messages } = body as { messages: Message[] };
  const last = messages.at(-1);
  const text = String(last?.content);
  const [, tool, args] = /^call (\w+) (.*)$/s.exec(text) ?? [];
  const isCall = last?.role === 'user' && tool !== undefined;
  const calls = [{ id: 'call_1', type: 'function', function: { name: `search__${tool}`, arguments: args } }];
  const said = last?.role === 'tool' ? `the tool said ${text.length} characters` : `echo: ${text}`;
  return {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' },
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: isCall ? null : said, ...(isCall ? { tool_calls: calls } : {}) },
        finish_reason: isCall ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
  };
}
