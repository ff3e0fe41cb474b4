import type {
  V1ContainerStatus,
  V1Deployment,
  V1Ingress,
  V1PersistentVolumeClaim,
  V1Pod,
  V1Service,
} from '@kubernetes/client-node';
import { isHost } from '../../domain/net/hosts.ts';
import { redact } from '../../domain/net/redact.ts';
import { parseTexts } from '../../domain/values/texts.ts';
import {
  type EngineReason,
  type Phase,
  PORT_NAMES,
  type PortName,
  type PublishedPort,
  type WorkloadState,
} from '../../ports/engines/containerEngine.ts';
import { ANNOTATION, LABEL } from './labels.ts';

/** Autoscaled nodes and volume binding may take this long. */
const SCHEDULING_GRACE_MS = 120_000;

interface Verdict {
  phase: Phase;
  reason: string;
  message: string;
  since: number | undefined;
}

export interface ClusterObjects {
  deployment: V1Deployment;
  pods: readonly V1Pod[];
  service: V1Service | undefined;
  ingress: V1Ingress | undefined;
  /** Claims of pods without a node, as far as they may be read. */
  claims?: readonly V1PersistentVolumeClaim[] | undefined;
}

export function deploymentState(objects: ClusterObjects, scope: { connectionKey: string }, now: number): WorkloadState {
  const { deployment, pods } = objects;
  const { metadata } = deployment;
  const judged = judge(objects, now);
  const published = publishedPorts(objects);
  const waitsForAddress = judged.phase === 'running' && judged.reason === '' && Object.keys(published).length === 0;
  return {
    id: metadata?.name ?? '',
    name: metadata?.name ?? '',
    installation: metadata?.labels?.[LABEL.installation] ?? '',
    connectionKey: scope.connectionKey,
    model: metadata?.annotations?.[ANNOTATION.model] ?? '',
    mark: metadata?.labels?.[LABEL.mark] ?? '',
    facts: parseTexts(metadata?.annotations?.[ANNOTATION.facts]),
    ...judged,
    message: redact(judged.message),
    ...(waitsForAddress ? { reason: 'lb_pending', message: 'The load balancer has no address yet' } : {}),
    restarts: pods.reduce((sum, pod) => sum + restartsOf(pod), 0),
    published,
  };
}

const restartsOf = (pod: V1Pod): number =>
  (pod.status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + (Number(restartCount) || 0), 0);

const time = (date: Date | string | undefined): number | undefined => {
  const ms = date === undefined ? Number.NaN : new Date(date).getTime();
  return Number.isNaN(ms) ? undefined : ms;
};

