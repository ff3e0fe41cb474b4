import type {
  V1Container,
  V1Deployment,
  V1HorizontalPodAutoscaler,
  V1Ingress,
  V1OwnerReference,
  V1PersistentVolumeClaim,
  V1PodSpec,
  V1Secret,
  V1Service,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import { type KubernetesPart, PORTS, type PortName, type Workload } from '../../ports/engines/containerEngine.ts';
import { hostOf } from './hosts.ts';
import { LABEL, scopeLabels, selector, workloadAnnotations, workloadLabels } from './labels.ts';

const GRACE_S = 10;
const VOLUME = 'data';
const VOLUME_SIZE = '10Gi';
const SHARED_MEMORY = '1Gi';
/** Of what runtimes grant by themselves, what the application never needs and an intruder would like. */
const DROPPED_CAPABILITIES = ['NET_RAW', 'MKNOD', 'AUDIT_WRITE'];
/** Browsers refuse port 6000 (X11): users know MLflow at 6060. */
const SERVICE_PORTS: Readonly<Record<PortName, number>> = { ...PORTS, mlflow: 6060 };

export function kubernetesPart(workload: Workload): KubernetesPart {
  if (!workload.kubernetes) throw new TypeError('a workload for Kubernetes has its kubernetes part');
  return workload.kubernetes;
}

const secretName = (workload: Workload) => workload.name;

function metadata(workload: Workload, namespace: string, owner?: V1OwnerReference) {
  return {
    name: workload.name,
    namespace,
    labels: workloadLabels(workload),
    ...(owner ? { ownerReferences: [owner] } : {}),
  };
}

/** Deleting the Deployment deletes what it owns; a deletion in the foreground waits for it. */
export function ownerOf(deployment: V1Deployment): V1OwnerReference {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: deployment.metadata?.name ?? '',
    uid: deployment.metadata?.uid ?? '',
    controller: false,
    blockOwnerDeletion: true,
  };
}

/**
 * Paused at first: no pod begins before the Secret that it needs is there, and a start that dies half way leaves one
 * object that owns all the others.
 */
export function deployment(workload: Workload, namespace: string, persistent: boolean): V1Deployment {
  const part = kubernetesPart(workload);
  const podLabels = { [LABEL.mark]: workload.mark };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata(workload, namespace), annotations: workloadAnnotations(workload) },
    spec: {
      paused: true,
      replicas: part.replicas,
      revisionHistoryLimit: 0,
      // One volume that one node mounts: the new pod cannot start alongside the old one.
      strategy: { type: 'Recreate' },
      selector: { matchLabels: podLabels },
      template: {
        metadata: { labels: workloadLabels(workload) },
        spec: podSpec(workload, part, persistent),
      },
    },
  };
}

function podSpec(workload: Workload, part: KubernetesPart, persistent: boolean): V1PodSpec {
  return {
    containers: [container(workload)],
    volumes: [
      persistent ? { name: VOLUME, persistentVolumeClaim: { claimName: part.claim } } : { name: VOLUME, emptyDir: {} },
      // The 64 MB of the runtime are too little for the data loaders of the deep-learning images.
      { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: SHARED_MEMORY } },
    ],
    // The images run as user 1001 of group 0: a fresh volume has to be writable for that group.
    securityContext: { fsGroup: 0 },
    // Nothing of the cluster's own credentials enters the container.
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: GRACE_S,
    ...(part.imagePullSecrets.length > 0 ? { imagePullSecrets: part.imagePullSecrets.map((name) => ({ name })) } : {}),
  };
}

