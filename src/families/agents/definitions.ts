import type { Json } from '../../contract/basics.ts';
import { invalid } from '../../contract/codes/faults.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { mayRead, mayWrite } from '../../domain/access/acl.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';
import { readableRecords } from '../../resources/access.ts';
import { mergePlanned } from '../../resources/record/planned.ts';
import type { ReferenceSite } from '../model-aliases/public.ts';
import type { AgentInput, AgentStored } from './definition.ts';
import { type AgentDefinitions, cloudOfRecord, definitionOf, runnableAgent } from './records/definition.ts';
import { mergeAgent, problemsOf } from './records/input.ts';
import { assertOutputSchema } from './records/outputSchema.ts';
import { AGENTS, FAMILY } from './records/records.ts';
import { assertNamesKnown } from './records/references.ts';
import { cloudOf, runtimeWarnings } from './records/runtimeTypes.ts';

interface DefinitionSite extends ReferenceSite {
  plans: RecordPlans;
  schemas: SchemaChecks;
}

async function recordOf({ records }: Pick<ReferenceSite, 'records'>, name: string): Promise<AgentStored | undefined> {
  const options = { query: { _key: recordKey(name) }, limit: 1 };
  return (await records.find<AgentStored>(AGENTS, options))[0];
}

export const agentDefinitions = (site: DefinitionSite): AgentDefinitions => ({
  async read(caller, name) {
    const record = await recordOf(site, name);
    return record && mayRead(caller, record) ? runnableAgent(caller, record, site.plans[FAMILY]) : undefined;
  },
  async cloudOf(name, createdAt) {
    const record = await recordOf(site, name);
    return record?.created_at === createdAt ? cloudOfRecord(record) : undefined;
  },
  async runnable(caller) {
    const fields = ['name', 'description', 'acl', 'is_enabled', 'state', 'runtime_type', 'output_schema'] as const;
    const agents = await readableRecords<AgentStored>(site.records, caller, AGENTS, fields);
    return agents
      .filter(({ is_enabled, state }) => is_enabled && state === 'Available')
      .map(({ name, description, runtime_type, output_schema: schema }) => ({
        ...{ name, description },
        ...(schema !== undefined && runtime_type === 'BUILT_IN' ? { output_schema: JSON.parse(schema) as Json } : {}),
      }));
  },
  async writable(caller) {
    const fields = ['name', 'acl', 'created_at'] as const;
    const agents = await readableRecords<AgentStored>(site.records, caller, AGENTS, fields);
    return agents
      .filter((agent) => mayWrite(caller, agent))
      .map(({ name, created_at }) => ({ agent: name, agent_created_at: created_at }));
  },
  async complete(caller, { output_schema: schema, ...input }, warnings) {
    await assertOutputSchema(site.schemas, schema);
    const base = { runtime_type: 'BUILT_IN' } as const;
    const planned = mergePlanned(site.plans[FAMILY], base, input);
    const fields = {
      ...{ ...planned, ...mergeAgent(undefined, input) },
      // Not as text, since it is not stored in a record.
      ...(schema ? { output_schema: schema } : {}),
    } as unknown as AgentInput;
    const problems = problemsOf(fields);
    if (problems.length > 0) throw invalid(problems);
    if (cloudOf(fields) !== undefined) {
      const message = `runs saved agents only, whose runtime exists; use BUILT_IN or CONTAINER, or save the agent`;
      throw invalid([{ field: 'runtime_type', message }]);
    }
    await assertNamesKnown(site, caller, fields);
    warnings.push(...runtimeWarnings(fields));
    return definitionOf(fields);
  },
  assertReadable: (caller, { llm, mcps, knowledge_bases, search_tools = [] }) =>
    assertNamesKnown(site, caller, {
      ...{ llm, mcps: mcps.map(({ name }) => ({ name, tools: [] })), knowledge_bases, search_tools },
    }),
});