/** Ended pods stay listed beside their replacements. */
const isOver = ({ status }: V1Pod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

export const liveFirst = (pods: readonly V1Pod[]): V1Pod[] => [
  ...pods.filter((pod) => !isOver(pod)),
  ...pods.filter(isOver),
];

/** Whether a pod has no node yet. */
export const isUnscheduled = ({ status }: V1Pod): boolean =>
  status?.conditions?.some((condition) => condition.type === 'PodScheduled' && condition.status === 'False') ?? false;

function judge({ deployment, pods, claims = [] }: ClusterObjects, now: number): Verdict {
  const state = (phase: Phase, reason = '', message = '', since?: number): Verdict => ({
    phase,
    reason,
    message,
    since,
  });
  if (deployment.spec?.paused) return state('pending', 'creating', 'The deployment is being created');
  if (deployment.spec?.replicas === 0)
    return state('ended', 'scaled_to_zero', 'The deployment was scaled to zero replicas');
  const current = pods.filter((pod) => !pod.metadata?.deletionTimestamp);
  const live = current.filter((pod) => !isOver(pod));
  if (live.some(isReady)) return state('running');
  const judged = (live.length > 0 ? live : current).map((pod) => judgePod(pod, claims, now));
  // A failed pod takes precedence over a pending one.
  const worst = judged.find(({ phase }) => phase === 'failed') ?? judged.find(({ phase }) => phase === 'pending');
  if (worst) return worst;
  return judged[0] ?? withoutPods(deployment);
}

const isReady = (pod: V1Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** Without a pod (quota, missing account, security policy) only the Deployment has the cause. */
function withoutPods(deployment: V1Deployment): Verdict {
  const conditions = deployment.status?.conditions ?? [];
  const failure = conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  if (!failure) return { phase: 'pending', reason: 'starting', message: '', since: undefined };
  const message = failure.message ?? failure.reason ?? '';
  return { phase: 'failed', reason: refusalReason(message), message, since: time(failure.lastTransitionTime) };
}

export function refusalReason(message: string): EngineReason {
  if (/exceeded quota|failed quota|quota/i.test(message)) return 'quota_exceeded';
  if (/service ?account .{0,300}not found|error looking up service account|secrets? "[^"]*" not found/i.test(message))
    return 'config_missing';
  return 'forbidden';
}

const WAITING_FAILURES: Readonly<Record<string, string>> = {
  ErrImagePull: 'image_pull_failed',
  ImagePullBackOff: 'image_pull_failed',
  RegistryUnavailable: 'image_pull_failed',
  ErrImageNeverPull: 'image_not_found',
  InvalidImageName: 'image_name_invalid',
  CreateContainerConfigError: 'config_missing',
  CreateContainerError: 'start_failed',
  RunContainerError: 'start_failed',
};

function judgePod(pod: V1Pod, claims: readonly V1PersistentVolumeClaim[], now: number): Verdict {
  if (isOver(pod) && pod.status?.reason) return ended(pod);
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') {
    const message = scheduled.message ?? '';
    return unscheduled(message, waitsForVolume(pod, claims, message), time(scheduled.lastTransitionTime), now);
  }
  const status = pod.status?.containerStatuses?.[0];
  if (!status) return { phase: 'pending', reason: 'starting', message: pod.status?.message ?? '', since: undefined };
  return judgeContainer(status);
}

/** State of a pod that the cluster ended or refused: evicted, shut down with its node, out of resources. */
function ended({ status }: V1Pod): Verdict {
  const { reason, message, conditions, containerStatuses } = status ?? {};
  const text = [reason, message].filter(Boolean).join(': ');
  const finished = containerStatuses?.[0]?.state?.terminated?.finishedAt;
  const since = time(finished) ?? time(conditions?.find(({ type }) => type === 'DisruptionTarget')?.lastTransitionTime);
  return { phase: 'failed', reason: 'evicted', message: text, since };
}

/** Words of the scheduler about volumes, and about anything else. */
const VOLUME_WORDS = /\bvolumes?\b|PersistentVolume|\bpvcs?\b|\bpvs?\b|free storage|storage ?class/i;
const OTHER_WORDS = /insufficient|taint|selector|affinity|didn't have free ports|unschedulable|too many pods/i;

/** A claim that waits for its first pod is pending, too, while the pod waits for something else. */
function waitsForVolume(pod: V1Pod, claims: readonly V1PersistentVolumeClaim[], message: string): boolean {
  if (VOLUME_WORDS.test(message)) return true;
  const names = pod.spec?.volumes?.map((volume) => volume.persistentVolumeClaim?.claimName) ?? [];
  const isPending = claims.some(
    ({ metadata, status }) => names.includes(metadata?.name) && status?.phase === 'Pending',
  );
  return isPending && !OTHER_WORDS.test(message);
}

function unscheduled(message: string, isVolume: boolean, since: number | undefined, now: number): Verdict {
  const late = since !== undefined && now - since > SCHEDULING_GRACE_MS;
  if (!late) return { phase: 'pending', reason: isVolume ? 'volume_pending' : 'scheduling', message, since };
  return { phase: 'failed', reason: isVolume ? 'volume_unbound' : 'unschedulable', message, since };
}

function judgeContainer(status: V1ContainerStatus): Verdict {
  const { waiting, running, terminated } = status.state ?? {};
  const last = terminated ?? status.lastState?.terminated;
  if (waiting) {
    const reason = waiting.reason ?? '';
    if (reason === 'CrashLoopBackOff') return crash('crash_loop', last);
    const failure = WAITING_FAILURES[reason];
    const message = [reason, waiting.message].filter(Boolean).join(': ');
    if (failure) return { phase: 'failed', reason: failure, message, since: undefined };
    return {
      phase: 'pending',
      reason: 'starting',
      message: reason === 'ContainerCreating' ? '' : message,
      since: undefined,
    };
  }
  if (terminated && (terminated.exitCode !== 0 || terminated.reason === 'OOMKilled'))
    return crash('crashed', terminated);
  // Restarted after a crash and not ready yet: still reported as a crash.
  if (running && status.restartCount > 0 && last && last.exitCode !== 0) return crash('crash_loop', last);
  return { phase: 'running', reason: 'starting', message: '', since: time(running?.startedAt) };
}

function crash(reason: string, last: { exitCode: number; reason?: string; finishedAt?: Date } | undefined): Verdict {
  const since = time(last?.finishedAt);
  if (last?.reason === 'OOMKilled') {
    return {
      phase: 'failed',
      reason: 'oom_killed',
      message: 'The container ran out of memory and was killed (exit code 137)',
      since,
    };
  }
  const again = reason === 'crash_loop' ? 'keeps crashing' : 'ended';
  return {
    phase: 'failed',
    reason,
    message: `The container ${again} (exit code ${last?.exitCode ?? 'unknown'})`,
    since,
  };
}

function publishedPorts({ service, ingress, pods }: ClusterObjects): WorkloadState['published'] {
  const published: Partial<Record<PortName, PublishedPort>> = {};
  const node = liveFirst(pods).find(({ status }) => status?.hostIP)?.status?.hostIP;
  for (const name of PORT_NAMES) {
    const port = service?.spec?.ports?.find((entry) => entry.name === name);
    const address = port && publishedPort(service, ingress, name, port.port, port.nodePort);
    if (address) published[name] = { ...address, ...(node === undefined ? {} : { node }) };
  }
  return published;
}

function publishedPort(
  service: V1Service | undefined,
  ingress: V1Ingress | undefined,
  name: PortName,
  port: number,
  nodePort: number | undefined,
): PublishedPort | undefined {
  switch (service?.spec?.type) {
    case 'NodePort':
      return nodePort === undefined ? undefined : { port: nodePort };
    case 'LoadBalancer': {
      const { hostname, ip } = service.status?.loadBalancer?.ingress?.[0] ?? {};
      const host = hostname ?? ip;
      return host === undefined || !isHost(host) ? undefined : { host, port };
    }
    default: {
      const rule = ingress?.spec?.rules?.find(
        (candidate) => candidate.http?.paths[0]?.backend.service?.port?.name === name,
      );
      return rule?.host === undefined || !isHost(rule.host) ? undefined : { host: rule.host };
    }
  }
}
