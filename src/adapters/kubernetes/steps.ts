import {
  PatchStrategy,
  setHeaderOptions,
  type V1Deployment,
  type V1OwnerReference,
  type V1PersistentVolumeClaim,
  type V1Pod,
} from '@kubernetes/client-node';
import type { Workload } from '../../ports/engines/containerEngine.ts';
import type { ClusterCalls } from './client.ts';
import { statusOf } from './failures.ts';
import * as make from './manifests.ts';

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

/** Marked for deletion, with no running container that needs the grace period. */
export function isIdle({ metadata, status }: V1Pod): boolean {
  const runs = status?.containerStatuses?.some(({ state }) => state?.running) ?? false;
  return metadata?.deletionTimestamp !== undefined && !runs;
}

/** A node that waits for an image may take minutes to release the pod. */
export async function dropPod(calls: ClusterCalls, namespace: string, { metadata }: V1Pod): Promise<void> {
  try {
    await calls.core.deleteNamespacedPod({ namespace, name: metadata?.name ?? '', gracePeriodSeconds: 0 });
  } catch (error) {
    if (![403, 404].includes(statusOf(error) ?? 0)) throw error;
  }
}

export async function hasDefaultClass(calls: ClusterCalls): Promise<boolean> {
  try {
    const { items } = await calls.storage.listStorageClass();
    return items.some(({ metadata }) => metadata?.annotations?.[DEFAULT_CLASS] === 'true');
  } catch (error) {
    // Storage classes are cluster-wide and often not readable with namespace permissions.
    if (statusOf(error) === 403) return false;
    throw error;
  }
}

/** The claims of a namespace; undefined without the permission, which only makes the reason of a wait more exact. */
export async function readableClaims(
  calls: ClusterCalls,
  namespace: string,
): Promise<V1PersistentVolumeClaim[] | undefined> {
  try {
    return (await calls.core.listNamespacedPersistentVolumeClaim({ namespace })).items;
  } catch (error) {
    if (statusOf(error) === 403) return undefined;
    throw error;
  }
}

export async function autoscale(
  calls: ClusterCalls,
  workload: Workload,
  namespace: string,
  owner: V1OwnerReference,
): Promise<void> {
  try {
    const body = make.autoscaler(workload, namespace, owner);
    await calls.autoscaling.createNamespacedHorizontalPodAutoscaler({ namespace, body });
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    const body = make.oldAutoscaler(workload, namespace, owner);
    await calls.oldAutoscaling.createNamespacedHorizontalPodAutoscaler({ namespace, body });
  }
}

/** Starts the pods, now that all objects exist. */
export function unpause(calls: ClusterCalls, name: string, namespace: string): Promise<V1Deployment> {
  return calls.apps.patchNamespacedDeployment(
    { namespace, name, body: { spec: { paused: false } } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
}
