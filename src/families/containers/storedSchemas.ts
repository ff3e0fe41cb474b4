import { Type } from 'typebox';
import { SealedFields, StoredTest } from '../../contract/schemas/stored.ts';
import { ENGINE_KINDS, openNames } from './engines/registry.ts';
import { SPEC_FIELDS } from './engines/startFields.ts';

const Text = Type.String();
const OptionalText = Type.Optional(Text);
const optionalTexts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, OptionalText]));
const Engine = Type.Enum(Object.keys(ENGINE_KINDS));

export const StoredConnection = Type.Object({
  ...optionalTexts(openNames(ENGINE_KINDS)),
  ...SealedFields,
  container_type: Engine,
  connection_name: Text,
  token_ends: Type.Optional(Type.Record(Text, Type.Number())),
  last_test: StoredTest,
});

/** Fields that records of earlier versions may lack. */
const LATER = [
  'arguments',
  'pull_owner',
  'reach',
  'status_reason',
  'status_message',
  'status_since',
  'probe_error',
  'restarts',
];

export const StoredRuntime = Type.Object({
  ...optionalTexts([...SPEC_FIELDS, ...LATER, 'fingerprint']),
  model: Text,
  cluster: Engine,
  connection_key: Text,
  connection_name: Text,
  container_name: Text,
  id: Text,
  mark: Text,
  status: Text,
  step: Text,
  started_at: Type.Number(),
  urls: Type.Record(Text, Text),
  probe_failures: Type.Optional(Type.Number()),
});
