import type { ResourceFamily } from '../../client/src/index.ts';
import { viewUrl } from '../app/url.ts';

interface FamilyView {
  /** Singular and plural. */
  labels: readonly [one: string, many: string];
  view: string;
  tab?: string;
  hasPanel?: true;
}

/** The view of each family. */
export const FAMILIES: Readonly<Record<ResourceFamily, FamilyView>> = {
  'mcp-connections': { labels: ['MCP connection', 'MCP connections'], view: 'connections', hasPanel: true },
  'llm-providers': { labels: ['language model', 'language models'], view: 'connections', tab: 'llm', hasPanel: true },
  'container-connections': {
    labels: ['container connection', 'container connections'],
    view: 'connections',
    tab: 'containers',
    hasPanel: true,
  },
  'vector-stores': { labels: ['vector store', 'vector stores'], view: 'connections', tab: 'vectors', hasPanel: true },
  model_aliases: { labels: ['alias', 'aliases'], view: 'connections', tab: 'aliases', hasPanel: true },
  usage_limits: { labels: ['usage limit', 'usage limits'], view: 'usage', tab: 'limits', hasPanel: true },
  search_tools: { labels: ['search tool', 'search tools'], view: 'connections', tab: 'searches', hasPanel: true },
  masking_policies: {
    labels: ['masking policy', 'masking policies'],
    view: 'connections',
    tab: 'masking',
    hasPanel: true,
  },
  'model-registrations': { labels: ['registered model', 'registered models'], view: 'models', hasPanel: true },
  experiments: { labels: ['experiment', 'experiments'], view: 'experiments', hasPanel: true },
  agents: { labels: ['agent', 'agents'], view: 'agents', hasPanel: true },
  runs: { labels: ['run', 'runs'], view: 'agents', tab: 'runs' },
  containers: { labels: ['container', 'containers'], view: 'containers', hasPanel: true },
  models: { labels: ['model', 'models'], view: 'models', hasPanel: true },
  'feature-flags': { labels: ['feature', 'features'], view: 'settings' },
  configuration: { labels: ['configuration', 'configuration'], view: 'settings', tab: 'move' },
  'connection-health': { labels: ['connection health', 'connection health'], view: 'overview' },
};

/** The address of the panel of a record, or of its view. */
export function recordUrl(family: ResourceFamily, name = ''): string {
  const { view, tab, hasPanel } = FAMILIES[family];
  return viewUrl(view, { tab, ...(hasPanel && name !== '' ? recordQuery(family, name) : {}) });
}

export function newUrl(family: ResourceFamily): string {
  const { view, tab } = FAMILIES[family];
  return viewUrl(view, { tab, new: '1' });
}

function recordQuery(family: ResourceFamily, name: string): Record<string, string> {
  // A connection without a model has no panel.
  if (family === 'llm-providers' && name.split('/').length < 3) return { q: name.split('/')[1] ?? name };
  // A file may have the same name.
  return { name: family === 'model-registrations' ? `${name}/cloud` : name };
}
