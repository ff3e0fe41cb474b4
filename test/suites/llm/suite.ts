import type { OpenWorld } from '../../support/worlds/world.ts';
import { inputTests } from './input.ts';
import { LlmKit } from './kit.ts';
import { readTests } from './reads.ts';
import { recordTests } from './records.ts';
import { secretTests } from './secrets.ts';
import { testTests } from './tests.ts';

/** LLM configurations as their users see them, in any world. */
export function llmSuite(open: OpenWorld): void {
  const world = open({
    users: { editor: ['ml_admin'], reader: ['ml_user'], only_edit_user: ['only_edit'], nobody_special: ['user'] },
    roles: { only_edit: ['edit_ai_commander_config'] },
    collections: ['ml_llm_connections', 'ml_llm_models', 'ml_agents'],
    servers: true,
  });
  const kit = new LlmKit(world);

  describe('records', () => recordTests(kit));
  describe('secrets', () => secretTests(kit));
  describe('input', () => inputTests(kit));
  describe('reads', () => readTests(kit));
  describe('tests', () => testTests(kit));
}
