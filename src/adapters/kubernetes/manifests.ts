import type {
  V1Container,
  V1Deployment,
  V1HorizontalPodAutoscaler,
  V1Ingress,
  V1OwnerReference,
  V1PersistentVolumeClaim,
  V1PodSecurityContext,
  V1PodSpec,
  V1Secret,
  V1Service,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import {
  type KubernetesPart,
  PORTS,
  type PortName,
  portInside,
  type Workload,
} from '../../ports/engines/containerEngine.ts';
import { LABEL, scopeLabels, selector, workloadAnnotations, workloadLabels } from './labels.ts';

const GRACE_S = 10;
const VOLUME = 'data';
const VOLUME_SIZE = '10Gi';
const SHARED_MEMORY = '1Gi';
/** The images run as user 1001 of this group, which must be able to write to a new volume. */
const ROOT_GROUP = 0;
/** Default capabilities that the application does not need. */
const DROPPED_CAPABILITIES = ['NET_RAW', 'MKNOD', 'AUDIT_WRITE'];
/** Browsers block port 6000 (X11). */
const SERVICE_PORTS: Readonly<Record<PortName, number>> = { ...PORTS, mlflow: 6060 };

export function kubernetesPart(workload: Workload): KubernetesPart {
  if (!workload.kubernetes) throw new TypeError('the workload has no kubernetes part');
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

/** Deleting the Deployment deletes the objects that it owns. */
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

/** Created paused, so that no pod starts before its Secret exists and an aborted start leaves one owner of all objects. */
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
      // The volume is ReadWriteOnce, so a new pod cannot start beside the old one.
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
    containers: [container(workload, part)],
    volumes: [
      persistent ? { name: VOLUME, persistentVolumeClaim: { claimName: part.claim } } : { name: VOLUME, emptyDir: {} },
      // The default of 64 MB is too small for the data loaders of the deep-learning images.
      { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: SHARED_MEMORY } },
    ],
    ...podSecurity(part, persistent),
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: GRACE_S,
    ...(part.imagePullSecrets.length > 0 ? { imagePullSecrets: part.imagePullSecrets.map((name) => ({ name })) } : {}),
  };
}

const isRestricted = (security: KubernetesPart['security']): boolean =>
  security === 'restricted' || security === 'openshift';

function podSecurity({ security }: KubernetesPart, persistent: boolean): Pick<V1PodSpec, 'securityContext'> {
  const securityContext: V1PodSecurityContext = {
    // OpenShift gives the pod a group of the namespace. An emptyDir is writable for every group.
    ...(persistent && security !== 'openshift' ? { fsGroup: ROOT_GROUP } : {}),
    ...(isRestricted(security) ? { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } : {}),
  };
  return Object.keys(securityContext).length > 0 ? { securityContext } : {};
}

function container(workload: Workload, { security }: KubernetesPart): V1Container {
  const { resources } = workload;
  const gpu: Record<string, string> = resources.nvidia ? { 'nvidia.com/gpu': '1' } : {};
  return {
    name: 'main',
    image: workload.image,
    imagePullPolicy: 'IfNotPresent',
    ...(workload.arguments.length > 0 ? { args: [...workload.arguments] } : {}),
    ports: workload.ports.map((name) => ({ name, containerPort: portInside(name, workload.facts), protocol: 'TCP' })),
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
    // An HTTP probe would need the token and the application's scheme.
    readinessProbe: { tcpSocket: { port: 'api' }, periodSeconds: 5, timeoutSeconds: 3 },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: isRestricted(security) ? ['ALL'] : DROPPED_CAPABILITIES },
    },
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

/** One host for each port. */
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
    // Belongs to the connection, so it outlives the Deployment.
    metadata: { name: kubernetesPart(workload).claim, namespace, labels: scopeLabels(workload) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: VOLUME_SIZE } },
      ...(storageClass ? { storageClassName: storageClass } : {}),
    },
  };
}

const target = (workload: Workload) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name: workload.name });

function scaling(workload: Workload) {
  const { replicas, autoscale } = kubernetesPart(workload);
  return {
    cpuPercent: autoscale?.cpuPercent ?? 80,
    spec: { scaleTargetRef: target(workload), minReplicas: replicas, maxReplicas: autoscale?.max ?? replicas },
  };
}

export function autoscaler(workload: Workload, namespace: string, owner: V1OwnerReference): V2HorizontalPodAutoscaler {
  const { cpuPercent, spec } = scaling(workload);
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: cpuPercent } };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadata(workload, namespace, owner),
    spec: { ...spec, metrics: [{ type: 'Resource', resource: cpu }] },
  };
}

/** For clusters before 1.23. */
export function oldAutoscaler(
  workload: Workload,
  namespace: string,
  owner: V1OwnerReference,
): V1HorizontalPodAutoscaler {
  const { cpuPercent, spec } = scaling(workload);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadata(workload, namespace, owner),
    spec: { ...spec, targetCPUUtilizationPercentage: cpuPercent },
  };
}

/** Pods of one start. */
export const podSelector = (mark: string): string => selector({ [LABEL.mark]: mark });

/** Ingress host of a port; `*` stands for name and port. Without a port in the pattern, tools get a prefix and the API none. */
export function hostOf(pattern: string, name: string, port: PortName, namespace: string): string {
  const host = pattern
    .replaceAll('*', `${name}-${port}`)
    .replaceAll('{name}', name)
    .replaceAll('{port}', port)
    .replaceAll('{namespace}', namespace);
  const hasPort = pattern.includes('*') || pattern.includes('{port}');
  return hasPort || port === 'api' ? host : `${port}-${host}`;
}
