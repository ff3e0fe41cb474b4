import type { Model } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';

/** What tells a model from others of its name. */
export type ModelId = Pick<Model, 'name' | 'type'> & Partial<Pick<Model, 'app' | 'sharing' | 'owner'>>;

/** Names do not tell models apart: files of several apps and users may have the same, and so may a registration. */
export function addressOf({ name, type, app = '', sharing = 'user', owner = '' }: ModelId): string {
  return type === 'cloud' ? `${name}/${type}` : [name, type, app, sharing, owner].join('/');
}

/** @returns no type where the address is a name alone */
export function idIn(address: string): { name: string; type?: string } {
  const [name = '', type] = address.split('/');
  return { name, ...(type ? { type } : {}) };
}

/** The model of an address, or, of a name alone, the first one that has it. @returns null if there is none */
export async function findModel(address: string, signal: AbortSignal): Promise<Model | null> {
  const { name, type } = idIn(address);
  const query = { search: name, ...(type ? { type: type as Model['type'] } : {}) };
  for await (const model of ml.each('listModels', { query }, { signal })) {
    if (type ? addressOf(model) === address : model.name.toLowerCase() === name.toLowerCase()) return model;
  }
  return null;
}
