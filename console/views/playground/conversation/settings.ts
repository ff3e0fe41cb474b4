import type { AgentDefinition, AgentMcp } from '../../../../client/src/index.ts';
import { APPROVALS, type Approval } from '../../../../src/contract/families/agents.ts';
import type { UrlChanges } from '../../../app/url.ts';

/** The model and how it is asked; the address has all of it. */
export interface Settings {
  /** A model reference; empty until one is chosen. */
  model: string;
  max_tokens?: number;
  /** 0 to 1 */
  temperature?: number;
  tools: readonly AgentMcp[];
  stores: readonly string[];
  /** Search tools, by name without the prefix. */
  searches: readonly string[];
  approve: Approval;
}

export function settingsIn(url: URLSearchParams): Settings {
  const max_tokens = numberIn(url.get('max_tokens'));
  const temperature = numberIn(url.get('temperature'));
  return {
    model: url.get('model') ?? '',
    ...(max_tokens !== undefined && Number.isInteger(max_tokens) && max_tokens >= 1 ? { max_tokens } : {}),
    ...(temperature !== undefined && temperature >= 0 && temperature <= 1 ? { temperature } : {}),
    tools: listIn(url.get('tools')).flatMap(toolsOf),
    stores: namesIn(url.get('stores')),
    searches: namesIn(url.get('searches')),
    approve: APPROVALS.find((approval) => approval === url.get('approve')) ?? 'destructive',
  };
}

/** The settings as parameters of the address. */
export function addressOf(settings: Settings): UrlChanges {
  const { model, max_tokens, temperature, tools, stores, searches, approve } = settings;
  return {
    model,
    max_tokens: max_tokens?.toString(),
    temperature: temperature?.toString(),
    tools: listText(tools),
    stores: listText(stores),
    searches: listText(searches),
    approve: approve === 'destructive' ? undefined : approve,
  };
}

const listText = (list: readonly unknown[]): string | undefined =>
  list.length === 0 ? undefined : JSON.stringify(list);

function numberIn(text: string | null): number | undefined {
  const number = Number(text);
  return text === null || text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}

function listIn(text: string | null): unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const namesIn = (text: string | null): string[] => listIn(text).filter((name) => typeof name === 'string');

function toolsOf(entry: unknown): AgentMcp[] {
  const { name, tools } = (entry ?? {}) as { name?: unknown; tools?: unknown };
  if (typeof name !== 'string') return [];
  return [{ name, ...(Array.isArray(tools) ? { tools: tools.filter((tool) => typeof tool === 'string') } : {}) }];
}

/** Whether the model gets tools: only runs have them. */
export const hasTools = ({ tools, stores, searches }: Settings): boolean =>
  tools.length + stores.length + searches.length > 0;

/** The agent of a run with these settings. */
export function definitionOf(settings: Settings, system: string): AgentDefinition {
  const { model, max_tokens, temperature, tools, stores, searches, approve } = settings;
  return {
    runtime_type: 'BUILT_IN',
    llm: {
      model,
      ...(max_tokens === undefined ? {} : { max_tokens }),
      ...(temperature === undefined ? {} : { response_variability: temperature }),
    },
    ...(system === '' ? {} : { system_prompt: system }),
    ...(tools.length === 0 ? {} : { mcps: [...tools] }),
    ...(stores.length === 0 ? {} : { knowledge_bases: [...stores] }),
    ...(searches.length === 0 ? {} : { search_tools: [...searches] }),
    approve_tools: approve,
  };
}
