import { type Cookies, cookieValue } from '../sessions.ts';

/** Family and colours of a theme; `light` and `dark` are those of the enterprise family. */
export const THEMES = ['light', 'dark', 'prismaLight', 'prismaDark'] as const;
export type Theme = (typeof THEMES)[number];

/** What the switch changes to: the other colours of the same family. */
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

/** Set by the switch in the header, in the browser. */
export function themeCookie(port: number): string {
  return `web_theme_${port}`;
}

/** The user's choice, or else that of the platform. */
export function chosenTheme(cookies: Cookies, port: number, usual: Theme): Theme {
  return themeNamed(cookieValue(cookies, themeCookie(port))) ?? usual;
}

/** Colours of what the web side draws itself; each text has a contrast of 4.5 at least on its ground. */
export function colours(dark: boolean): { ground: string; bar: string; text: string; link: string; line: string } {
  return dark
    ? { ground: '#111215', bar: '#1d2024', text: '#f1f3f5', link: '#9dc3ff', line: '#8d949e' }
    : { ground: '#ffffff', bar: '#f3f4f6', text: '#1a1c20', link: '#1757a6', line: '#767c85' };
}
