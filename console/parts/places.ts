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
  'llm-providers': { words: ['LLM connection', 'LLM connections'], view: 'connections', tab: 'llm', hasPanel: true },
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
  'connection-health': { words: ['health of connections', 'health of connections'], view: 'overview' },
};

/** The address of the panel of a record; of its view, where it has no panel or no name. */
export function placeUrl(family: ResourceFamily, name = ''): string {
  const { view, tab, hasPanel } = PLACES[family];
  return viewUrl(view, { tab, name: hasPanel ? name : undefined });
}
