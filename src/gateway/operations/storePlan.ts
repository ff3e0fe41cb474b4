import type { OpenStore } from '../../families/vector-stores/public.ts';
import type { Plan, Target } from '../operation.ts';

type Store = Pick<OpenStore, 'type' | 'name'>;

export const storeTarget = ({ type, name }: Store): Target => ({ service: type, connection_name: name, model: name });

/** The part of a plan that every use of a vector store has. */
export function storePlan(store: Store): Pick<Plan<Target, unknown, unknown>, 'targets' | 'open' | 'lateText'> {
  const target = storeTarget(store);
  return {
    targets: [target],
    open: async () => target,
    lateText: () => `The vector store ${store.name} did not answer in time`,
  };
}
