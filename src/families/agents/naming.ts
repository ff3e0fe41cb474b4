import { recordKey } from '../../domain/values/keys.ts';
import { configurationName, type Naming } from '../../resources/references.ts';
import type { AgentStored } from './definition.ts';
import { AGENTS } from './records/records.ts';
import { configurationOf } from './records/stored.ts';

type Names = Partial<Pick<AgentStored, 'mcps' | 'knowledge_bases' | 'search_tools' | 'llm'>>;

export const AGENT_NAMING: Naming = {
  from: AGENTS,
  users: 'agents',
  references: [
    { to: 'mcp', field: 'mcps', namesIn: ({ mcps = [] }: Names) => mcps.map(({ name }) => recordKey(name)) },
    {
      to: 'knowledge_base',
      field: 'knowledge_bases',
      namesIn: ({ knowledge_bases = [] }: Names) => knowledge_bases.map(recordKey),
    },
    {
      to: 'search_tool',
      field: 'search_tools',
      namesIn: ({ search_tools = [] }: Names) => search_tools.map(recordKey),
    },
    {
      to: 'llm',
      field: 'llm',
      namesIn({ llm = null }: Names) {
        const configuration = configurationOf(llm);
        return configuration ? [configurationName(configuration)] : modelReference(llm);
      },
    },
    { to: 'alias', field: 'llm', namesIn: ({ llm = null }: Names) => modelReference(llm).map(recordKey) },
  ],
};

/** A model reference, which can also be an alias. */
const modelReference = (llm: AgentStored['llm']): string[] => (llm && !configurationOf(llm) ? [llm.model] : []);
