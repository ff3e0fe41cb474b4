import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { type Handlers, withDraft } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import { crudHandlers } from '../../resources/crud/handlers.ts';
import type { FamilyFields } from '../../resources/kind.ts';
import { type References, unusedBy } from '../../resources/references.ts';
import { Resources } from '../../resources/resources.ts';
import type { SearchToolCreate, SearchToolStored, SearchToolUpdate } from './definition.ts';
import type { searchTools } from './endpoints.ts';
import { type Judgement, judgeForSave, type SearchSite } from './judgement.ts';
import { FAMILY, OPERATIONS, searchToolKind } from './records.ts';
import { type SearchTools, testSearchTool } from './testing.ts';

export function searchToolHandlers(
  stores: Stores,
  site: Omit<SearchSite, 'log'>,
  plans: RecordPlans,
  references: References,
): Handlers<typeof searchTools> {
  const kind: typeof searchToolKind = { ...searchToolKind, assertUnused: unusedBy(references, 'search_tool') };
  const tools: SearchTools = new Resources(kind, stores, plans[FAMILY]);
  const searches = { ...site, log: stores.log };

  /** Checks and judges the tool that a create would leave. */
  async function drafted(caller: Caller, input: SearchToolCreate) {
    const draft = await tools.draft(tools.parse(input));
    return { draft, judgement: await judgeForSave(searches, caller, draft.target.record) };
  }

  /** Checks and judges the tool that an update would leave, before the lease is taken. */
  async function changed(caller: Caller, input: SearchToolUpdate) {
    const key = recordKey(input.name);
    const body = tools.parse(input);
    const before = await tools.get(caller, key, 'write');
    const next = await tools.mergeChecked(before, body.open, tools.sealed.decideSecrets({}, []), []);
    return { key, body, seen: before, discovered: judgedAs(next, await judgeForSave(searches, caller, next)) };
  }

  return {
    ...crudHandlers(OPERATIONS, tools, { created: '', updated: '', deleted: 'Search tool deleted' }),
    createSearchTool: withDraft(
      async ({ caller, body }) => {
        const key = recordKey(body.name);
        const { draft, judgement } = await drafted(caller, body);
        const record = await tools.create(caller, key, draft, { discovered: () => judgement });
        return { message: 'Search tool created', config: tools.view(record) };
      },
      async ({ caller, body, warnings }) => {
        const { judgement } = await drafted(caller, body);
        const draft = await tools.draftCreate(caller, recordKey(body.name), tools.parse(body), warnings);
        return { ...draft, read_only: judgement.read_only };
      },
    ),
    updateSearchTool: withDraft(
      async ({ caller, body: input, condition, warnings }) => {
        const { key, body, ...judged } = await changed(caller, input);
        const record = await tools.update(caller, key, body, { condition, warnings, ...judged });
        return { message: 'Search tool updated', config: tools.view(record) };
      },
      async ({ caller, body: input, condition, warnings }) => {
        const { key, body, ...judged } = await changed(caller, input);
        return tools.draftUpdate(caller, key, body, { condition, warnings, ...judged });
      },
    ),
    testSearchTool: ({ caller, body }) => testSearchTool(tools, searches, caller, body),
  };
}

type JudgedFields = Pick<SearchToolStored, 'search' | 'arguments' | 'app'>;

/** The judgement as fields of the record, unless somebody else has changed what was judged. @throws Fault `version_conflict` */
const judgedAs =
  (judged: JudgedFields, judgement: Judgement) =>
  (next: FamilyFields<SearchToolStored>): Judgement => {
    const texts = [judged, next].map(({ search, arguments: args, app }) => JSON.stringify([search, args, app]));
    if (texts[0] === texts[1]) return judgement;
    throw new Fault('version_conflict', 'Somebody changed the search tool meanwhile: read it again');
  };
