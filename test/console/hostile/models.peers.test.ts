import { expect } from 'chai';
import { completionOf, MOUNT } from '../../e2e/gateway/gatewayPlatform.ts';
import {
  expectHarmless,
  HIDDEN,
  HOSTILE,
  LONG,
  MARKDOWN,
  MARKUP,
  SHOWN,
  watchDialogs,
} from '../../support/console/harm.ts';
import { callAdmin, type Walk, walkOf } from '../../support/console/walk.ts';
import { expectStatus, type TestPlatform } from '../../support/e2e/platform.ts';
import { type Asked, type ScriptedProvider, startProvider } from '../../support/peers/llm.ts';
import { openSite, type Site, untilQuiet } from '../../support/programs/browser.ts';

/** As far as connections and models may be called so. */
const NAME = '<img src=x onerror=alert(1)><b>bold a\u202eb\u200bc';
const NAME_SHOWN = '<img src=x onerror=alert(1)><b>bold a[U+202E]b[U+200B]c';
const CONNECTION = { service: 'General_Chat', connection_name: NAME };

/** Word of the question -> answer. */
const ANSWERS: Readonly<Record<string, string>> = {
  markup: [HOSTILE, MARKUP, MARKDOWN, `# ${HIDDEN}`, `\`${HIDDEN}\``, `[${HIDDEN}](https://outside.invalid/)`].join(
    '\n\n',
  ),
  long: LONG,
  unbroken: LONG.slice(0, 20_000),
  nested: `${'> '.repeat(3000)}${'- '.repeat(3000)}${'*'.repeat(3000)}`,
  table: `|${'a|'.repeat(200)}\n|${'-|'.repeat(200)}\n${`|${`${MARKDOWN}|`.repeat(200)}\n`.repeat(20)}`,
  links: '[a](javascript:window.broken=1) '.repeat(1000),
};

describe('the console: what hostile models and agents say, in a browser', function () {
  this.timeout(120_000);
  let site: Site;
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let walk: Walk;

  before(async function () {
    provider = await startProvider(({ path, body }: Asked) => {
      const ids = [NAME, HOSTILE, LONG, ...Array.from({ length: 1000 }, (_, at) => `model-${at}`)];
      if (path.endsWith('/models')) return { status: 200, body: { object: 'list', data: ids.map((id) => ({ id })) } };
      const { messages } = body as { messages: { content: string }[] };
      const asked = messages.at(-1)?.content ?? '';
      if (asked.includes('refuse'))
        return { status: 400, body: { error: { message: HOSTILE + LONG, code: MARKUP, type: HIDDEN } } };
      return { status: 200, body: completionOf(ANSWERS[asked] ?? HOSTILE) };
    });
    site = await openSite(this);
    ({ platform } = site);
    watchDialogs(site.admin);
    walk = walkOf(site.admin, platform);
    const servicesettings = { endpoint: { value: `${provider.url}/v1` }, access_token: { value: 'sk-of-a-test' } };
    await callAdmin(platform, 'POST', '/aicommander', { ...CONNECTION, model: NAME, servicesettings });
    await callAdmin(platform, 'POST', '/agents', {
      ...{ name: 'helper', runtime_type: 'BUILT_IN', llm: { ...CONNECTION, model: NAME } },
      ...{ description: HOSTILE.slice(0, 4000), system_prompt: HOSTILE + LONG.slice(0, 20_000), task_prompt: MARKUP },
    });
  });

  after(async () => {
    await site?.dispose();
    await provider?.close();
  });

  const nothing = (what: string) => expectHarmless(site.admin, what);

  it('is text where their models are chosen and tested', async () => {
    await walk.open('connections?tab=llm');
    await walk.see(walk.page, NAME_SHOWN);
    await nothing('the list of models');
    await walk.page.getByRole('table').getByRole('link').first().click();
    const panel = walk.page.getByRole('dialog');
    await walk.press('Refresh models', panel);
    await walk.see(panel, /and \d+ more/);
    await nothing('the panel of a model');
    await walk.press('Test', panel);
    await panel
      .getByText(/^It works|The test failed/)
      .first()
      .waitFor();
    await walk.press('Edit', panel);
    await walk.page.getByRole('dialog', { name: /^Edit/ }).waitFor();
    await nothing('the form of a model');
    await walk.open('connections?tab=llm');
    await walk.page.getByRole('table').getByRole('link').first().click();
    await walk.press('Delete', panel);
    await walk.page.getByRole('dialog', { name: /^Delete/ }).waitFor();
    await nothing('the question before a model is deleted');
  });

  for (const what of Object.keys(ANSWERS))
    it(`is text in a conversation: ${what}`, async () => {
      await walk.open(`playground?model=${encodeURIComponent(`${NAME}/${NAME}`)}`);
      await walk.page.getByLabel('Message', { exact: true }).fill(what);
      await walk.press('Send');
      const said = walk.page.getByRole('article', { name: 'Message 1', exact: true });
      await walk.see(said, /tokens read/);
      await nothing(`the answer ${what}`);
    });

  it('is text where they refuse', async () => {
    await walk.open(`playground?model=${encodeURIComponent(`${NAME}/${NAME}`)}`);
    await walk.page.getByLabel('Message', { exact: true }).fill('refuse');
    await walk.press('Send');
    await walk.page.getByRole('article').getByRole('alert').waitFor();
    await nothing('a refusal');
  });

  it('is text in agents and in their runs', async () => {
    await walk.open('agents?name=helper');
    await walk.see(walk.dialog('helper'), SHOWN);
    await nothing('the panel of an agent');
    for (const input of ['markup', `refuse ${HOSTILE}`, LONG.slice(0, 60_000)]) {
      const reply = await platform.call('admin', 'POST', `${MOUNT}/runs`, {
        agent: 'helper',
        input,
        wait_s: 25,
        session_id: MARKUP.slice(0, 40),
      });
      expectStatus(reply, 200, 'a run');
      await walk.open(`agents?tab=runs&name=${reply.json.run_id}`);
      const panel = walk.dialog('Run of helper');
      await walk.press('Input and output of step 0', panel);
      await untilQuiet(walk.page);
      await nothing(`a run: ${input.slice(0, 20)}`);
    }
    expect(provider.asked.length).to.be.above(3);
  });
});
