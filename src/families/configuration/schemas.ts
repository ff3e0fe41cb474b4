import { type Static, Type } from 'typebox';
import { Acl, LONGEST_TEXT, TextMap } from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { ResourceFamily } from '../../contract/schemas/resourceSchemas.ts';
import { ACTIONS, FAMILIES, FORMAT, FORMAT_VERSION, MAX_NAME_LENGTH, MAX_RECORDS, OUTCOMES } from './constants.ts';

const FreeObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const Family = narrowed(
  ResourceFamily,
  Type.Enum([...FAMILIES], {
    description: 'The family of a record',
    'x-message': `must be one of ${FAMILIES.join(', ')}`,
  }),
);
const NAME =
  'What names the record in its family. LLM configurations: service/connection_name/model. Container connections: container_type/connection_name. Experiments: the title, with #2 and so on for further ones of the same title.';
const SPEC = 'What the POST of the family takes, without secrets and without acl';
const SECRETS =
  'Dotted paths of the secrets that the record has; a dot within a key is written with a backslash before it';
const RECORDS = 'The records, by family and name';
const FORMAT_FIELDS = {
  format: Type.Literal(FORMAT, { description: 'Tells these documents from others', 'x-message': `must be ${FORMAT}` }),
  format_version: Type.Literal(FORMAT_VERSION, {
    description: 'Version of the format',
    'x-message': `must be ${FORMAT_VERSION}: this release reads no other version of the format`,
  }),
};

const ABOUT_RECORD = { description: 'A record as a document holds it' };
const Secrets = Type.Array(Type.String(), { description: SECRETS });
/** A record that was exported is one that can be imported: clients have one type for both. */
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
      what: Type.String({ description: 'What the document does not hold' }),
      why: Type.String({ description: 'Why, and where to find it' }),
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
        description: 'What was left out, beside records that the caller may not read',
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
      spec: FreeObject(`${SPEC}. A field that is left out is unset.`),
      secrets: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH }), { maxItems: 1000, description: SECRETS }),
      ),
      acl: Type.Optional(FreeObject('Who may read and write the record; left out, it stays as it is')),
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
    { description: 'A document as an export gives it, or one that was written by hand' },
  ),
);

const SecretValues = narrowed(
  TextMap,
  Type.Record(
    Type.String(),
    // The caller's own keys: what is said of a value names them, and never quotes it.
    Type.String({ minLength: 1, maxLength: LONGEST_TEXT, description: 'The secret' }),
    { description: 'Dotted path -> secret' },
  ),
);

const Mode = named(
  'ConfigurationMode',
  Type.Enum(['plan', 'apply'], { description: 'plan: tell what would be done. apply: do it.', default: 'plan' }),
);

export const ImportInput = named(
  'ConfigurationImport',
  Type.Object(
    {
      document: DocumentInput,
      mode: Type.Optional(Mode),
      on_existing: Type.Optional(
        Type.Enum(['update', 'skip', 'fail'], {
          description: 'What becomes of a record that exists and differs: it is updated, left as it is, or blocked',
          default: 'update',
        }),
      ),
      secrets: Type.Optional(
        named(
          'ConfigurationSecrets',
          Type.Record(Type.String(), SecretValues, {
            description:
              'Secrets of records, by family/name. They are in no reply. One that is stored stays unless it is sent.',
          }),
        ),
      ),
      include_agents: Type.Optional(
        Type.Boolean({ description: 'Create agents too, whose runtimes cost money', default: false }),
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
      message: Type.String({ description: 'What is wrong, for a person' }),
      error_code: Type.Optional(Type.String({ description: 'The code that a call of the family itself would answer' })),
    },
    { description: 'Something about a record that has to be looked at' },
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
          'create, update: it will be made or changed. unchanged: it is like that. skip: left alone. blocked: see problems.',
      }),
      changed: paths('Of an update: dotted paths of what changes; a secret by its path alone'),
      missing_secrets: paths(
        'Dotted paths of secrets that the record should have, and that are neither stored nor sent',
      ),
      problems: Type.Array(ImportProblem, { description: 'Why it is blocked, skipped or failed' }),
      outcome: Type.Optional(
        Type.Enum([...OUTCOMES], {
          description:
            'Of a record that was to be created or updated; not_reached: the time was over, send the same again',
        }),
      ),
      error_code: Type.Optional(Type.String({ description: 'Why it is blocked or failed, for programs' })),
    },
    { description: 'What becomes of one record' },
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
            unchanged: Counter('are as the document has them'),
            skip: Counter('are left alone'),
            blocked: Counter('cannot be created or updated as they are'),
            done: Counter('were created or updated'),
            failed: Counter('could not be created or updated after all'),
            not_reached: Counter('are left for the next call, since the time was over'),
          },
          { description: 'How many records there are of each kind' },
        ),
      ),
      result: Type.Array(ImportResult, { description: 'What becomes of each record, in the order of the document' }),
    },
    { description: 'What was planned or done' },
  ),
);
export type ImportReply = Static<typeof ImportReply>;
