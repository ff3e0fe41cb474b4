import type { Gate } from '../../contract/capabilities.ts';

/** Who may see LLM configurations. */
export const LLM_READERS = { any: ['edit_ai_commander_config', 'list_ai_commander_config'] } as const satisfies Gate;
