import type { V1Deployment } from '@kubernetes/client-node';
import { startDeadline } from '../../domain/async/deadline.ts';
import {
  type ContainerEngine,
  EngineFailure,
  type EngineReport,
  type KubernetesTarget,
  type LogLine,
  type LogQuery,
  type Scope,
  type Workload,
  type WorkloadState,
} from '../../ports/engines/containerEngine.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { AwsOptions } from '../aws/session.ts';
import type { OutboundPolicy } from '../outbound/outbound.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { type ClusterCalls, ClusterClient } from './client.ts';
import { clusterFailure, statusOf } from './failures.ts';
import { clusterAccess } from './identity.ts';
import { belongs, LABEL, scopeSelector } from './labels.ts';
import { eventTime, logBytes, logLines, MAX_PODS, ReadFailure } from './logs.ts';
import * as make from './manifests.ts';
import { deploymentState, isUnscheduled, liveFirst } from './state.ts';
import { autoscale, dropPod, hasDefaultClass, isIdle, readableClaims, unpause } from './steps.ts';
import { verifyCluster } from './verify.ts';

const CLEANUP_MS = 10_000;
const POLL_MS = 200;
/** Time left for the reply when a deletion is slow. */
const MARGIN_MS = 2000;
/** No site runs more through one connection. */
const MAX_DEPLOYMENTS = 1000;

type Reference = Pick<WorkloadState, 'id' | 'name'>;

/** A Kubernetes cluster, by the official client. */
export class KubernetesEngine implements ContainerEngine {
  readonly #target: KubernetesTarget;
  readonly #policy: OutboundPolicy;
  readonly #aws: AwsOptions;
  #client: Promise<ClusterClient> | undefined;
  #hidden: readonly string[];

  constructor(target: KubernetesTarget, hidden: readonly string[], policy: OutboundPolicy, aws: AwsOptions) {
    this.#target = target;
    this.#hidden = hidden;
    this.#policy = policy;
    this.#aws = aws;
  }

