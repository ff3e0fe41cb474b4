import type { Json } from '../../../contract/basics.ts';
import type { ContainerType } from '../../../ports/engines/containerEngine.ts';
import { areTexts, foldedName, pagesOf, type Reading, type RecordCodec } from '../../../resources/recordCodec.ts';
import { CONTAINER_TYPES } from '../engines/registry.ts';
import { CONNECTIONS, connectionKey, FAMILY } from './records.ts';

/** `<type>/<name>`: a name is unique among the connections of its type. */
const nameOf = ({ container_type, connection_name }: Json): string => `${container_type}/${connection_name}`;

function partsOf(name: string): { container_type: string; connection_name: string } {
  const slash = name.indexOf('/');
  return { container_type: name.slice(0, Math.max(0, slash)), connection_name: name.slice(slash + 1) };
}

export const containerConnectionCodec: RecordCodec = {
  family: 'container-connections',
  rank: 0,
  rows: { read: 'getContainerConnection', create: 'saveContainerConnection', update: 'saveContainerConnection' },
  collection: CONNECTIONS,
  keyOf(id) {
    const { container_type, connection_name } = partsOf(id);
    return connectionKey(container_type as ContainerType, connection_name);
  },
  planned: FAMILY,
  // The application refuses requests without a token.
  generatedSecrets: ['api_token'],
  namesOf: (records) => records.map(nameOf),
  identityOf: foldedName,
  matchesName: (name, spec) =>
    !areTexts([spec.container_type, spec.connection_name]) || foldedName(nameOf(spec)) === foldedName(name),
  all,
  readCall: (id) => ({ params: partsOf(id) }),
  updateCall: () => ({ body: { is_edit: 'true' } }),
  mergedFields: [],
  excludedKeys: ['is_edit'],
};

async function* all({ calls }: Reading): AsyncGenerator<Json> {
  for (const container_type of CONTAINER_TYPES)
    yield* pagesOf(calls, 'listContainerConnections', { params: { container_type } });
}
