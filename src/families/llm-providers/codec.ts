import type { Json } from '../../contract/basics.ts';
import type { Provider } from '../../contract/families/llmProviders.ts';
import { insertSecret } from '../../domain/secrets/secrets.ts';
import { fitsReference } from '../../domain/values/modelReference.ts';
import {
  areTexts,
  type LocatedSecret,
  pagesOf,
  type RecordCodec,
  type SecretLayout,
} from '../../resources/recordCodec.ts';
import { keysOfPath, pathPart, splitCredentials, toBodyPath } from './credentials/credentials.ts';
import { RESERVED_KEYS } from './credentials/parseConfiguration.ts';
import { LLM_CONNECTIONS, llmConnectionKey } from './records/connection.ts';
import { FAMILY } from './records/kind.ts';

/** Reserved keys that callers write. */
const PARTS = new Set(['service', 'connection_name', 'model', 'servicesettings', 'is_saved', 'is_model_saved']);

/** `<service>/<connection_name>/<model>`: only the model may hold slashes. */
function partsOf(name: string) {
  const [service = '', connection_name = '', ...model] = name.split('/');
  return { service, connection_name, model: model.join('/') };
}

/** Models are compared exactly, connections without regard to case. */
function identityOf(name: string): string {
  const { service, connection_name, model } = partsOf(name);
  return [service, connection_name.normalize('NFC').trim().toLowerCase(), model.trim()].join('/');
}

/** `<connection>/` stands for any model of a connection. */
const isConnection = ({ connection_name }: { connection_name: string }, reference: string): boolean =>
  reference.normalize('NFC').trim().toLowerCase() === `${connection_name}/`;

const nameOf = ({ service, connection_name, model }: Json): string => `${service}/${connection_name}/${model}`;

/** Undeclared texts that look like credentials are secrets, too. */
const CREDENTIALS: SecretLayout = {
  split(record, patterns) {
    const { open, submitted } = splitCredentials(record, patterns);
    const secrets = Object.entries(submitted).flatMap(([path, value]) =>
      value === null ? [] : [{ keys: keysOfPath(path), value }],
    );
    return { open, secrets };
  },
  put(spec, secrets, patterns) {
    const { filled, inserted } = fill(spec, secrets);
    const { submitted } = splitCredentials(filled, patterns);
    const isRead = ({ keys, value }: LocatedSecret) => submitted[keys.map(pathPart).join('/')] === value;
    const accepted = inserted.filter(isRead);
    if (accepted.length === secrets.length) return { spec: filled, refused: [] };
    const acceptedSecrets = new Set(accepted);
    return { spec: fill(spec, accepted).filled, refused: secrets.filter((secret) => !acceptedSecrets.has(secret)) };
  },
  keysOf(path, { model }) {
    const inBody = toBodyPath(path, String(model));
    return inBody === undefined ? undefined : keysOfPath(inBody);
  },
};

function fill(spec: Json, secrets: readonly LocatedSecret[]) {
  const filled = structuredClone(spec);
  const inserted = secrets.filter(({ keys, value }) => {
    if (!hasRoom(filled, keys)) return false;
    insertSecret(filled, keys, value);
    return true;
  });
  return { filled, inserted };
}

/** Objects that held only secrets are created again, list entries are not. */
function hasRoom(spec: unknown, keys: readonly string[]): boolean {
  let node = spec;
  for (const key of keys) {
    if (typeof node !== 'object' || node === null) return !/^\d+$/.test(key);
    if (Array.isArray(node) && !(Number(key) < node.length)) return false;
    node = Object.hasOwn(node, key) ? (node as Json)[key] : undefined;
  }
  return true;
}

export const llmConfigurationCodec: RecordCodec = {
  family: 'llm-providers',
  rank: 0,
  rows: { read: 'getLlmConfiguration', create: 'saveLlmConfiguration', update: 'saveLlmConfiguration' },
  collection: LLM_CONNECTIONS,
  keyOf(id) {
    const { service, connection_name } = partsOf(id);
    return llmConnectionKey(service as Provider, connection_name);
  },
  planned: FAMILY,
  secretLayout: CREDENTIALS,
  namesOf: (records) => records.map(nameOf),
  identityOf,
  fitsReference(identity, reference) {
    const model = partsOf(identity);
    return fitsReference(model, reference) || isConnection(model, reference);
  },
  matchesName: (name, spec) =>
    !areTexts([spec.service, spec.connection_name, spec.model]) || identityOf(nameOf(spec)) === identityOf(name),
  all: ({ calls }) => pagesOf(calls, 'listLlmConfigurations'),
  readCall: (id) => ({ params: partsOf(id) }),
  replaces: true,
  shared: 'servicesettings',
  defaults: { is_saved: true, is_model_saved: true },
  excludedKeys: [...RESERVED_KEYS].filter((key) => !PARTS.has(key)),
};
