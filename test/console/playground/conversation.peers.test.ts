import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { expectFocus, keyboard } from '../../support/console/hands.ts';
import { callAdmin, expectNoComplaints, expectNowhere, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { type Asked, type Scripted, type ScriptedProvider, startProvider } from '../../support/peers/llm.ts';
import { type ModernPeer, startModern } from '../../support/peers/mcp/modern.ts';
import { expectAccessible, openSite, type Site, type Visit } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

const TOOLS = [
  { name: 'look', description: 'Looks', annotations: { readOnlyHint: true } },
  { name: 'wipe', description: 'Wipes a host', annotations: { destructiveHint: true } },
];
const HOSTILE = [
  '<script>window.broken = 1</script><img src="http://evil.example/a.png" onerror="window.broken = 1">',
  '![pixel](http://evil.example/b.png) [run](javascript:window.broken=1) [bank](https://evil.example/)',
  `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(50)}`,
  '> '.repeat(2000),
  'turned \u202e around',
].join('\n\n');
const SAID = 'canary-of-a-conversation';

interface Message {
  role: string;
  content: string | null;
}

describe('the console: conversations of the playground, in a browser', function () {
  this.timeout(180_000);
  let site: Site;
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let peer: ModernPeer;
  /** Answers that are held back. */
  let held: (() => void)[] | undefined;

  before(async function () {
    provider = await startProvider(async (asked): Promise<Scripted> => {
      if (held) await new Promise<void>((resolve) => held?.push(resolve));
      return { status: 200, body: answerTo(asked) };
    });
    peer = await startModern({ tools: TOOLS });
    site = await openSite(this);
    ({ platform } = site);
    const acl = { sharing: 'app', perms: { read: ['*'], write: [] } };
    await callAdmin(platform, 'POST', '/aicommander', {
      ...{ service: 'General_Chat', connection_name: 'up', model: 'm' },
      servicesettings: { endpoint: { value: `${provider.url}/v1` }, access_token: { value: 'sk-of-a-test' } },
    });
    const targets = [{ service: 'General_Chat', connection_name: 'up', model: 'm' }];
    await callAdmin(platform, 'POST', '/model_aliases', { name: 'friend', targets, acl });
    const desk = { name: 'Desk', type: 'PLATFORM', details: { url: peer.url }, acl };
    await callAdmin(platform, 'POST', '/mcp_connection', desk);
    await platform.createRole('asker', ['user'], ['use_ai_gateway']);
    await platform.createUser('asker', ['asker']);
    await platform.createUser('guest', ['user']);
  });

  beforeEach(() => {
    for (const answer of held ?? []) answer();
    held = undefined;
  });

  after(async () => {
    for (const answer of held ?? []) answer();
    await site?.dispose();
    await provider?.close();
    await peer?.close();
  });

  const lastAsked = (): object => provider.asked.at(-1)?.body ?? {};
  const say = async (walk: Walk, text: string) => {
    await walk.page.getByLabel('Message', { exact: true }).fill(text);
    await walk.press('Send');
  };
  const message = (walk: Walk, number: number): Locator =>
    walk.page.getByRole('article', { name: `Message ${number}`, exact: true });
  const visitor = async (options?: Parameters<Site['visit']>[1], user?: string): Promise<[Visit, Walk]> => {
    const visit = await site.visit(user, options);
    return [visit, walkOf(visit, platform)];
  };

  it('are had with a chosen model, know what was said, and show tokens, cost and time', async () => {
    const [visit, walk] = await visitor();
    await walk.open('playground');
    await walk.page
      .getByRole('button', { name: 'Model', exact: true })
      .or(walk.page.getByRole('combobox', { name: 'Model', exact: true }))
      .first()
      .click();
    await walk.page.getByRole('option', { name: 'up/m (General_Chat)' }).click();
    await walk.page.waitForURL(/model=up%2Fm/);
    await walk.page.getByLabel('Temperature').fill('0.5');
    await walk.page.getByLabel('Instructions').fill('Be brief.');
    await say(walk, `${SAID} one`);
    await walk.see(message(walk, 1), `echo: ${SAID} one`, /^up\/m · 7 tokens read, 2 written · no price · [\d.]+ m?s$/);
    await say(walk, 'two');
    await walk.see(message(walk, 2), 'echo: two');
    const { messages, temperature } = lastAsked() as { messages: Message[]; temperature: number };
    expect(temperature).to.equal(0.5);
    expect(messages.map(({ role, content }) => `${role}: ${content}`)).to.deep.equal([
      'system: Be brief.',
      ...[`user: ${SAID} one`, `assistant: echo: ${SAID} one`, 'user: two'],
    ]);
    expect(walk.page.url()).to.contain('temperature=0.5').and.not.contain(SAID);
    await expectAccessible(visit, 'a conversation');
    await walk.page.getByRole('tab', { name: 'Retrieve' }).click();
    await walk.page.getByRole('tab', { name: 'Conversation' }).click();
    await walk.see(message(walk, 2), 'echo: two');
    await walk.page.waitForURL(/model=up%2Fm.*temperature=0.5/);
    await walk.page.reload();
    await walk.see(walk.page, 'A conversation is kept in this page alone');
    await expectNowhere(visit, SAID);
    expectNoComplaints(visit);
    await visit.context.close();
  });

  it('call tools that are switched on, and ask before a call that destroys', async () => {
    const [visit, walk] = await visitor();
    const tools = encodeURIComponent(JSON.stringify([{ name: 'Desk' }]));
    await walk.open(`playground?model=friend&tools=${tools}`);
    await say(walk, 'call look');
    await walk.see(message(walk, 1), 'Desk__look (done)', /^the tool said/);
    await say(walk, 'call wipe');
    const decision = walk.page.getByRole('region', { name: 'Decision about Desk__wipe' });
    await walk.see(decision, 'The model wants to call Desk__wipe.', '"host": "web1"');
    await expectAccessible(visit, 'a decision');
    expect(peer.calls).to.deep.equal(['look']);
    await decision.getByLabel('Reason of a rejection').fill('not today');
    await walk.press('Reject Desk__wipe', decision);
    await walk.see(message(walk, 2), /^Desk__wipe .rejected/, /not today/);
    await say(walk, 'call wipe');
    await walk.press('Approve Desk__wipe', decision);
    await walk.see(message(walk, 3), 'Desk__wipe (done)', /^the tool said/);
    expect(peer.calls).to.deep.equal(['look', 'wipe']);
    await say(walk, 'call wipe twice');
    await eventually(async () => (await decision.count()) === 2, 20_000, 'two decisions');
    await walk.press('Approve Desk__wipe', decision.first());
    await eventually(async () => (await decision.count()) === 1, 20_000, 'one decision');
    await walk.press('Reject Desk__wipe', decision);
    await walk.see(message(walk, 4), 'Desk__wipe (done)', /^Desk__wipe .rejected/, /^the tool said/);
    await say(walk, 'call wipe');
    await decision.waitFor();
    await walk.press('Stop');
    await walk.see(message(walk, 5), 'You stopped this answer.');
    await walk.press('New conversation');
    await message(walk, 1).waitFor({ state: 'detached' });
    expect(await decision.count()).to.equal(0);
    expectNoComplaints(visit);
    await visit.context.close();
  });

  it('get tools by choice, and none without it', async () => {
    const [visit, walk] = await visitor();
    await walk.open('playground?model=up/m');
    await walk.page.getByRole('combobox', { name: 'Tools of', exact: true }).click();
    await walk.page.getByRole('option', { name: 'Desk', exact: true }).click();
    await walk.page.keyboard.press('Escape');
    await walk.page.getByRole('combobox', { name: 'Tools of Desk' }).click();
    await walk.page.getByRole('option', { name: 'look', exact: true }).click();
    await walk.page.keyboard.press('Escape');
    await walk.page.waitForURL((url) => url.searchParams.get('tools') === '[{"name":"Desk","tools":["look"]}]');
    await say(walk, 'hello');
    await walk.see(message(walk, 1), 'echo: hello');
    const { tools } = lastAsked() as { tools: { function: { name: string } }[] };
    expect(tools.map((tool) => tool.function.name)).to.deep.equal(['Desk__look']);
    await visit.context.close();
  });

  it('are stopped while the model works', async () => {
    const [visit, walk] = await visitor();
    await walk.open('playground?model=up/m');
    held = [];
    await say(walk, 'slow');
    await eventually(() => (held?.length ?? 0) > 0, 20_000, 'the model to be asked');
    await walk.press('Stop');
    await walk.see(message(walk, 1), 'You stopped this answer.');
    const newest = async () =>
      (await platform.call('admin', 'GET', '/servicesNS/nobody/ml_extension/ai_gateway/runs?count=1')).json.result[0];
    await eventually(async () => (await newest()).state === 'cancelled', 20_000, 'the run to be cancelled');
    expect((await newest()).input).to.equal('slow');
    for (const answer of held) answer();
    held = undefined;
    await say(walk, 'again');
    await walk.see(message(walk, 2), 'echo: again');
    await visit.context.close();
  });

  it('go on when the proxy cuts a step, and ask the model once', async () => {
    const [visit, walk] = await visitor();
    await walk.open('playground?model=up/m');
    let cuts = 0;
    await walk.page.route(/\/step\?/, async (route) => {
      cuts += 1;
      if (cuts > 1) return route.continue();
      await route.fetch();
      await route.fulfill({ status: 504, contentType: 'text/html', body: '<title>Gateway timeout</title>' });
    });
    const asked = provider.asked.length;
    await say(walk, 'one');
    await walk.see(message(walk, 1), 'echo: one');
    expect(cuts).to.be.above(1);
    expect(provider.asked.length).to.equal(asked + 1);
    expect(await message(walk, 1).getByRole('alert').count()).to.equal(0);
    await visit.context.close();
  });

  it('show what is hostile as text', async () => {
    const [visit, walk] = await visitor();
    await walk.open('playground?model=up/m');
    await say(walk, 'hostile');
    const answer = message(walk, 1);
    await walk.see(answer, '[image: pixel] (http://evil.example/b.png)', 'turned [U+202E] around');
    const link = answer.getByRole('link');
    expect(await link.count()).to.equal(1);
    expect(await link.getAttribute('rel')).to.equal('noopener noreferrer nofollow');
    expect(await answer.locator('img, script, iframe, style').count()).to.equal(0);
    expect(await walk.page.evaluate('window.broken')).to.equal(undefined);
    await expectAccessible(visit, 'a hostile answer');
    expectNoComplaints(visit);
    await visit.context.close();
  });

  it('say why they fail, and go on', async () => {
    const [visit, walk] = await visitor();
    await walk.open('playground?model=up/m');
    await say(walk, 'fail');
    await walk.see(message(walk, 1).getByRole('alert'), 'upstream_error');
    await say(walk, 'again');
    await walk.see(message(walk, 2), 'echo: again');
    await walk.open('playground?model=nowhere/m');
    await say(walk, 'hello');
    await walk.see(message(walk, 1).getByRole('alert'), 'unknown_reference');
    await visit.context.close();
  });

  it('are had without tools by those who may not run agents, and refused to guests', async () => {
    const [visit, walk] = await visitor({}, 'asker');
    await walk.open('playground?model=friend');
    await walk.see(walk.page, /You need the capability run_agents, which tools need/);
    expect(await walk.page.getByLabel('Tools of').count()).to.equal(0);
    await say(walk, 'one');
    await walk.see(message(walk, 1), 'echo: one', /^friend · 7 tokens read, 2 written · no price/);
    await say(walk, 'two');
    await walk.see(message(walk, 2), 'echo: two');
    const { messages } = lastAsked() as { messages: Message[] };
    expect(messages.map(({ content }) => content)).to.deep.equal(['one', 'echo: one', 'two']);
    await visit.context.close();
    const [guest, his] = await visitor({}, 'guest');
    await his.open('playground?model=friend');
    await his.page.getByRole('button', { name: 'Send' }).hover();
    await his.see(his.page, /You need the capability use_ai_gateway/);
    await guest.context.close();
  });

  it('are had by keyboard alone, with tools and approval', async () => {
    const [visit, walk] = await visitor();
    const { page } = walk;
    const hands = keyboard(page);
    const control = (name: string) => {
      const button = page.getByRole('button', { name, exact: true });
      return button.or(page.getByRole('combobox', { name, exact: true })).first();
    };
    await walk.open('playground');
    await control('Model').waitFor();
    await hands.choose(control('Model'), 'up/m (General_Chat)');
    await hands.choose(page.getByRole('combobox', { name: 'Tools of', exact: true }), 'Desk');
    await page.keyboard.press('Escape');
    await hands.type(page.getByLabel('Message', { exact: true }), 'call wipe');
    await hands.press(page.getByRole('button', { name: 'Send', exact: true }));
    await hands.press(page.getByRole('button', { name: 'Approve Desk__wipe', exact: true }));
    await walk.see(message(walk, 1), 'Desk__wipe (done)', /^the tool said/);
    await expectFocus(page.getByRole('log', { name: 'Conversation' }), 'the focus to stay although Approve is gone');
    expect(hands.complaints).to.deep.equal([]);
    await visit.context.close();
  });

  it('are had in the dark, on a narrow page', async () => {
    const [visit, walk] = await visitor({ viewport: { width: 320, height: 700 } });
    const { page } = walk;
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    await page.getByRole('button', { name: 'Switch to light theme' }).waitFor();
    await walk.open('playground?model=up/m');
    await page.getByLabel('Message', { exact: true }).focus();
    await page.keyboard.insertText('hostile');
    await page.keyboard.press('Control+Enter');
    await walk.see(message(walk, 1), 'turned [U+202E] around');
    await expectAccessible(visit, 'a narrow conversation');
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(320);
    await visit.context.close();
  });
});

/** What the model says; it calls tools that it is told to call. */
function answerTo({ body }: Asked): object {
  const { messages, tools = [] } = body as { messages: Message[]; tools?: { function: { name: string } }[] };
  const last = messages.at(-1);
  const text = String(last?.content);
  const [, wanted, twice] = /^call (\w+)( twice)?$/.exec(text) ?? [];
  const name = tools.map((tool) => tool.function.name).find((one) => one.endsWith(`__${wanted}`));
  if (last?.role === 'user' && name !== undefined) {
    const called = { type: 'function', function: { name, arguments: '{"host":"web1"}' } };
    const tool_calls = (twice ? ['call_1', 'call_2'] : ['call_1']).map((id) => ({ id, ...called }));
    return completion({ role: 'assistant', content: null, tool_calls }, 'tool_calls');
  }
  if (text === 'fail') return { nothing: true };
  const said = last?.role === 'tool' ? `the tool said ${text}` : text === 'hostile' ? HOSTILE : `echo: ${text}`;
  return completion({ role: 'assistant', content: said }, 'stop');
}

const completion = (message: object, finish_reason: string) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message, finish_reason }],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
});
