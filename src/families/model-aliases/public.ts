import type { Caller } from '../../contract/caller.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';

/** An alias as the gateway uses it. */
export interface ModelAlias {
  name: string;
  targets: { service: string; connection_name: string; model: string }[];
  strategy: 'first' | 'spread';
  fallback_on: string[];
  defaults: { temperature?: number; max_tokens?: number; system_prompt?: string };
  created_at: number;
}

export async function readableAlias(
  _records: RecordStore,
  _caller: Caller,
  _name: string,
): Promise<ModelAlias | undefined> {
  return undefined;
}

export async function readableAliases(_records: RecordStore, _caller: Caller): Promise<ModelAlias[]> {
  return [];
}
