import { USAGE_INDEX } from '../../contract/families/usage.ts';
import { dashboardXml, INDEX_TOKEN, PLAIN_TABLE, panelXml, STACKED_COLUMNS, textInputXml } from './simpleXml.ts';
import { USAGE_SEARCHES, usageEvents } from './usageSearches.ts';

const query = (pipeline: string): string => `${usageEvents(INDEX_TOKEN)} ${pipeline}`;

/** `ml_usage_dashboard.xml` */
export function usageDashboardXml(): string {
  const panels = USAGE_SEARCHES.flatMap(({ name, pipeline, chart }) => {
    const title = name.replace(/^ML (.)/, (_match, first: string) => first.toUpperCase());
    const numbers = panelXml({ kind: 'table', title, query: query(pipeline), options: PLAIN_TABLE });
    if (!chart) return [numbers];
    const { title: above, pipeline: columns } = chart;
    return [panelXml({ kind: 'chart', title: above, query: query(columns), options: STACKED_COLUMNS }), numbers];
  });
  return dashboardXml({
    label: 'Machine learning usage',
    description: 'Tokens and cost, failures and slow upstreams, from the events of uses.',
    source: 'the table of usage searches',
    inputs: [textInputXml('index', 'Index of the events (usage_index)', USAGE_INDEX)],
    panels,
  });
}
