import type { OutboundCode } from '../../contract/codes/outbound.ts';
import type { Deadline } from '../platform/clock.ts';

/** Ports of the application, by what answers there; the number is that inside the container. */
export const PORTS = { api: 5000, jupyter: 8888, tensorboard: 6006, mlflow: 6000, spark: 4040 } as const;
export type PortName = keyof typeof PORTS;
export const PORT_NAMES = Object.keys(PORTS) as PortName[];

export interface DockerTarget {
  /** Socket path, or http(s) with host and port. */
  address: { socket: string } | { url: string };
  /** PEM. Without a CA the system's own authorities are asked; verification is never off. */
  tls: { ca?: string; cert?: string; key?: string };
  network?: string;
}

export type ClusterIdentity =
  | { mode: 'certificate'; cert: string; key: string }
  | { mode: 'token'; token: string }
  | { mode: 'login'; user: string; password: string }
  | { mode: 'cloud'; clusterName: string; region: string; keys?: { accessKeyId: string; secretAccessKey: string } }
  /** The account of the pod that the platform runs in. */
  | { mode: 'pod' };

export interface KubernetesTarget {
  /** Absent inside the cluster, and for a cloud's cluster that describes itself. */
  url?: string;
  ca?: string;
  namespace: string;
  storageClass?: string;
  inCluster: boolean;
  /** Ports are published by ingress hosts. */
  ingress: boolean;
  identity: ClusterIdentity;
}

/** How engines differ, as their adapters see it: what one is opened with, and its part of a workload. */
interface EngineTypes {
  docker: { target: DockerTarget; part: DockerPart };
  kubernetes: { target: KubernetesTarget; part: KubernetesPart };
}
export type ContainerType = keyof EngineTypes;
/** `cluster` says whose it is. */
export type EngineTarget<T extends ContainerType = ContainerType> = {
  [K in T]: EngineTypes[K]['target'] & { cluster: K };
}[T];
export type EngineParts = { [T in ContainerType]?: EngineTypes[T]['part'] };

export interface EngineReport {
  /** Every problem found, for a person. */
  problems: EngineProblem[];
  warnings: string[];
}

/** Why an engine could not be asked (an outbound code), or did not do what it was asked. */
export type EngineReason =
  | OutboundCode
  | 'config_missing'
  | 'engine_error'
  | 'forbidden'
  | 'image_name_invalid'
  | 'image_not_found'
  | 'image_pull_failed'
  | 'log_driver_failed'
  | 'name_conflict'
  | 'network_missing'
  | 'plain_http_on_https'
  | 'port_conflict'
  | 'runtime_unavailable'
  | 'start_failed';

export interface EngineProblem {
  code: EngineReason;
  message: string;
}

/** Who owns an object: only what carries both is ever listed, stopped or removed. */
export interface Scope {
  installation: string;
  connectionKey: string;
}

/** What an object itself says, so that its record can be restored. Never a secret. */
export type Facts = Readonly<Record<string, string>>;

export interface Workload extends Scope, EngineParts {
  /** Name of the container or of the deployment. */
  name: string;
  model: string;
  /** Changes with every start: tells the objects of this start from those of an earlier one. */
  mark: string;
  facts: Facts;
  image: string;
  ports: readonly PortName[];
  environment: Readonly<Record<string, string>>;
  secretEnvironment: Readonly<Record<string, string>>;
  resources: Resources;
}

export interface Resources {
  /** In thousandths of a CPU. */
  minCpu: number;
  maxCpu: number;
  /** As given: `512Mi`, `4Gi`. */
  minMemory: string;
  maxMemory: string;
  nvidia: boolean;
}

export interface DockerPart {
  /** Address of the host on which ports are published. */
  hostIp: string;
  /** Name of the volume at /srv. */
  volume: string;
  network?: string;
  log?: { url: string; token: string };
}

export interface KubernetesPart {
  serviceType: 'ingress' | 'nodeport' | 'loadbalancer';
  hostPattern?: string;
  ingressAnnotations: Readonly<Record<string, string>>;
  imagePullSecrets: readonly string[];
  /** Name of the claim for /srv. */
  claim: string;
  replicas: number;
  autoscale?: { max: number; cpuPercent: number };
}

/** Where a port can be reached; without a host at the address of the connection. */
export interface Published {
  host?: string;
  /** Address of a node, for connections that name no host at all. */
  node?: string;
  port?: number;
}

export type Phase = 'pending' | 'running' | 'failed' | 'ended';

/** One object of this app as its engine sees it. */
export interface WorkloadState extends Scope {
  id: string;
  name: string;
  model: string;
  mark: string;
  facts: Facts;
  phase: Phase;
  /** Machine code: `scheduling`, `oom_killed` …; '' where all is well. */
  reason: string;
  message: string;
  /** Since when the engine says so, epoch milliseconds; undefined where it does not tell. */
  since: number | undefined;
  restarts: number;
  published: Partial<Record<PortName, Published>>;
}

export interface LogQuery {
  /** Lines over all replicas. */
  tail: number;
  /** Epoch milliseconds, inclusive. */
  since: number | undefined;
  previous: boolean;
}

export interface LogLine {
  /** RFC 3339 as the engine writes it, with all its digits. */
  time: string;
  line: string;
}

export interface PullProgress {
  layers: number;
  layersDone: number;
  bytes: number;
  bytesTotal: number;
}

/** Why an engine did not do what it was asked, with its own words, redacted. */
export class EngineFailure extends Error {
  readonly reason: EngineReason;
  readonly timedOut: boolean;

  constructor(reason: EngineReason, message: string, options: { timedOut?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'EngineFailure';
    this.reason = reason;
    this.timedOut = options.timedOut ?? false;
  }
}

/** A Docker Engine or a Kubernetes cluster. Every call rejects with EngineFailure and holds to its deadline. */
export interface ContainerEngine {
  verify(deadline: Deadline): Promise<EngineReport>;
  /** Creates and starts; what it made is gone again when it rejects. @returns things a person should know */
  start(workload: Workload, deadline: Deadline): Promise<{ state: WorkloadState; warnings: string[] }>;
  list(scope: Scope, deadline: Deadline): Promise<WorkloadState[]>;
  /** Newest lines, oldest first. */
  logs(state: Pick<WorkloadState, 'id' | 'name' | 'mark'>, query: LogQuery, deadline: Deadline): Promise<LogLine[]>;
  /** What the engine did to bring the object up. */
  events(state: Pick<WorkloadState, 'id' | 'name' | 'mark'>, deadline: Deadline): Promise<LogLine[]>;
  /**
   * Ends and removes the object of this very start, and not that of the next, which has its name. Succeeds when there is none.
   */
  stop(state: Pick<WorkloadState, 'id' | 'name' | 'mark'>, scope: Scope, deadline: Deadline): Promise<void>;
  /** Fetches an image. Docker stops when the signal does; a cluster pulls by itself and does not offer this. */
  pull?(image: string, progress: (now: PullProgress) => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Thrown by `start` alone: the engine has to fetch the image first. */
export class ImageAbsent extends EngineFailure {
  constructor(message: string) {
    super('image_not_found', message);
    this.name = 'ImageAbsent';
  }
}
