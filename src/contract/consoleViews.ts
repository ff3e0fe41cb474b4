/** The views of the console, in the order of its navigation. The first one is opened by default. */
export const CONSOLE_VIEWS = {
  overview: 'Overview',
  connections: 'Connections',
  containers: 'Containers',
  agents: 'Agents',
  experiments: 'Experiments',
  models: 'Models',
  audit: 'Audit',
  settings: 'Settings',
} as const;
export type ConsoleView = keyof typeof CONSOLE_VIEWS;
