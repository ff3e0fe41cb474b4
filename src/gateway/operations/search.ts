import type { Static } from 'typebox';
import { auditedUser, type CountedWork } from '../../contract/audit.ts';
import type { Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { SEARCH_PROVIDER } from '../../contract/families/searchTools.ts';
import { isFlagOnNow } from '../../contract/settings/flags.ts';
import {
  MAX_RESULT,
  MAX_RESULT_OF_RUN,
  type SearchSite,
  type ShapedResult,
  shapeResult,
} from '../../families/search-tools/public.ts';
import { NO_TOKENS } from '../../metering/tokens.ts';
import type { PlatformRows } from '../../ports/platform/platformSearches.ts';
import type { RequestContext } from '../context.ts';
import type { Operation, Target } from '../operation.ts';
import type { SearchCallBody, SearchCallReply } from '../search/schemas.ts';
import { findSearchTool } from '../search/searchTools.ts';
import { assertArguments } from '../tools/checkArguments.ts';
import { recordToolName } from '../tools/toolNames.ts';

export interface SearchCall {
  /** Without the prefix. */
  tool: string;
  arguments: Json;
  timeoutS?: number | undefined;
}

/** Calls a search tool as the caller: rights, arguments, guard, slot, limits, audit, search. */
export const searchCall: Operation<SearchCall, Target, PlatformRows, ShapedResult> = {
  name: 'search',
  hasEffects: true,
  async open({ deps, caller, use }, { tool: name, arguments: args, timeoutS }) {
    // A run may have begun while the feature was on.
    if (!(await isFlagOnNow('search_tools', deps.settings)))
      throw new Fault('feature_disabled', 'The feature search_tools is switched off');
    const tool = await findSearchTool(deps.stores.records, caller, name);
    await assertArguments(deps.schemas, tool.served.inputSchema, args);
    const request = { site: siteOf(deps), caller, now: deps.stores.clock.now(), timeoutS };
    const { send, notes } = await tool.prepare(request, args);
    const target = { service: SEARCH_PROVIDER, connection_name: SEARCH_PROVIDER, model: tool.name };
    return async () => ({
      // The platform has its own record of searches, which fewer people may read.
      input: null,
      targets: [target],
      open: async () => target,
      lateText: () => 'The search did not end within the deadline of the request',
      send: (upstream) =>
        deps.stores.audit.runCounted(deps.entries, auditedCall(deps, tool.name, caller), () =>
          upstream.request(() => send(upstream)),
        ),
      result: (rows) => ({
        response: shapeResult(rows, deps.origin.run ? MAX_RESULT_OF_RUN : MAX_RESULT, notes),
        ...{ tokens: NO_TOKENS, charge: undefined, output: null, warnings: use.warnings },
      }),
    });
  },
};

/** `POST /ai_gateway/search`. */
export const search: Operation<Static<typeof SearchCallBody>, Target, PlatformRows, Static<typeof SearchCallReply>> = {
  name: 'search',
  hasEffects: true,
  row: 'callSearchTool',
  flag: 'search_tools',
  async open(context, { tool, arguments: args, timeout_s: timeoutS }) {
    const complete = await searchCall.open(context, { tool, arguments: args ?? {}, timeoutS });
    return async (deadline) => {
      const plan = await complete(deadline);
      return {
        ...plan,
        result(rows, target) {
          const shaped = plan.result(rows, target);
          return { ...shaped, response: { result: shaped.response.result } };
        },
      };
    };
  },
};

const siteOf = ({ platformSearches, settings, stores }: RequestContext): SearchSite => ({
  ...{ platformSearches, settings, log: stores.log },
});

/** A call of a run is recorded under the family of runs and nowhere else. */
function auditedCall(
  { origin: { sid, requestId, run }, searches }: RequestContext,
  tool: string,
  caller: Caller,
): CountedWork {
  const via = sid === undefined ? 'rest' : 'search';
  const common = { ...auditedUser(caller), request_id: requestId, via, tool } as const;
  if (run) {
    const name = recordToolName('search', tool);
    return { ...common, action: 'execute_tool', family: 'runs', name, run_id: run.id };
  }
  const isKnownSearch = (id: string) => searches.isKnown(caller.user, id);
  return { ...common, action: 'call', family: 'search_tools', name: tool, sid, isKnownSearch };
}