  close(): void {
    this.#client?.then(
      (client) => client.close(),
      () => {},
    );
  }

  /** Authenticates once, at the first call. */
  async #connect(deadline: Deadline): Promise<ClusterClient> {
    this.#client ??= (async () => {
      const outbound = createOutbound(this.#policy);
      const access = await clusterAccess(this.#target, { outbound, aws: this.#aws }, deadline);
      if (access.token !== undefined) this.#hidden = [...this.#hidden, access.token];
      return new ClusterClient(access, outbound);
    })();
    return this.#client;
  }

  async #run<T>(deadline: Deadline, work: (calls: ClusterCalls, client: ClusterClient) => Promise<T>): Promise<T> {
    try {
      const client = await this.#connect(deadline);
      return await work(client.within(deadline.signal), client);
    } catch (error) {
      throw clusterFailure(error, deadline.signal, this.#hidden);
    }
  }

  async verify(deadline: Deadline): Promise<EngineReport> {
    return this.#run(deadline, (calls) => verifyCluster(calls, this.#target, deadline.signal, this.#hidden));
  }

  async start(workload: Workload, deadline: Deadline) {
    const { namespace } = this.#target;
    const warnings: string[] = [];
    let isOurs = false;
    try {
      return await this.#run(deadline, async (calls) => {
        const persistent = await this.#volume(calls, workload, warnings);
        // A deployment with this name belongs to another start; later leftovers belong to this one.
        const made = await calls.apps
          .createNamespacedDeployment({ namespace, body: make.deployment(workload, namespace, persistent) })
          .catch((error) => {
            isOurs = statusOf(error) === undefined;
            throw error;
          });
        isOurs = true;
        const owner = make.ownerOf(made);
        const part = make.kubernetesPart(workload);
        const [service, ingress] = await Promise.all([
          calls.core.createNamespacedService({ namespace, body: make.service(workload, namespace, owner) }),
          part.serviceType === 'ingress'
            ? calls.networking.createNamespacedIngress({ namespace, body: make.ingress(workload, namespace, owner) })
            : undefined,
          calls.core.createNamespacedSecret({ namespace, body: make.secret(workload, namespace, owner) }),
          part.autoscale ? autoscale(calls, workload, namespace, owner) : undefined,
        ]);
        const deployment = await unpause(calls, workload.name, namespace);
        return { state: deploymentState({ deployment, pods: [], service, ingress }, workload, Date.now()), warnings };
      });
    } catch (error) {
      if (isOurs) await this.#undo(workload);
      throw error;
    }
  }

  /** Creates the volume claim for /srv. @returns whether the cluster can fulfil it */
  async #volume(calls: ClusterCalls, workload: Workload, warnings: string[]): Promise<boolean> {
    const { namespace, storageClass } = this.#target;
    if (storageClass === undefined && !(await hasDefaultClass(calls))) {
      warnings.push(
        'The cluster has no default storage class and the connection does not name one. Data in /srv is lost when the pod ends.',
      );
      return false;
    }
    try {
      const body = make.claim(workload, namespace, storageClass);
      await calls.core.createNamespacedPersistentVolumeClaim({ namespace, body });
    } catch (error) {
      // All starts of a connection share the claim.
      if (statusOf(error) !== 409) throw error;
    }
    return true;
  }

  async #undo({ name, mark }: Workload): Promise<void> {
    using deadline = startDeadline(CLEANUP_MS);
    try {
      await this.#run(deadline, async (calls) => {
        const deployment = await this.#find(calls, name);
        if (deployment?.metadata?.labels?.[LABEL.mark] === mark) await this.#delete(calls, name, mark, deadline);
      });
    } catch {
      // The cluster is unreachable: a leftover is found again by its labels.
    }
  }

  async list(scope: Scope, deadline: Deadline): Promise<WorkloadState[]> {
    const { namespace, ingress: hasIngress } = this.#target;
    const labelSelector = scopeSelector(scope);
    return this.#run(deadline, async (calls) => {
      const [deployments, pods, services, ingresses] = await Promise.all([
        calls.apps.listNamespacedDeployment({ namespace, labelSelector }),
        calls.core.listNamespacedPod({ namespace, labelSelector }),
        calls.core.listNamespacedService({ namespace, labelSelector }),
        hasIngress ? calls.networking.listNamespacedIngress({ namespace, labelSelector }) : undefined,
      ]);
      const claims = pods.items.some(isUnscheduled) ? await readableClaims(calls, namespace) : undefined;
      const now = Date.now();
      if (deployments.items.length > MAX_DEPLOYMENTS) {
        throw new EngineFailure(
          'upstream_error',
          `The cluster lists more than ${MAX_DEPLOYMENTS} deployments of this app`,
        );
      }
      return deployments.items
        .filter(({ metadata }) => !metadata?.deletionTimestamp && belongs(metadata?.labels, scope))
        .map((deployment) => {
          const { name, labels } = deployment.metadata ?? {};
          const mark = labels?.[LABEL.mark];
          const objects = {
            deployment,
            pods: pods.items.filter((pod) => pod.metadata?.labels?.[LABEL.mark] === mark),
            service: services.items.find((service) => service.metadata?.name === name),
            ingress: ingresses?.items.find((ingress) => ingress.metadata?.name === name),
            claims,
          };
          return deploymentState(objects, scope, now);
        });
    });
  }

  async logs({ mark }: Pick<WorkloadState, 'mark'>, query: LogQuery, deadline: Deadline): Promise<LogLine[]> {
    const { namespace } = this.#target;
    return this.#run(deadline, async (calls, client) => {
      const pods = await calls.core.listNamespacedPod({ namespace, labelSelector: make.podSelector(mark) });
      const readPods = liveFirst(pods.items).slice(0, MAX_PODS);
      const limit = logBytes(readPods.length);
      const parameters: Record<string, string> = {
        container: 'main',
        timestamps: 'true',
        tailLines: String(query.tail),
        limitBytes: String(limit),
        ...(query.previous ? { previous: 'true' } : {}),
        // The API takes whole seconds; the caller filters the rest.
        ...(query.since === undefined ? {} : { sinceTime: `${new Date(query.since).toISOString().slice(0, 19)}Z` }),
      };
      const logs = readPods.map(async (pod) => {
        const path = `/api/v1/namespaces/${namespace}/pods/${pod.metadata?.name}/log`;
        const { status, body } = await client.read(path, parameters, deadline.signal, limit);
        if (status === 200) return logLines(body);
        // 204: not scheduled yet. 400: no (previous) container. 404: the pod is gone.
        if ([204, 400, 404].includes(status)) return [];
        throw new ReadFailure(status, body.toString('utf8'));
      });
      return (await Promise.all(logs)).flat();
    });
  }

  async events({ name }: Reference, deadline: Deadline): Promise<LogLine[]> {
    const { namespace } = this.#target;
    return this.#run(deadline, async (calls) => {
      const deployment = await this.#find(calls, name);
      if (!deployment) return [];
      const begun = new Date(deployment.metadata?.creationTimestamp ?? 0).getTime();
      const { items } = await calls.core.listNamespacedEvent({ namespace });
      return (
        items
          .filter(({ involvedObject: { name: of = '' } }) => of === name || of.startsWith(`${name}-`))
          .map((event) => ({ event, at: eventTime(event) }))
          // Excludes an earlier start with the same name.
          .filter(({ at }) => at >= begun)
          .sort((a, b) => a.at - b.at)
          .map(({ event: { reason, message }, at }) => ({
            time: new Date(at).toISOString(),
            line: `[event] ${reason}: ${message}`,
          }))
      );
    });
  }

  async stop({ name, mark }: Reference & Pick<WorkloadState, 'mark'>, scope: Scope, deadline: Deadline): Promise<void> {
    await this.#run(deadline, async (calls) => {
      const deployment = await this.#find(calls, name);
      if (
        !deployment ||
        !belongs(deployment.metadata?.labels, scope) ||
        deployment.metadata?.labels?.[LABEL.mark] !== mark
      )
        return;
      await this.#delete(calls, name, mark, deadline);
    });
  }

  async #find(calls: ClusterCalls, name: string): Promise<V1Deployment | undefined> {
    try {
      return await calls.apps.readNamespacedDeployment({ namespace: this.#target.namespace, name });
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  /** Foreground deletion, so that dependents go first. It continues in the cluster after the deadline. */
  async #delete(calls: ClusterCalls, name: string, mark: string, deadline: Deadline): Promise<void> {
    const { namespace } = this.#target;
    try {
      await calls.apps.deleteNamespacedDeployment({ namespace, name, propagationPolicy: 'Foreground' });
    } catch (error) {
      if (statusOf(error) === 404) return;
      throw error;
    }
    while (deadline.remaining() > MARGIN_MS) {
      const [deployment, pods] = await Promise.all([
        this.#find(calls, name),
        calls.core.listNamespacedPod({ namespace, labelSelector: make.podSelector(mark) }),
      ]);
      if (!deployment && pods.items.length === 0) return;
      await Promise.all(pods.items.filter(isIdle).map((pod) => dropPod(calls, namespace, pod)));
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
