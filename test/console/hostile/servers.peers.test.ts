import { expect } from 'chai';
import type { Locator } from 'playwright-core';
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
import { sendJson } from '../../support/peers/listen.ts';
import { rpcResult, type ScriptedPeer, startScripted } from '../../support/peers/mcp/scripted.ts';
import { openSite, type Site, untilQuiet } from '../../support/programs/browser.ts';

const nested = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { inner: nested(levels - 1) } };
const properties = (entries: [string, unknown][]) => ({ type: 'object', properties: Object.fromEntries(entries) });

/** Tool -> schema of its arguments. */
const SCHEMAS: Readonly<Record<string, object>> = {
  cyclic: {
    type: 'object',
    properties: { self: { $ref: '#' }, list: { type: 'array', items: { $ref: '#' } }, loop: { $ref: '#/$defs/loop' } },
    $defs: { loop: { $ref: '#/$defs/loop' } },
  },
  wide: properties(Array.from({ length: 500 }, (_, at) => [`p${at}`, { type: 'string' }])),
  choices: properties([['choice', { type: 'string', enum: Array.from({ length: 2000 }, (_, at) => `option ${at}`) }]]),
  deep: nested(60),
  names: properties([
    ['__proto__', { type: 'string', title: 'proto' }],
    ['constructor', { type: 'string' }],
    ['toString', { type: 'integer' }],
    [MARKUP, { type: 'string', description: HOSTILE }],
    [HIDDEN, { type: 'string', title: HIDDEN }],
    ['twice', { enum: ['same', 'same', HIDDEN, MARKUP, null, { deep: nested(30) }] }],
  ]),
  strange: { type: 'object', properties: { a: null, b: 7, c: [], d: { type: ['x', 'y'] }, e: { enum: [] }, f: true } },
};
const TOOLS = [
  ...Object.entries(SCHEMAS).map(([name, inputSchema]) => ({
    name,
    title: HOSTILE,
    description: HOSTILE,
    inputSchema,
  })),
  { name: MARKUP, description: FORMULA, inputSchema: { type: 'object' } },
  { name: HIDDEN, description: HIDDEN, inputSchema: { type: 'object' } },
  { name: 'long', title: LONG.slice(0, 20_000), description: LONG, inputSchema: { type: 'object' } },
  ...Array.from({ length: 1000 }, (_, at) => ({ name: `tool-${at}`, inputSchema: { type: 'object' } })),
];
const ANSWER = {
  content: [
    { type: 'text', text: HOSTILE },
    { type: 'text', text: LONG },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'resource_link', uri: 'javascript:window.broken=1', name: HOSTILE },
  ],
  structuredContent: { [HIDDEN]: MARKUP, deep: nested(60) },
};

describe('the console: what hostile MCP servers say, in a browser', function () {
  this.timeout(120_000);
  let site: Site;
  let platform: TestPlatform;
  let peer: ScriptedPeer;
  let walk: Walk;
  const given: unknown[] = [];
  let failure: string | undefined;

  before(async function () {
    peer = await startScripted(
      (_request, response, message) => {
        if (failure !== undefined) response.writeHead(500).end(failure);
        else if (message?.method === 'tools/call') {
          given.push(message.params?.arguments);
          sendJson(response, 200, rpcResult(message, ANSWER));
        } else return false;
        return true;
      },
      () => ({ tools: TOOLS }),
    );
    site = await openSite(this);
    ({ platform } = site);
    watchDialogs(site.admin);
    walk = walkOf(site.admin, platform);
    const details = { url: peer.url };
    await callAdmin(platform, 'POST', '/mcp_connection', {
      name: 'Desk',
      type: 'PLATFORM',
      details,
      description: HOSTILE,
    });
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  const open = (label: string) => {
    const [box, button] = (['combobox', 'button'] as const).map((role) =>
      walk.page.getByRole(role, { name: label, exact: true }),
    );
    return box
      ?.or(button as Locator)
      .first()
      .click();
  };
  const region = (name: string) => walk.page.getByRole('region', { name, exact: true });

  it('is text in the list of their tools', async () => {
    await walk.open('connections?name=Desk');
    const panel = walk.dialog('Desk');
    await walk.press('List tools', panel);
    await walk.see(panel, /of 1,?\d+ tools/);
    await walk.see(panel, SHOWN);
    await expectHarmless(site.admin, 'the list of tools');
    await walk.press('Accept all tools', panel);
    await untilQuiet(walk.page);
    await expectHarmless(site.admin, 'the accepted tools');
  });

  for (const name of Object.keys(SCHEMAS))
    it(`is text in the form of a tool, and in its result: ${name}`, async () => {
      await walk.open(`playground?tab=tool&connection=Desk&tool=${name}`);
      const form = region(`Tool ${name}`);
      await walk.see(form, SHOWN);
      await expectHarmless(site.admin, `the form of ${name}`);
      await walk.press('Call the tool', form);
      await walk.see(region(`Result of ${name}`), 'The tool has answered.');
      await expectHarmless(site.admin, `the result of ${name}`);
    });

  it('is text among 2,000 values to choose from', async () => {
    await walk.open('playground?tab=tool&connection=Desk&tool=choices');
    await open('choice');
    await walk.page.getByRole('option', { name: 'option 1999', exact: true }).click();
    await walk.press('Call the tool');
    await walk.see(region('Result of choices'), 'The tool has answered.');
    expect(given.at(-1)).to.deep.equal({ choice: 'option 1999' });
  });

  it('is text among a thousand tools to choose from', async () => {
    await walk.open('playground?tab=tool&connection=Desk');
    await open('Tool');
    await walk.page.getByRole('option', { name: MARKUP, exact: true }).waitFor();
    await expectHarmless(site.admin, 'the choice of a tool');
    await walk.page.getByRole('option', { name: MARKUP, exact: true }).click();
    await walk.see(region(`Tool ${MARKUP}`), FORMULA);
    await walk.open(
      `playground?model=x&tools=${encodeURIComponent(JSON.stringify([{ name: 'Desk', tools: [MARKUP, HIDDEN] }]))}`,
    );
    await walk.see(walk.page, SHOWN);
    await expectHarmless(site.admin, 'the tools of a conversation');
    const agents = await walk.openForm('agents', 'agent');
    await walk.choose(agents, 'mcps', 'Desk');
    await walk.press('List tools of Desk', agents);
    await walk.see(agents, /tools to choose from/);
    await expectHarmless(site.admin, 'the tools of an agent');
  });

  it('is text where they fail', async () => {
    failure = HOSTILE + LONG;
    await walk.open('connections?name=Desk');
    const panel = walk.dialog('Desk');
    await walk.press('Test', panel);
    await walk.see(panel, 'The test failed');
    await walk.press('List tools', panel);
    await panel.getByRole('alert').waitFor();
    await expectHarmless(site.admin, 'a failure');
    await walk.open('overview');
    await walk.see(walk.page.getByRole('table', { name: 'Needs attention' }), 'Desk');
    await expectHarmless(site.admin, 'the overview');
  });
});
