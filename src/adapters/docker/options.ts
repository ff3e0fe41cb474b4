import type Docker from 'dockerode';
import { portInside, type Workload } from '../../ports/engines/containerEngine.ts';
import { scopeLabels, workloadLabels } from './labels.ts';

/** The engine refuses a quota below a hundredth of the period. */
const CPU_PERIOD_US = 100_000;
const MIN_QUOTA_US = 1000;
/** Docker's default of 64 MB is too small for the data loaders of the deep-learning images. */
const SHARED_MEMORY_BYTES = 1024 ** 3;

const UNITS = { Mi: 1024 ** 2, Gi: 1024 ** 3 } as const;

function bytesOf(quantity: string): number {
  const [, digits, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(digits) * UNITS[unit as keyof typeof UNITS];
}

/** Stops a fork bomb; a busy notebook has a few hundred processes and threads. */
const MAX_PROCESSES = 4096;
/** Default capabilities that the application does not need. */
const DROPPED_CAPABILITIES = ['NET_RAW', 'MKNOD', 'AUDIT_WRITE'];

/** No auto-remove: a crashed container is needed for its logs and exit code. */
export function containerOptions(workload: Workload): Docker.ContainerCreateOptions {
  const { docker, resources } = workload;
  if (!docker) throw new TypeError('the workload has no docker part');
  const environment = { ...workload.environment, ...workload.secretEnvironment };
  const ports = workload.ports.map((name) => `${portInside(name, workload.facts)}/tcp`);
  return {
    name: workload.name,
    Image: workload.image,
    ...(workload.arguments.length > 0 ? { Cmd: [...workload.arguments] } : {}),
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
      // Not NanoCpus, which the engine refuses above the number of its CPUs.
      CpuQuota: Math.max(MIN_QUOTA_US, resources.maxCpu * (CPU_PERIOD_US / 1000)),
      CpuShares: Math.max(2, Math.round((resources.minCpu * 1024) / 1000)),
      Memory: bytesOf(resources.maxMemory),
      // Equal to Memory: no swap.
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
