import type Docker from 'dockerode';
import { PORTS, type Workload } from '../../ports/engines/containerEngine.ts';
import { scopeLabels, workloadLabels } from './labels.ts';

/** The scheduler's period; a quota below a hundredth of it is refused by the engine. */
const CPU_PERIOD_US = 100_000;
const MIN_QUOTA_US = 1000;
/** Docker's 64 MB are too little for the data loaders of the deep-learning images. */
const SHARED_MEMORY_BYTES = 1024 ** 3;

const UNITS = { Mi: 1024 ** 2, Gi: 1024 ** 3 } as const;

function bytesOf(quantity: string): number {
  const [, digits, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(digits) * UNITS[unit as keyof typeof UNITS];
}

/** A fork bomb ends here; the busiest notebook has a few hundred processes and threads. */
const MAX_PROCESSES = 4096;
/** Of what Docker grants by itself, what the application never needs and an intruder would like. */
const DROPPED_CAPABILITIES = ['NET_RAW', 'MKNOD', 'AUDIT_WRITE'];

/** What the engine is asked to create. Never auto-remove: the evidence of a crash would go with the container. */
export function containerOptions(workload: Workload): Docker.ContainerCreateOptions {
  const { docker, resources } = workload;
  if (!docker) throw new TypeError('a workload for Docker has its docker part');
  const environment = { ...workload.environment, ...workload.secretEnvironment };
  const ports = workload.ports.map((name) => `${PORTS[name]}/tcp`);
  return {
    name: workload.name,
    Image: workload.image,
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    Labels: workloadLabels(workload),
    ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])),
    HostConfig: {
      PortBindings: Object.fromEntries(ports.map((port) => [port, [{ HostIp: docker.hostIp, HostPort: '' }]])),
      Mounts: [
        {
          Type: 'volume',
          Source: docker.volume,
          Target: '/srv',
          VolumeOptions: { NoCopy: false, Labels: scopeLabels(workload), DriverConfig: { Name: 'local', Options: {} } },
        },
      ],
      CpuPeriod: CPU_PERIOD_US,
      // Not NanoCpus: the engine refuses more of those than it has, a quota it does not.
      CpuQuota: Math.max(MIN_QUOTA_US, resources.maxCpu * (CPU_PERIOD_US / 1000)),
      CpuShares: Math.max(2, Math.round((resources.minCpu * 1024) / 1000)),
      Memory: bytesOf(resources.maxMemory),
      // No swap on top of it.
      MemorySwap: bytesOf(resources.maxMemory),
      MemoryReservation: bytesOf(resources.minMemory),
      ShmSize: SHARED_MEMORY_BYTES,
      PidsLimit: MAX_PROCESSES,
      SecurityOpt: ['no-new-privileges'],
      CapDrop: DROPPED_CAPABILITIES,
      ...(docker.network ? { NetworkMode: docker.network } : {}),
      ...(resources.nvidia ? { Runtime: 'nvidia' } : {}),
      ...(docker.log ? { LogConfig: { Type: 'splunk', Config: logOptions(docker.log) } } : {}),
    },
  };
}

function logOptions({ url, token }: { url: string; token: string }): Record<string, string> {
  return { 'splunk-url': url, 'splunk-token': token, 'splunk-format': 'inline', tag: '{{.Name}}' };
}
