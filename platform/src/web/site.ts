import { mayAccess } from '../apps/access.ts';
import type { HostedApp } from '../apps/hostedApp.ts';
import type { PlatformLog } from '../home/log.ts';
import type { PlatformCaller } from '../http/request.ts';
import { LOGIN, LoginPages } from './pages/login.ts';
import { defaultView, type NavItem, readNav } from './pages/nav.ts';
import { cacheBuster } from './pages/pages.ts';
import { catalogReply, configReply, i18nReply, layoutReply, themeReply } from './pages/scripts.ts';
import { viewPage } from './pages/templates.ts';
import { chosenTheme, type Theme } from './pages/themes.ts';
import { appLabel, isVisible, readView } from './pages/views.ts';
import type { RawProxy } from './proxy.ts';
import { redirect, WebError, type WebReply, type WebRequest } from './reply.ts';
import type { WebSessions } from './sessions.ts';
import { sendStatic } from './staticFiles.ts';

export interface SiteOptions {
  apps(): readonly HostedApp[];
  /** The app that the site starts with; by default the first with pages. */
  mainApp: string | undefined;
  sessions: WebSessions;
  proxy: RawProxy;
  port(): number;
  theme: Theme;
  log: PlatformLog;
}

const LOCALE = 'en-US';
/** The real platform's app that pages link to for searches. */
const SEARCH = 'search';
const NO_SEARCH =
  'The embedded platform has no page for searches. It runs them over REST: POST /services/search/jobs on the management port.';

/** Routes the addresses of the web side. */
export class Site {
  readonly #options: SiteOptions;
  readonly #login: LoginPages;

  constructor(options: SiteOptions) {
    this.#options = options;
    this.#login = new LoginPages(options.sessions, (req) => this.theme(req));
  }

  theme(req: Pick<WebRequest, 'cookies'>): Theme {
    return chosenTheme(req.cookies, this.#options.port(), this.#options.theme);
  }

  /** Undefined if the reply has been sent. Throws WebError. */
  async answer(req: WebRequest): Promise<WebReply | undefined> {
    const [locale = '', section = '', ...path] = withoutLastSlash(req.segments);
    if (locale === LOCALE && section === 'splunkd' && path[0] === '__raw') return this.#options.proxy.handle(req, 3);
    const account = locale === LOCALE && section === 'account' ? path.join('/') : '';
    if (account === 'logout') return this.#login.logout(req);
    if (account === 'login' && req.method === 'POST') return this.#login.login(req);
    if (req.method !== 'GET' && req.method !== 'HEAD')
      throw new WebError(405, 'This address allows only GET and HEAD.', [['Allow', 'GET, HEAD']]);
    if (locale === '') return this.#home(req);
    if (locale === 'favicon.ico' && section === '') return { status: 204, headers: [] };
    if (locale !== LOCALE) throw new WebError(404, `There is no such page. All pages are below /${LOCALE}/.`);
    const reply = await this.#below(section, path, req);
    if (reply === 'none') {
      const why =
        'There is no such page. Those of Splunk Web itself, such as its roles, are not part of this platform.';
      throw new WebError(404, why);
    }
    return reply;
  }

  async #below(section: string, path: readonly string[], req: WebRequest): Promise<WebReply | undefined | 'none'> {
    const where = [section, ...path].join('/');
    if (where === '') return this.#home(req);
    if (where === 'account/login') return this.#login.show(req);
    if (where === 'config') return this.#config(req);
    if (where === 'i18ncatalog') return catalogReply();
    if (section === 'app' && path.length === 1) return this.#start(path[0] ?? '', req);
    if (section === 'app' && path.length === 2) return this.#view(path[0] ?? '', path[1] ?? '', req);
    if (section === 'static') return this.#static(path, req);
    return 'none';
  }

  #home(req: WebRequest): WebReply {
    const { mainApp } = this.#options;
    const apps = this.#visible().toSorted((a, b) => Number(b.name === mainApp) - Number(a.name === mainApp));
    for (const app of apps) {
      const view = defaultView(this.#nav(app, req));
      if (view !== undefined) return redirect(viewAddress(app, view));
    }
    throw new WebError(
      404,
      'No app has a page. An app needs views, a navigation that names them (default/data/ui/nav/default.xml), and is_visible in app.conf.',
    );
  }

