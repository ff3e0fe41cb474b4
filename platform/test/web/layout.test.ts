import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { assert } from 'chai';
import { temporaryFolder } from '../support/platform.ts';
import { Browser, startWithPages, type WebTestPlatform } from '../support/web.ts';

type Child = FakeElement | string;

/** The part of an element that the frame uses. */
class FakeElement {
  readonly name: string;
  readonly attributes: Record<string, string> = {};
  readonly classes: string[] = [];
  readonly classList = { add: (name: string) => this.classes.push(name) };
  children: Child[] = [];
  click: () => unknown = () => {};

  constructor(name: string) {
    this.name = name;
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }

  append(...children: Child[]): void {
    this.children.push(...children);
  }

  prepend(...children: Child[]): void {
    this.children.unshift(...children);
  }

  addEventListener(_name: string, listener: () => unknown): void {
    this.click = listener;
  }

  get text(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.text)).join(' ');
  }

  all(name: string): FakeElement[] {
    const elements = this.children.filter((child) => child instanceof FakeElement);
    return elements.flatMap((child) => [...(child.name === name ? [child] : []), ...child.all(name)]);
  }
}

describe('the frame around pages', () => {
  let folder: string;
  let platform: WebTestPlatform;
  let browser: Browser;

  before(async () => {
    folder = temporaryFolder();
    platform = await startWithPages(join(folder, 'home'));
    browser = new Browser(platform.web.url);
    await browser.login();
  });
  after(async () => {
    await platform.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the script makes of a page. */
  const frame = async (options?: object, file = 'layout.js', visitor = browser) => {
    const { text } = await visitor.get(`/en-US/static/@x/build/api/${file}`);
    const body = new FakeElement('body');
    const head = new FakeElement('head');
    const page = { body, head, cookie: '', createElement: (name: string) => new FakeElement(name) };
    let reloads = 0;
    const reload = () => {
      reloads += 1;
    };
    const addresses: string[] = [];
    const assign = (address: string) => addresses.push(address);
    const location = { pathname: '/en-US/app/pages/start', reload, assign };
    const calls: [string, { method: string; headers: Record<string, string> }][] = [];
    const fetch = async (...call: (typeof calls)[number]) => void calls.push(call);
    const window: { __splunk_layout__?: { create(of?: object): { getContainerElement(): FakeElement } } } = {};
    runInNewContext(text, { window, document: page, location, fetch });
    const create = () => window.__splunk_layout__?.create(options).getContainerElement();
    return {
      container: create(),
      again: create(),
      body,
      head,
      page,
      calls,
      went: () => addresses,
      reloads: () => reloads,
    };
  };

  it('has a skip link, the name, the user, the logout and the navigation', async () => {
    const { container, again, body, head } = await frame();
    assert.strictEqual(container, again);
    assert.strictEqual(container?.name, 'main');
    const [header, main] = body.children as FakeElement[];
    assert.strictEqual(main, container);
    assert.strictEqual(header?.attributes['data-view'], 'splunkjs/mvc/headerview');
    const links = header?.all('a') ?? [];
    assert.deepEqual(
      links.map(({ attributes, text }) => [text, attributes.href]),
      [
        ['Skip to main content', `#${container?.attributes.id}`],
        ['Classic', '/en-US/app/pages/classic'],
        ['Start & <end>', '/en-US/app/pages/start'],
        ['Secret', '/en-US/app/pages/secret'],
        ['Guide', 'https://docs.example.test/'],
      ],
    );
    assert.deepEqual(
      links.filter(({ attributes }) => attributes['aria-current'] === 'page').map(({ text }) => text),
      ['Start & <end>'],
    );
    assert.strictEqual(header?.all('nav')[0]?.attributes['aria-label'], 'Pages & <more>');
    assert.strictEqual(header?.all('span')[0]?.text, 'admin');
    assert.deepEqual(
      header?.all('button').map(({ text }) => text),
      ['Switch to dark theme', 'Log out'],
    );
    assert.deepEqual(
      header?.all('summary').map(({ text }) => text),
      ['Others & more'],
    );
    assert.lengthOf(head.all('style'), 1);
  });

  it('logs out with the form key, and then shows the login', async () => {
    const one = new Browser(platform.web.url);
    await one.login();
    const { body, page, calls, went } = await frame({}, 'layout.js', one);
    page.cookie = `a=b; splunkweb_csrf_token_${one.port}=${one.formKey}; c=d`;
    const [, logout] = body.all('button');
    await logout?.click();
    assert.deepEqual(went(), ['/en-US/account/login']);
    const [address, { method, headers }] = calls[0] ?? ['', { method: '', headers: {} }];
    assert.strictEqual((await one.send(method, address, { headers })).status, 303);
  });

  it('omits parts that a page switches off', async () => {
    assert.lengthOf((await frame({ hideChrome: true })).body.children, 1);
    assert.lengthOf((await frame({ hideAppBar: true })).body.all('nav'), 0);
    assert.lengthOf((await frame({ hideSplunkBar: true })).body.all('button'), 0);
    assert.deepEqual((await frame({ layout: 'fixed' })).body.classes, ['web-fixed']);
  });

  it('switches between the colours of a theme family', async () => {
    const cookie = `web_theme_${platform.web.port}`;
    for (const [theme, button, next] of [
      ['light', 'Switch to dark theme', 'dark'],
      ['dark', 'Switch to light theme', 'light'],
      ['prismaLight', 'Switch to dark theme', 'prismaDark'],
      ['prismaDark', 'Switch to light theme', 'prismaLight'],
    ] as const) {
      browser.cookies.set(cookie, theme);
      const { body, head, page, reloads } = await frame();
      const [found] = body.all('button');
      assert.strictEqual(found?.text, button);
      found?.click();
      assert.match(page.cookie, new RegExp(`^${cookie}=${next}; Path=/; Max-Age=\\d+; SameSite=Lax$`));
      assert.strictEqual(reloads(), 1);
      assert.include(head.text, theme === 'dark' || theme === 'prismaDark' ? '#111215' : '#ffffff');
    }
    browser.cookies.delete(cookie);
    assert.include((await frame({}, 'layout-dark.js')).head.text, '#111215');
  });
});
