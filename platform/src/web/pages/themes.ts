import { type Cookies, cookieValue } from '../sessions.ts';

/** Family and colours of each theme; `light` and `dark` belong to the enterprise family. */
export const THEMES = ['light', 'dark', 'prismaLight', 'prismaDark'] as const;
export type Theme = (typeof THEMES)[number];

/** The other colours of the same family, for the switch. */
export const OTHER: Readonly<Record<Theme, Theme>> = {
  light: 'dark',
  dark: 'light',
  prismaLight: 'prismaDark',
  prismaDark: 'prismaLight',
};

export function themeNamed(name: string | undefined): Theme | undefined {
  return THEMES.find((theme) => theme === name);
}

export function isDark(theme: Theme): boolean {
  return theme === 'dark' || theme === 'prismaDark';
}

/** Set in the browser by the switch in the header. */
export function themeCookie(port: number): string {
  return `web_theme_${port}`;
}

/** The user's choice, else the platform's default. */
export function chosenTheme(cookies: Cookies, port: number, usual: Theme): Theme {
  return themeNamed(cookieValue(cookies, themeCookie(port))) ?? usual;
}

/** Colours of the web side's own pages; each text has a contrast of at least 4.5. */
export function colours(dark: boolean): { ground: string; bar: string; text: string; link: string; line: string } {
  return dark
    ? { ground: '#111215', bar: '#1d2024', text: '#f1f3f5', link: '#9dc3ff', line: '#8d949e' }
    : { ground: '#ffffff', bar: '#f3f4f6', text: '#1a1c20', link: '#1757a6', line: '#767c85' };
}

/** The typeface of pages that are made with Splunk's own parts: the header beside them has the same. */
export const TYPEFACE =
  "'Splunk Platform Sans', 'Proxima Nova', Roboto, Droid, 'Helvetica Neue', Helvetica, Arial, sans-serif";
