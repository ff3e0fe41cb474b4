import type { PortName, Workload } from '../../../../ports/engines/containerEngine.ts';
import { PORT_NAMES, PORTS } from '../../../../ports/engines/containerEngine.ts';
import type { EngineKind } from '../../engines/engineKind.ts';
import { SPEC_FIELDS } from '../../engines/startFields.ts';
import type { OpenEngine } from '../engines.ts';
import { type RuntimeStored, runtimeKey } from '../records.ts';
import { environment } from './environment.ts';
import { safeName } from './names.ts';
import { cpuOf } from './startSpec.ts';

export const containerName = (model: string, installation: string, connectionKey: string): string =>
  safeName('ml', runtimeKey(model), installation, connectionKey);

export function buildWorkload(
  kind: EngineKind,
  record: RuntimeStored,
  { connection, secrets, scope }: Omit<OpenEngine, 'engine'>,
): Workload {
  const { open, secret } = environment(connection, secrets, record);
  const volume = safeName('ml-data', connection.connection_name, scope.installation, connection._key);
  const facts = Object.fromEntries(SPEC_FIELDS.map((name) => [name, record[name]]));
  return {
    ...scope,
    name: record.container_name,
    model: record.model,
    mark: record.mark,
    facts: { ...facts, started_at: String(record.started_at) },
    image: record.image_reference,
    arguments: words(record.arguments ?? ''),
    ports: portsOf(record),
    environment: open,
    secretEnvironment: secret,
    resources: {
      minCpu: cpuOf(record.min_cpu),
      maxCpu: cpuOf(record.max_cpu),
      minMemory: record.min_memory,
      maxMemory: record.max_memory,
      nvidia: record.runtime === 'nvidia',
    },
    ...kind.workloadPart({ fields: connection, secrets, spec: record, volume }),
  };
}

/** Without tools on the port of the API. */
function portsOf({ mode, api_port }: RuntimeStored): PortName[] {
  if (mode === 'PROD') return ['api'];
  return PORT_NAMES.filter((name) => name === 'api' || PORTS[name] !== Number(api_port));
}

/** Words of a text; one in double quotes may have spaces. */
const words = (text: string): string[] => [...text.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
