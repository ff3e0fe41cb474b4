import { isObject, type Json } from '../../../contract/basics.ts';
import type { Problem } from '../../../contract/codes/faults.ts';
import { text } from '../../models/chatParts.ts';

interface ThinkingFields {
  thinking?: unknown;
  output_config?: unknown;
}

const ON = ['enabled', 'adaptive', 'between_tools'];

const settingsOf = ({ thinking }: ThinkingFields): Json => (isObject(thinking) ? thinking : {});

/** Whether the answer shows what the model has thought. */
export const isThinking = (body: ThinkingFields): boolean => ON.includes(String(settingsOf(body).type));

/** Whether the thoughts are shown without their text. */
export const isTextOmitted = (body: ThinkingFields): boolean => settingsOf(body).display === 'omitted';

/** The most tokens of thinking for each effort. */
const BUDGETS = [
  [2048, 'low'],
  [8192, 'medium'],
  [24_576, 'high'],
] as const;

/** The effort that a request asks for, in whatever way. An effort says more than a budget. */
export function toEffort(body: ThinkingFields, problems: Problem[]): string | undefined {
  const { type, budget_tokens: budget } = settingsOf(body);
  if (type === 'disabled') return 'none';
  const isGiven = body.thinking !== undefined && body.thinking !== null;
  if (isGiven && !isThinking(body))
    problems.push({ field: 'thinking.type', message: `must be disabled, ${ON.join(', ')}` });
  if (type === 'enabled' && typeof budget !== 'number')
    problems.push({ field: 'thinking.budget_tokens', message: 'must be a number' });
  const { effort } = isObject(body.output_config) ? body.output_config : {};
  if (effort !== undefined && effort !== null && typeof effort !== 'string')
    problems.push({ field: 'output_config.effort', message: 'must be a text' });
  if (text(effort)) return text(effort);
  if (type !== 'enabled' || typeof budget !== 'number') return undefined;
  return BUDGETS.find(([most]) => budget <= most)?.[1] ?? 'xhigh';
}
