import type { Model } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';

/** The identity of a model. */
export type ModelId = Pick<Model, 'name' | 'type'> & Partial<Pick<Model, 'app' | 'sharing' | 'owner'>>;

/** Files of several apps and users, and registrations, can share a name. */
export function addressOf({ name, type, app = '', sharing = 'user', owner = '' }: ModelId): string {
  return type === 'cloud' ? `${name}/${type}` : [name, type, app, sharing, owner].join('/');
}

/** @returns no type if the address is only a name */
export function idIn(address: string): { name: string; type?: string } {
  const [name = '', type] = address.split('/');
  return { name, ...(type ? { type } : {}) };
}

/** Finds a model by its address, or the first one by its name. @returns null if it does not exist */
export async function findModel(address: string, signal: AbortSignal): Promise<Model | null> {
  const { name, type } = idIn(address);
  const query = { search: name, ...(type ? { type: type as Model['type'] } : {}) };
  for await (const model of ml.each('listModels', { query }, { signal })) {
    if (type ? addressOf(model) === address : model.name.toLowerCase() === name.toLowerCase()) return model;
  }
  return null;
}
