import type { OutboundCode } from '../../contract/codes/outbound.ts';
import type { Deadline } from '../platform/clock.ts';

/** Services of the application with their ports inside the container. */
export const PORTS = { api: 5000, jupyter: 8888, tensorboard: 6006, mlflow: 6000, spark: 4040 } as const;
export type PortName = keyof typeof PORTS;
/** Port of the API, unless the image says otherwise. */
export const API_PORT = String(PORTS.api);
/** The port of a service inside a container; that of the API is a fact of the workload. */
export const portInside = (name: PortName, facts: Facts): number =>
  (name === 'api' && Number(facts.api_port)) || PORTS[name];

export const PORT_NAMES = Object.keys(PORTS) as PortName[];

export interface DockerTarget {
  /** Socket path, or http(s) with host and port. */
  address: { socket: string } | { url: string };
  /** Name or address at which the platform calls containers. */
  host?: string;
  /** PEM. Default CA: the system's authorities; verification is always on. */
  tls: { ca?: string; cert?: string; key?: string };
  network?: string;
}

/** The login server that a cluster names. A password goes to the first one only. */
export interface LoginServer {
  /** Host and port of the first one, if the password was sent before. */
  host: string | undefined;
  /** Stores the first one before the password is sent. False if the connection has changed meanwhile. */
  keep(host: string): Promise<boolean>;
}

export type ClusterIdentity =
  | { mode: 'certificate'; cert: string; key: string }
  | { mode: 'token'; token: string }
  | { mode: 'login'; user: string; password: string; server: LoginServer }
  | { mode: 'cloud'; clusterName: string; region: string; keys?: { accessKeyId: string; secretAccessKey: string } }
  /** The service account of the platform's pod. */
  | { mode: 'pod' };

export interface KubernetesTarget {
  /** Absent inside the cluster, and for EKS clusters. */
  url?: string;
  ca?: string;
  namespace: string;
  storageClass?: string;
  inCluster: boolean;
  /** Whether ports are published by an ingress. */
  ingress: boolean;
  identity: ClusterIdentity;
}

/** Per engine: the target to connect to and the engine's part of a workload. */
interface EngineTypes {
  docker: { target: DockerTarget; part: DockerPart };
  kubernetes: { target: KubernetesTarget; part: KubernetesPart };
}
export type ContainerType = keyof EngineTypes;
export type EngineTarget<T extends ContainerType = ContainerType> = {
  [K in T]: EngineTypes[K]['target'] & { cluster: K };
}[T];
export type EngineParts = { [T in ContainerType]?: EngineTypes[T]['part'] };

export interface EngineReport {
  problems: EngineProblem[];
  warnings: string[];
}

/** Why an engine could not be reached (an outbound code) or failed. */
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
  | 'secret_required_for_new_host'
  | 'start_failed';

export interface EngineProblem {
  code: EngineReason;
  message: string;
}

/** Owner of an object; only objects with both labels are listed, stopped or removed. */
export interface Scope {
  installation: string;
  connectionKey: string;
}

/** Labels from which the record can be restored. Never a secret. */
export type Facts = Readonly<Record<string, string>>;

export interface Workload extends Scope, EngineParts {
  /** Name of the container or of the deployment. */
  name: string;
  model: string;
  /** Unique per start, to distinguish objects of earlier starts. */
  mark: string;
  facts: Facts;
  image: string;
  /** Arguments of the image's entry point; empty: those of the image. */
  arguments: readonly string[];
  ports: readonly PortName[];
  environment: Readonly<Record<string, string>>;
  secretEnvironment: Readonly<Record<string, string>>;
  resources: Resources;
}

export interface Resources {
  /** In thousandths of a CPU. */
  minCpu: number;
  maxCpu: number;
  /** `512Mi`, `4Gi`. */
  minMemory: string;
  maxMemory: string;
  nvidia: boolean;
}

export interface DockerPart {
  /** Host address of published ports. */
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
  /** Which rules of the cluster pods have to satisfy. */
  security: 'default' | 'restricted' | 'openshift';
  replicas: number;
  autoscale?: { max: number; cpuPercent: number };
}

/** Address of a published port; default host: that of the connection. */
export interface PublishedPort {
  host?: string;
  /** Address of a node, for connections without a host. */
  node?: string;
  port?: number;
}

export type Phase = 'pending' | 'running' | 'failed' | 'ended';

/** State of an object on its engine. */
export interface WorkloadState extends Scope {
  id: string;
  name: string;
  model: string;
  mark: string;
  facts: Facts;
  phase: Phase;
  /** Code such as `scheduling` or `oom_killed`; '' = no problem. */
  reason: string;
  message: string;
  /** Start of this state in epoch milliseconds, if known. */
  since: number | undefined;
  restarts: number;
  published: Partial<Record<PortName, PublishedPort>>;
}

export interface LogQuery {
  /** Lines over all replicas. */
  tail: number;
  /** Epoch milliseconds, inclusive. */
  since: number | undefined;
  previous: boolean;
}

export interface LogLine {
  /** RFC 3339 with the engine's precision. */
  time: string;
  line: string;
}

export interface PullProgress {
  layers: number;
  layersDone: number;
  bytes: number;
  bytesTotal: number;
}

/** A failure of an engine, with its redacted message. */
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

/** A Docker Engine or a Kubernetes cluster. Calls reject with EngineFailure and respect the deadline. */
export interface ContainerEngine {
  verify(deadline: Deadline): Promise<EngineReport>;
  /** Creates and starts a workload; removes everything when it rejects. */
  start(workload: Workload, deadline: Deadline): Promise<{ state: WorkloadState; warnings: string[] }>;
  list(scope: Scope, deadline: Deadline): Promise<WorkloadState[]>;
  /** Newest lines, oldest first. */
  logs(state: Pick<WorkloadState, 'id' | 'name' | 'mark'>, query: LogQuery, deadline: Deadline): Promise<LogLine[]>;
  /** Events of starting the object. */
  events(state: Pick<WorkloadState, 'id' | 'name' | 'mark'>, deadline: Deadline): Promise<LogLine[]>;
  /** Stops and removes the object of this start, not a later one of the same name. Succeeds if there is none. */
  stop(state: Pick<WorkloadState, 'id' | 'name' | 'mark'>, scope: Scope, deadline: Deadline): Promise<void>;
  /** Pulls an image. Absent for Kubernetes, which pulls by itself. */
  pull?(image: string, progress: (now: PullProgress) => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Thrown only by `start`: the image must be pulled first. */
export class ImageAbsent extends EngineFailure {
  constructor(message: string) {
    super('image_not_found', message);
    this.name = 'ImageAbsent';
  }
}
