import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostedApp } from '../../apps/hostedApp.ts';
import { PLATFORM_BUILD, PLATFORM_VERSION } from '../../home/home.ts';
import { messageReply, scriptReply, type WebReply } from '../reply.ts';
import { formCookie } from '../sessions.ts';
import { scriptValue } from './html.ts';
import { LOGIN, LOGOUT } from './login.ts';
import type { NavItem } from './nav.ts';
import { colours, isDark, OTHER, type Theme, TYPEFACE, themeCookie } from './themes.ts';
import { appBuild } from './views.ts';

const PROXY = '/en-US/splunkd/__raw';

/** Cacheable, but revalidated on each use. */
const ASK = 'no-cache';

/** Fills a file of `browser/` in which `__DATA__` stands for data of the server. */
function browserScript(name: string, data?: unknown): string {
  const text = readFileSync(join(import.meta.dirname, '../browser', name), 'utf8');
  return data === undefined ? text : text.replace('__DATA__', () => scriptValue(data));
}

/** `window.$C`, the server's facts for pages. `app` is that of the requesting page. */
export function configReply(
  { port, user, app }: { port: number; user: string | undefined; app: HostedApp | undefined },
  autoload: boolean,
): WebReply {
  const config = {
    BUILD_NUMBER: PLATFORM_BUILD,
    BUILD_PUSH_NUMBER: 0,
    APP_BUILD: app === undefined ? '0' : appBuild(app),
    LOCALE: 'en-US',
    MRSPARKLE_PORT_NUMBER: port,
    MRSPARKLE_ROOT_PATH: '',
    SPLUNKD_PATH: PROXY,
    VERSION_LABEL: PLATFORM_VERSION,
    SERVER_ZONEINFO: '### SERIALIZED TIMEZONE FORMAT 1.0;Y0 N 55 54 43;',
    ...(user === undefined ? {} : { USERNAME: user }),
  };
  if (autoload) return scriptReply(`window.$C = ${scriptValue(config)};\n`);
  const { headers, status } = messageReply(200, '');
  return { status, headers, body: JSON.stringify(config) };
}

export function i18nReply(): WebReply {
  return scriptReply(browserScript('i18n.js'), ASK);
}

/** Only English, which needs no catalogue. */
export function catalogReply(): WebReply {
  return scriptReply('i18n_register({ plural: (n) => (n === 1 ? 0 : 1), catalog: {} });\n', ASK);
}

export function themeReply(theme: Theme): WebReply {
  return scriptReply(`window.__get_theme__ = { getTheme: () => Promise.resolve(${scriptValue(theme)}) };\n`);
}

export interface LayoutData {
  port: number;
  theme: Theme;
  /** Whether the dark one of the two files was requested. */
  dark: boolean;
  user: string | undefined;
  apps: Record<string, { label: string; items: NavItem[] }>;
}

/** The frame around an app's page: user, navigation, theme switch. */
export function layoutReply({ port, theme, dark, user, apps }: LayoutData): WebReply {
  const isDarkPage = dark || isDark(theme);
  const data = {
    user: user ?? null,
    apps,
    login: LOGIN,
    logout: LOGOUT,
    formCookie: formCookie(port),
    cookie: themeCookie(port),
    // Pages in the dark prisma theme request the light file.
    dark: isDarkPage,
    otherTheme: OTHER[theme],
    colours: colours(isDarkPage),
    typeface: TYPEFACE,
  };
  return scriptReply(browserScript('layout.js', data));
}
