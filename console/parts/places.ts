import type { ResourceFamily } from '../../client/src/index.ts';
import { viewUrl } from '../app/url.ts';

interface Shown {
  /** What people call it, of one and of several. */
  words: readonly [one: string, many: string];
  view: string;
  tab?: string;
  /** Whether its name leads to its panel. */
  hasPanel?: true;
}

/** Where the console shows each kind of thing. */
export const PLACES: Readonly<Record<ResourceFamily, Shown>> = {
  'mcp-connections': { words: ['MCP connection', 'MCP connections'], view: 'connections', hasPanel: true },
  'llm-providers': { words: ['language model', 'language models'], view: 'connections', tab: 'llm', hasPanel: true },
  'container-connections': {
    words: ['container connection', 'container connections'],
    view: 'connections',
    tab: 'containers',
    hasPanel: true,
  },
  'vector-stores': { words: ['vector store', 'vector stores'], view: 'connections', tab: 'vectors', hasPanel: true },
  'model-registrations': { words: ['registered model', 'registered models'], view: 'models', hasPanel: true },
  experiments: { words: ['experiment', 'experiments'], view: 'experiments', hasPanel: true },
  agents: { words: ['agent', 'agents'], view: 'agents', hasPanel: true },
  containers: { words: ['container', 'containers'], view: 'containers', hasPanel: true },
  models: { words: ['model', 'models'], view: 'models', hasPanel: true },
  'feature-flags': { words: ['feature', 'features'], view: 'settings' },
  configuration: { words: ['configuration', 'configuration'], view: 'settings', tab: 'move' },
  'connection-health': { words: ['connection health', 'connection health'], view: 'overview' },
};

/** The address of the panel of a record; of its view, where it has no panel or no name. */
export function placeUrl(family: ResourceFamily, name = ''): string {
  const { view, tab, hasPanel } = PLACES[family];
  return viewUrl(view, { tab, ...(hasPanel && name !== '' ? openingOf(family, name) : {}) });
}

/** The address of the form for a new one. */
export function newUrl(family: ResourceFamily): string {
  const { view, tab } = PLACES[family];
  return viewUrl(view, { tab, new: '1' });
}

function openingOf(family: ResourceFamily, name: string): Record<string, string> {
  // A connection without a model: several models share it.
  if (family === 'llm-providers' && name.split('/').length < 3) return { q: name.split('/')[1] ?? name };
  // Not to be taken for a file of the same name.
  return { name: family === 'model-registrations' ? `${name}/cloud` : name };
}
