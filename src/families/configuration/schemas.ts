import { type Static, Type } from 'typebox';
import { Acl, LONGEST_TEXT, TextMap } from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { ResourceFamily } from '../../contract/schemas/resourceSchemas.ts';
import {
  ACTIONS,
  FAMILIES,
  FORMAT,
  FORMAT_VERSION,
  MAX_NAME_LENGTH,
  MAX_RECORDS,
  MAX_SECRET_CHARACTERS,
  MAX_SECRET_RECORDS,
  MAX_SECRETS,
  OUTCOMES,
} from './constants.ts';

const FreeObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const Family = narrowed(
  ResourceFamily,
  Type.Enum([...FAMILIES], {
    description: 'The family of a record',
    'x-message': `must be one of ${FAMILIES.join(', ')}`,
  }),
);
const NAME =
  'Name of the record in its family. LLM configurations: service/connection_name/model. Container connections: container_type/connection_name. Experiments: the title, with #2 and so on for further ones of the same title.';
const SPEC = 'Body of the POST of the family, without secrets and acl';
const SECRETS = 'Dotted paths of the secrets of the record; a dot within a key is escaped with a backslash';
const RECORDS = 'The records, by family and name';
const FORMAT_FIELDS = {
  format: Type.Literal(FORMAT, { description: 'Identifies these documents', 'x-message': `must be ${FORMAT}` }),
  format_version: Type.Literal(FORMAT_VERSION, {
    description: 'Version of the format',
    'x-message': `must be ${FORMAT_VERSION}, the only version that this release reads`,
  }),
};

const ABOUT_RECORD = { description: 'A record of a document' };
const Secrets = Type.Array(Type.String(), { description: SECRETS });
/** Clients have one type for exported and imported records. */
const AnyRecord = named(
  'ConfigurationRecord',
  Type.Object(
    {
      family: Family,
      name: Type.String({ description: NAME }),
      spec: FreeObject(SPEC),
      secrets: Type.Optional(Secrets),
      acl: Type.Optional(FreeObject('Who may read and write the record')),
    },
    ABOUT_RECORD,
  ),
);
const ConfigurationRecord = narrowed(
  AnyRecord,
  Type.Object(
    {
      family: Family,
      name: Type.String({ description: NAME }),
      spec: FreeObject(SPEC),
      secrets: Secrets,
      acl: Type.Optional(Acl),
    },
    ABOUT_RECORD,
  ),
);
export type ConfigurationRecord = Static<typeof ConfigurationRecord>;

const AnyDocument = named(
  'ConfigurationDocument',
  Type.Object(
    { ...FORMAT_FIELDS, records: Type.Array(AnyRecord, { description: RECORDS }) },
    { description: 'Configuration as a file' },
  ),
);
const ConfigurationDocument = narrowed(
  AnyDocument,
  Type.Object(
    { ...FORMAT_FIELDS, records: Type.Array(ConfigurationRecord, { description: RECORDS }) },
    { description: 'Configuration as a file: the same bytes for the same state' },
  ),
);

const LeftOut = named(
  'ConfigurationLeftOut',
  Type.Object(
    {
      what: Type.String({ description: 'What was left out' }),
      why: Type.String({ description: 'Why, and where to get it' }),
    },
    { description: 'Something that an export leaves out' },
  ),
);

const commaList = (description: string, maxLength: number, form: object = {}) =>
  Type.Optional(Type.String({ maxLength, description, ...form }));
const ONE_FAMILY = `(${FAMILIES.join('|')})`;

export const ExportQuery = Type.Object({
  family: commaList('Only records of these families, separated by commas', 512, {
    'x-form': { maxLength: 512, pattern: `^${ONE_FAMILY}( *, *${ONE_FAMILY})*$` },
  }),
  name: commaList('Only records of these names, separated by commas; case does not count', 1024),
});

export const ExportReply = named(
  'ConfigurationExport',
  Type.Object(
    {
      document: ConfigurationDocument,
      not_included: Type.Array(LeftOut, {
        description: 'What was left out, apart from records that the caller may not read',
      }),
    },
    { description: 'The records that the caller may read, as a document' },
  ),
);
export type ExportReply = Static<typeof ExportReply>;

const RecordInput = narrowed(
  AnyRecord,
  Type.Object(
    {
      family: Family,
      name: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, description: NAME }),
      spec: FreeObject(`${SPEC}. Omitted fields are unset.`),
      secrets: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH }), { maxItems: 1000, description: SECRETS }),
      ),
      acl: Type.Optional(FreeObject('Who may read and write the record. If omitted, it stays.')),
    },
    { description: 'A record to create or to update' },
  ),
);
export type RecordInput = Static<typeof RecordInput>;

