import type { V1ContainerStatus, V1Deployment, V1Ingress, V1Pod, V1Service } from '@kubernetes/client-node';
import { isHost } from '../../domain/net/hosts.ts';
import { redact } from '../../domain/net/redact.ts';
import { parseTexts } from '../../domain/values/texts.ts';
import {
  type EngineReason,
  type Phase,
  PORT_NAMES,
  type PortName,
  type Published,
  type WorkloadState,
} from '../../ports/engines/containerEngine.ts';
import { ANNOTATION, LABEL } from './labels.ts';

/** Autoscaled nodes and volume binding may take this long. */
const SCHEDULING_GRACE_MS = 120_000;

interface Judged {
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
}

export function deploymentState(objects: ClusterObjects, scope: { connectionKey: string }, now: number): WorkloadState {
  const { deployment, pods } = objects;
  const { metadata } = deployment;
  const judged = judge(deployment, pods, now);
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

function judge(deployment: V1Deployment, pods: readonly V1Pod[], now: number): Judged {
  const state = (phase: Phase, reason = '', message = '', since?: number): Judged => ({
    phase,
    reason,
    message,
    since,
  });
  if (deployment.spec?.paused) return state('pending', 'creating', 'The deployment is being created');
  if (deployment.spec?.replicas === 0)
    return state('ended', 'scaled_to_zero', 'The deployment was scaled to zero replicas');
  const live = pods.filter((pod) => !pod.metadata?.deletionTimestamp);
  if (live.some(isReady)) return state('running');
  const judged = live.map((pod) => judgePod(pod, now));
  // A failed pod takes precedence over a pending one.
  const worst = judged.find(({ phase }) => phase === 'failed') ?? judged.find(({ phase }) => phase === 'pending');
  if (worst) return worst;
  return judged[0] ?? withoutPods(deployment);
}

const isReady = (pod: V1Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** Without a pod (quota, missing account, security policy) only the Deployment has the cause. */
function withoutPods(deployment: V1Deployment): Judged {
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

function judgePod(pod: V1Pod, now: number): Judged {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False')
    return unscheduled(scheduled.message ?? '', time(scheduled.lastTransitionTime), now);
  const status = pod.status?.containerStatuses?.[0];
  if (!status) return { phase: 'pending', reason: 'starting', message: pod.status?.message ?? '', since: undefined };
  return judgeContainer(status);
}

function unscheduled(message: string, since: number | undefined, now: number): Judged {
  const isVolume = /PersistentVolumeClaim|volume node affinity|persistentvolume/i.test(message);
  const late = since !== undefined && now - since > SCHEDULING_GRACE_MS;
  if (!late) return { phase: 'pending', reason: isVolume ? 'volume_pending' : 'scheduling', message, since };
  return { phase: 'failed', reason: isVolume ? 'volume_unbound' : 'unschedulable', message, since };
}

function judgeContainer(status: V1ContainerStatus): Judged {
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

function crash(reason: string, last: { exitCode: number; reason?: string; finishedAt?: Date } | undefined): Judged {
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
  const published: Partial<Record<PortName, Published>> = {};
  const node = pods.find(({ status }) => status?.hostIP)?.status?.hostIP;
  for (const name of PORT_NAMES) {
    const port = service?.spec?.ports?.find((one) => one.name === name);
    const at = port && publishedPort(service, ingress, name, port.port, port.nodePort);
    if (at) published[name] = { ...at, ...(node === undefined ? {} : { node }) };
  }
  return published;
}

function publishedPort(
  service: V1Service | undefined,
  ingress: V1Ingress | undefined,
  name: PortName,
  port: number,
  nodePort: number | undefined,
): Published | undefined {
  switch (service?.spec?.type) {
    case 'NodePort':
      return nodePort === undefined ? undefined : { port: nodePort };
    case 'LoadBalancer': {
      const { hostname, ip } = service.status?.loadBalancer?.ingress?.[0] ?? {};
      const host = hostname ?? ip;
      return host === undefined || !isHost(host) ? undefined : { host, port };
    }
    default: {
      const rule = ingress?.spec?.rules?.find((one) => one.http?.paths[0]?.backend.service?.port?.name === name);
      return rule?.host === undefined || !isHost(rule.host) ? undefined : { host: rule.host };
    }
  }
}
