import { isLoopbackHost } from '../../../domain/url.ts';
import type { DockerPart, KubernetesPart, PortName, Workload } from '../../../ports/containerEngine.ts';
import { PORT_NAMES } from '../../../ports/containerEngine.ts';
import { logEndpoint } from '../connections/addresses.ts';
import { namesOf } from '../connections/rules.ts';
import type { Fields, ServiceType } from '../fields.ts';
import type { OpenEngine } from './engines.ts';
import { environment } from './environment.ts';
import { safeName } from './names.ts';
import { type RuntimeStored, runtimeKey, WISHES } from './records.ts';
import { hostsOf } from './urls.ts';
import { cpuOf } from './wish.ts';

export const containerName = (model: string, installation: string, connectionKey: string): string =>
  safeName('ml', runtimeKey(model), installation, connectionKey);

/** Everything an engine needs to run a record's container. */
export function workloadOf(
  record: RuntimeStored,
  { connection, secrets, scope }: Omit<OpenEngine, 'engine'>,
): Workload {
  const { open, secret } = environment(connection, secrets, record.mode);
  const volume = safeName('ml-data', connection.connection_name, scope.installation, connection._key);
  const facts = Object.fromEntries(WISHES.map((name) => [name, record[name]]));
  return {
    ...scope,
    name: record.container_name,
    model: record.model,
    mark: record.mark,
    facts: { ...facts, started_at: String(record.started_at) },
    image: record.image_reference,
    ports: portsOf(record.mode),
    environment: open,
    secretEnvironment: secret,
    resources: {
      minCpu: cpuOf(record.min_cpu),
      maxCpu: cpuOf(record.max_cpu),
      minMemory: record.min_memory,
      maxMemory: record.max_memory,
      nvidia: record.runtime === 'nvidia',
    },
    ...(record.cluster === 'docker'
      ? { docker: dockerPart(connection, secrets.docker_logging_platform_token, volume) }
      : { kubernetes: kubernetesPart(connection, record, volume) }),
  };
}

export const portsOf = (mode: string): PortName[] => (mode === 'PROD' ? ['api'] : [...PORT_NAMES]);

function dockerPart(fields: Fields, token: string | undefined, volume: string): DockerPart {
  const { internal, external } = hostsOf('docker', fields);
  const local = [internal, external].every((host) => isLoopbackHost(new URL(`http://${bracketed(host)}/`)));
  const log = fields.docker_logging_endpoint_hostname;
  return {
    // What only this machine reaches is not offered to the network.
    hostIp: local ? '127.0.0.1' : '',
    volume,
    ...(fields.docker_network ? { network: fields.docker_network } : {}),
    ...(log && token ? { log: { url: logEndpoint(log), token } } : {}),
  };
}

const bracketed = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

function kubernetesPart(fields: Fields, record: RuntimeStored, claim: string): KubernetesPart {
  const secrets = fields.image_pull_secrets ?? 'None';
  return {
    serviceType: (fields.service_type ?? 'nodeport') as ServiceType,
    ...(fields.ingress_host_pattern ? { hostPattern: fields.ingress_host_pattern } : {}),
    ingressAnnotations: JSON.parse(fields.ingress_annotations ?? '{}') as Record<string, string>,
    imagePullSecrets: secrets === 'None' ? [] : namesOf(secrets),
    claim,
    replicas: Number(record.min_replicas),
    ...(record.hpa_enabled === '1'
      ? { autoscale: { max: Number(record.max_replicas), cpuPercent: Number(record.cpu_threshold_percent) } }
      : {}),
  };
}
