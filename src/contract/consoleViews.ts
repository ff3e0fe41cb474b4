/** The views of the console, in the order of its navigation. The first one is opened by default. */
export const CONSOLE_VIEWS = {
  connections: 'Connections',
} as const;
export type ConsoleView = keyof typeof CONSOLE_VIEWS;
