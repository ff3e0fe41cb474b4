import { getUserTheme } from '@splunk/splunk-utils/themes';

/** `getUserTheme` never settles where the preferences of the user cannot be read. */
const LONGEST_WAIT_MS = 3000;

/** The theme that the user, or Splunk Web, has chosen. */
export async function pageTheme(): Promise<string> {
  const waited = new Promise<undefined>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS, undefined));
  const theme = await Promise.race([getUserTheme().catch(() => undefined), waited]);
  // The preference as it is stored, where Splunk Web does not say what its default is.
  if (theme === 'default_system_theme')
    return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  return theme ?? 'light';
}
