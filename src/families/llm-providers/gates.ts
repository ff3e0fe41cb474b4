import type { Gate } from '../../contract/capabilities.ts';

/** Who may see LLM configurations. */
export const LLM_READERS = { any: ['edit_ai_commander_config', 'list_ai_commander_config'] } as const satisfies Gate;

/** Who may change and test them. */
export const LLM_WRITERS = {
  gate: { all: ['edit_ai_commander_config', 'list_ai_commander_config'] },
  flag: 'llm_providers',
} as const;