  #start(name: string, req: WebRequest): WebReply {
    const app = this.#app(name);
    const view = defaultView(this.#nav(app, req));
    if (view !== undefined) return redirect(viewAddress(app, view));
    throw new WebError(
      404,
      `The navigation of the app ${name} (default/data/ui/nav/default.xml) names no view that exists.`,
    );
  }

  #view(name: string, viewName: string, req: WebRequest): WebReply {
    const caller = this.#options.sessions.caller(req.cookies);
    // Anonymous callers must not learn which apps exist.
    if (caller === undefined) return redirect(`${LOGIN}?return_to=${encodeURIComponent(req.url)}`);
    const app = this.#app(name);
    const view = mayAccess(caller, app.access(`views/${viewName}`), 'read') ? readView(app, viewName) : undefined;
    if (view !== undefined) return viewPage(app, view, this.theme(req));
    const why = name === SEARCH ? NO_SEARCH : `The app ${name} has no view "${viewName}", or you may not read it.`;
    throw new WebError(404, why);
  }

  #config(req: WebRequest): WebReply {
    const { sessions, port } = this.#options;
    const user = sessions.caller(req.cookies)?.user;
    const app = this.#options.apps().find(({ name }) => name === appOfPage(req));
    return configReply({ port: port(), user, app }, new URLSearchParams(req.query).get('autoload') === '1');
  }

  async #static(path: readonly string[], req: WebRequest): Promise<WebReply | undefined | 'none'> {
    const mark = path[0]?.startsWith('@') ? path[0] : undefined;
    const [kind = '', name = '', ...file] = mark === undefined ? path : path.slice(1);
    if (kind === 'app') {
      const app = this.#options.apps().find((hosted) => hosted.name === name);
      if (app === undefined) throw new WebError(404, `There is no app ${name}.`);
      await sendStatic(app, file, mark === cacheBuster(app), req);
      return undefined;
    }
    switch ([kind, name, ...file].join('/')) {
      case 'js/i18n.js':
        return i18nReply();
      case 'build/api/get_theme.js':
        return themeReply(this.theme(req));
      case 'build/api/layout.js':
        return this.#layout(req, false);
      case 'build/api/layout-dark.js':
        return this.#layout(req, true);
      default:
        return 'none';
    }
  }

  #layout(req: WebRequest, dark: boolean): WebReply {
    const { sessions, port } = this.#options;
    const user = sessions.caller(req.cookies)?.user;
    const apps = user === undefined ? [] : this.#visible();
    const navs = apps.map((app) => [app.name, { label: appLabel(app), items: this.#nav(app, req) }] as const);
    return layoutReply({ port: port(), theme: this.theme(req), dark, user, apps: Object.fromEntries(navs) });
  }

  #visible(): HostedApp[] {
    return this.#options.apps().filter(isVisible);
  }

  #app(name: string): HostedApp {
    const app = this.#options.apps().find((hosted) => hosted.name === name);
    if (app === undefined) throw new WebError(404, `There is no app ${name}.`);
    if (!isVisible(app)) throw new WebError(404, `The app ${name} shows no pages: app.conf hides or disables it.`);
    return app;
  }

  /** The views that the caller may read; all of them before the login. */
  #nav(app: HostedApp, req: WebRequest): NavItem[] {
    const { sessions, log } = this.#options;
    const caller: PlatformCaller | undefined = sessions.caller(req.cookies);
    const readable = (object: string) => caller === undefined || mayAccess(caller, app.access(object), 'read');
    try {
      return readNav(app, readable);
    } catch (error) {
      log.write('ERROR', 'WebSide', (error as Error).message);
      return [];
    }
  }
}

function viewAddress(app: HostedApp, view: string): string {
  return `/${LOCALE}/app/${encodeURIComponent(app.name)}/${view}`;
}

function withoutLastSlash(segments: readonly string[]): readonly string[] {
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}

/** The platform's scripts are the same for all apps; the address tells which app a page belongs to. */
function appOfPage({ message }: WebRequest): string | undefined {
  const { referer = '' } = message.headers;
  if (!URL.canParse(referer)) return undefined;
  const [, name] = /^\/en-US\/app\/([\w.-]+)/.exec(new URL(referer).pathname) ?? [];
  return name;
}