function container(workload: Workload): V1Container {
  const { resources } = workload;
  const gpu: Record<string, string> = resources.nvidia ? { 'nvidia.com/gpu': '1' } : {};
  return {
    name: 'main',
    image: workload.image,
    imagePullPolicy: 'IfNotPresent',
    ports: workload.ports.map((name) => ({ name, containerPort: PORTS[name], protocol: 'TCP' })),
    env: [
      ...Object.entries(workload.environment).map(([name, value]) => ({ name, value })),
      ...Object.keys(workload.secretEnvironment).map((name) => ({
        name,
        valueFrom: { secretKeyRef: { name: secretName(workload), key: name } },
      })),
    ],
    resources: {
      requests: { cpu: `${resources.minCpu}m`, memory: resources.minMemory, ...gpu },
      limits: { cpu: `${resources.maxCpu}m`, memory: resources.maxMemory, ...gpu },
    },
    volumeMounts: [
      { name: VOLUME, mountPath: '/srv' },
      { name: 'shm', mountPath: '/dev/shm' },
    ],
    // A request would need the token, and the scheme that the application chose.
    readinessProbe: { tcpSocket: { port: 'api' }, periodSeconds: 5, timeoutSeconds: 3 },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: DROPPED_CAPABILITIES } },
  };
}

export function secret(workload: Workload, namespace: string, owner: V1OwnerReference): V1Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metadata(workload, namespace, owner), name: secretName(workload) },
    type: 'Opaque',
    data: Object.fromEntries(
      Object.entries(workload.secretEnvironment).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
  };
}

const SERVICE_TYPES = { nodeport: 'NodePort', loadbalancer: 'LoadBalancer', ingress: 'ClusterIP' } as const;

export function service(workload: Workload, namespace: string, owner: V1OwnerReference): V1Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(workload, namespace, owner),
    spec: {
      type: SERVICE_TYPES[kubernetesPart(workload).serviceType],
      selector: { [LABEL.mark]: workload.mark },
      ports: workload.ports.map((name) => ({ name, port: SERVICE_PORTS[name], targetPort: name, protocol: 'TCP' })),
    },
  };
}

/** A host for each port: the tools are pages of their own. */
export function ingress(workload: Workload, namespace: string, owner: V1OwnerReference): V1Ingress {
  const part = kubernetesPart(workload);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...metadata(workload, namespace, owner), annotations: { ...part.ingressAnnotations } },
    spec: {
      rules: workload.ports.map((name) => ({
        host: hostOf(part.hostPattern ?? '*', workload.name, name, namespace),
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: workload.name, port: { name } } } }],
        },
      })),
    },
  };
}

export function claim(
  workload: Workload,
  namespace: string,
  storageClass: string | undefined,
): V1PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    // Of the connection, not of the model: it stays when a Deployment goes.
    metadata: { name: kubernetesPart(workload).claim, namespace, labels: scopeLabels(workload) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: VOLUME_SIZE } },
      ...(storageClass ? { storageClassName: storageClass } : {}),
    },
  };
}

const target = (workload: Workload) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name: workload.name });

export function autoscaler(workload: Workload, namespace: string, owner: V1OwnerReference): V2HorizontalPodAutoscaler {
  const { replicas, autoscale } = kubernetesPart(workload);
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadata(workload, namespace, owner),
    spec: {
      scaleTargetRef: target(workload),
      minReplicas: replicas,
      maxReplicas: autoscale?.max ?? replicas,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: autoscale?.cpuPercent ?? 80 } },
        },
      ],
    },
  };
}

/** For clusters older than 1.23. */
export function oldAutoscaler(
  workload: Workload,
  namespace: string,
  owner: V1OwnerReference,
): V1HorizontalPodAutoscaler {
  const { replicas, autoscale } = kubernetesPart(workload);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadata(workload, namespace, owner),
    spec: {
      scaleTargetRef: target(workload),
      minReplicas: replicas,
      maxReplicas: autoscale?.max ?? replicas,
      targetCPUUtilizationPercentage: autoscale?.cpuPercent ?? 80,
    },
  };
}

/** Pods of one start. */
export const podSelector = (mark: string): string => selector({ [LABEL.mark]: mark });
