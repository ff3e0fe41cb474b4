import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useRefusal } from '../../api/rights.ts';
import { isObject } from '../form/values.ts';
import { withVisibleCharacters } from '../text/visible.ts';

/** Facts about a tool, as its server states them. */
export interface ToolFacts {
  description: string;
  /** In words, such as `may destroy`. */
  effects: readonly string[];
}

const FRESH_MS = 5 * 60_000;
/** Limit of pages of tools; the gateway has more only for very large servers. */
const MOST_PAGES = 10;

/** Annotation -> what it says if it is true, and if it is false. */
const EFFECTS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  readOnlyHint: ['only reads', 'changes something'],
  destructiveHint: ['may destroy', 'does not destroy'],
  idempotentHint: ['may be repeated', 'must not be repeated'],
  openWorldHint: ['reaches other systems', 'reaches no other systems'],
};

/** The tools that the user may call, by the names that runs use. */
async function readTools(signal: AbortSignal): Promise<ReadonlyMap<string, ToolFacts>> {
  const tools = new Map<string, ToolFacts>();
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = typeof cursor === 'string' ? { params: { cursor } } : {};
    const body = { jsonrpc: '2.0', id: page, method: 'tools/list', ...params } as const;
    const { result = {} } = await ml.call('serveMcp', { body }, { signal });
    const { tools: entries, nextCursor } = result as { tools?: unknown; nextCursor?: unknown };
    for (const tool of Array.isArray(entries) ? entries : []) {
      if (isObject(tool) && typeof tool.name === 'string') tools.set(tool.name, factsOf(tool));
    }
    cursor = nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return tools;
}

function factsOf({ description, annotations }: Record<string, unknown>): ToolFacts {
  const hints = isObject(annotations) ? annotations : {};
  const effects = Object.entries(EFFECTS).flatMap(([name, [yes, no]]) => {
    const value = hints[name];
    return typeof value === 'boolean' ? [value ? yes : no] : [];
  });
  return { description: typeof description === 'string' ? withVisibleCharacters(description) : '', effects };
}

/** Undefined while it is unknown. @param isNeeded whether something waits for a decision */
export function useToolFacts(isNeeded: boolean): ReadonlyMap<string, ToolFacts> | undefined {
  const isRefused = useRefusal()('serveMcp') !== undefined;
  return useRead({
    queryKey: ['tools', 'served'],
    queryFn: ({ signal }) => readTools(signal),
    staleTime: FRESH_MS,
    retry: false,
    enabled: isNeeded && !isRefused,
  }).data;
}
