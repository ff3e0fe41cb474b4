import { expect } from 'chai';
import { completionOf, MOUNT, toolCallsOf } from '../../e2e/gateway/gatewayPlatform.ts';
import { expectFocus, type Hands, keyboard } from '../../support/console/hands.ts';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { type Asked, type ScriptedProvider, startProvider } from '../../support/peers/llm.ts';
import { expectAccessible, openSite, type Site } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

/** First a call of a tool that is not there: a run whose last step is under way has nothing left to cancel. */
function answerTo({ messages }: { messages: { role: string }[] }): object {
  if (messages.at(-1)?.role === 'tool') return completionOf('done');
  return toolCallsOf([['nothing', {}]]);
}

describe('the console: runs of agents by keyboard alone, in a browser', function () {
  this.timeout(120_000);
  let site: Site;
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let walk: Walk;
  let hands: Hands;
  /** Answers of the model that are held back. */
  let gate: Promise<void> | undefined;

  before(async function () {
    provider = await startProvider(async ({ body }: Asked) => {
      await gate;
      return { status: 200, body: answerTo(body as never) };
    });
    site = await openSite(this);
    ({ platform } = site);
    const servicesettings = { endpoint: { value: `${provider.url}/v1` }, access_token: { value: 'sk-of-a-test' } };
    const model = { service: 'General_Chat', connection_name: 'up', model: 'm', servicesettings };
    await callAdmin(platform, 'POST', '/aicommander', model);
    await callAdmin(platform, 'POST', '/agents', { name: 'helper', runtime_type: 'BUILT_IN', llm: { model: 'up/m' } });
    walk = walkOf(site.admin, platform);
    hands = keyboard(walk.page);
  });

  after(async () => {
    await site?.dispose();
    await provider?.close();
  });

  const panel = () => walk.dialog('Run of helper');
  const button = (name: string, where = panel()) => where.getByRole('button', { name, exact: true });
  const accessible = (what: string) => expectAccessible(site.admin, what);
  const holdModel = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return () => {
      gate = undefined;
      resolve();
    };
  };
  const openId = () => new URL(walk.page.url()).searchParams.get('name') ?? '';
  const stateOf = async (id: string) => (await platform.call('admin', 'GET', `${MOUNT}/runs/${id}`)).json.state;
  /** The focus is in the panel: on nothing at all, the next Tab would begin at the top of the page. */
  const expectFocusInPanel = (when: string) =>
    eventually(() => panel().evaluate((element) => element.contains(document.activeElement)), 10_000, when);

  it('are started, cancelled, started again and left', async () => {
    const { page } = walk;
    const release = holdModel();
    await walk.open('agents');
    await hands.press(page.getByRole('table', { name: 'agents' }).getByRole('link', { name: 'helper' }));
    const agent = walk.dialog('helper');
    await button('Run', agent).waitFor();
    await accessible('the panel of an agent');
    await hands.press(button('Run', agent));
    const form = walk.dialog('Run helper');
    await expectFocus(form.getByLabel('Input', { exact: true }), 'the focus to be on the first field');
    await accessible('the form of a run');
    await hands.press(button('Run', form));
    await walk.see(form, 'Input is required');
    await expectFocus(form.getByLabel('Input', { exact: true }), 'the focus to be on the field that is required');
    await accessible('a form that lacks its input');
    await hands.type(form.getByLabel('Input', { exact: true }), 'look at web1');
    await hands.press(button('Run', form));
    await walk.see(panel(), 'The run is under way. This page follows it.');
    await expectFocusInPanel('the focus to be in the panel of the run that was started');
    await accessible('a run under way');

    await hands.press(button('Cancel'));
    await walk.see(panel().getByRole('status'), /^It ends with the step that is under way\.$/);
    await expectFocusInPanel('the focus to stay while the run ends');
    await accessible('a run that ends');
    release();
    await walk.see(panel(), /^cancelled$/);
    await button('Cancel').waitFor({ state: 'detached' });
    await expectFocusInPanel('the focus to stay although Cancel is gone');
    await accessible('a cancelled run');
    expect(await stateOf(openId())).to.equal('cancelled');

    const first = openId();
    await hands.press(button('Run again'));
    const again = walk.dialog('Run helper again');
    await again.waitFor();
    await hands.leave(again);
    await again.waitFor({ state: 'detached' });
    await expectFocus(button('Run again'), 'the focus to be back on Run again');
    await hands.press(button('Run again'));
    await hands.press(button('Run', again));
    await again.waitFor({ state: 'detached' });
    await walk.see(panel(), /^succeeded$/);
    expect(openId()).to.not.equal(first);
    await expectFocusInPanel('the focus to be in the panel of the run that was started again');
    await accessible('a run that has succeeded');
    await hands.leave(panel());
    await panel().waitFor({ state: 'detached' });
    const isLost = () => page.evaluate('document.activeElement === document.body');
    await eventually(async () => !(await isLost()), 10_000, 'the focus to be on the page');
    await accessible('the list of runs');
    expect(hands.complaints).to.deep.equal([]);
    expectNoComplaints(site.admin);
  });
});
