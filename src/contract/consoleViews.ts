/** Views of the console in navigation order; the first is the default. */
export const CONSOLE_VIEWS = {
  overview: 'Overview',
  playground: 'Playground',
  connections: 'Connections',
  containers: 'Containers',
  agents: 'Agents',
  experiments: 'Experiments',
  models: 'Models',
  usage: 'Usage',
  audit: 'Audit',
  settings: 'Settings',
} as const;
export type ConsoleView = keyof typeof CONSOLE_VIEWS;