const DocumentInput = narrowed(
  AnyDocument,
  Type.Object(
    {
      ...FORMAT_FIELDS,
      records: Type.Array(RecordInput, {
        maxItems: MAX_RECORDS,
        description: `${RECORDS}; at most ${MAX_RECORDS}`,
        'x-message': `must be a list of at most ${MAX_RECORDS} records`,
      }),
    },
    { description: 'A document from an export, or a handwritten one' },
  ),
);

const SecretValues = narrowed(
  TextMap,
  Type.Record(
    Type.String(),
    // Messages name the key and never quote the value.
    Type.String({ minLength: 1, maxLength: LONGEST_TEXT, description: 'The secret' }),
    { description: 'Dotted path -> secret' },
  ),
);

const Mode = named(
  'ConfigurationMode',
  Type.Enum(['plan', 'apply'], { description: 'plan: report the changes. apply: make them.', default: 'plan' }),
);

export const ImportInput = named(
  'ConfigurationImport',
  Type.Object(
    {
      document: DocumentInput,
      mode: Type.Optional(Mode),
      on_existing: Type.Optional(
        Type.Enum(['update', 'skip', 'fail'], {
          description: 'Action for an existing record that differs: update it, skip it, or block it',
          default: 'update',
        }),
      ),
      secrets: Type.Optional(
        named(
          'ConfigurationSecrets',
          Type.Record(Type.String(), SecretValues, {
            maxProperties: MAX_SECRET_RECORDS,
            description: `Secrets of records, by family/name; at most ${MAX_SECRETS} and ${MAX_SECRET_CHARACTERS} characters a record. No reply contains them. Stored secrets stay unless replaced.`,
          }),
        ),
      ),
      include_agents: Type.Optional(
        Type.Boolean({ description: 'Also create agents, whose runtimes cost money', default: false }),
      ),
    },
    { description: 'A document to plan with or to apply' },
  ),
);
export type ImportInput = Static<typeof ImportInput>;

const ImportProblem = named(
  'ConfigurationProblem',
  Type.Object(
    {
      field: Type.String({ description: 'Dotted path in the spec, name, acl…; $record for the record as a whole' }),
      message: Type.String({ description: 'Description of the problem' }),
      error_code: Type.Optional(Type.String({ description: 'Code that the endpoint of the family would answer' })),
    },
    { description: 'A problem of a record' },
  ),
);
export type ImportProblem = Static<typeof ImportProblem>;

const paths = (description: string) => Type.Array(Type.String(), { description });

const ImportResult = named(
  'ConfigurationResult',
  Type.Object(
    {
      family: Family,
      name: Type.String({ description: 'Name of the record in the document' }),
      action: Type.Enum([...ACTIONS], {
        description:
          'create, update: the planned change. unchanged: no difference. skip: not touched. blocked: see problems.',
      }),
      changed: paths('For an update: dotted paths of changed fields; secrets by path only'),
      missing_secrets: paths('Dotted paths of secrets that are neither stored nor sent'),
      problems: Type.Array(ImportProblem, { description: 'Why it is blocked, skipped or failed' }),
      outcome: Type.Optional(
        Type.Enum([...OUTCOMES], {
          description: 'Result of a create or update; not_reached: out of time, repeat the call',
        }),
      ),
      error_code: Type.Optional(Type.String({ description: 'Code of the problem' })),
    },
    { description: 'Result of one record' },
  ),
);
export type ImportResult = Static<typeof ImportResult>;

const Counter = (what: string) => Type.Integer({ description: `Records that ${what}` });

export const ImportReply = named(
  'ConfigurationImportReply',
  Type.Object(
    {
      mode: Mode,
      summary: named(
        'ConfigurationSummary',
        Type.Object(
          {
            create: Counter('are to be created'),
            update: Counter('are to be updated'),
            unchanged: Counter('match the document'),
            skip: Counter('are skipped'),
            blocked: Counter('cannot be created or updated'),
            done: Counter('were created or updated'),
            failed: Counter('could not be created or updated'),
            not_reached: Counter('are left for the next call for lack of time'),
          },
          { description: 'Number of records by action and outcome' },
        ),
      ),
      result: Type.Array(ImportResult, { description: 'Result of each record, in the order of the document' }),
    },
    { description: 'Result of the plan or import' },
  ),
);
export type ImportReply = Static<typeof ImportReply>;
