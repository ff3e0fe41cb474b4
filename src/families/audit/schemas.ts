import { type Static, Type } from 'typebox';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES, AUDIT_WAYS } from '../../contract/audit.ts';
import { named } from '../../contract/schemas/named.ts';
import { ResourceFamily } from '../../contract/schemas/resourceSchemas.ts';

export const AuditAction = named('AuditAction', Type.Enum([...AUDIT_ACTIONS], { description: 'The attempted action' }));
export const AuditOutcome = named(
  'AuditOutcome',
  Type.Enum([...AUDIT_OUTCOMES], {
    description: 'Result; unknown: the end could not be recorded',
  }),
);

const FIELD = Type.String({
  description: 'Dotted path of the field; * stands for the changes beyond the first 200 or 64 KB',
});
const value = (when: string) =>
  Type.Optional(Type.Unknown({ description: `Value ${when}, cut at 256 characters; absent if there was none` }));

const AuditChange = named(
  'AuditChange',
  Type.Object(
    {
      field: FIELD,
      before: value('before'),
      after: value('after'),
      secret: Type.Optional(
        Type.Enum(['set', 'replaced', 'removed'], {
          description: 'Change of a secret, whose values are never recorded',
        }),
      ),
    },
    { description: 'Change of one field' },
  ),
);

const version = (when: string) =>
  Type.Optional(Type.Integer({ description: `Version of the record ${when}; absent if there was none` }));

const AuditId = Type.String({ description: 'Id of the entry; ids sort by time' });

export const AuditEntry = named(
  'AuditEntry',
  Type.Object(
    {
      audit_id: AuditId,
      time: Type.Number({ description: 'When it began, epoch seconds with a fraction' }),
      user: Type.String({ description: 'User; splunk-system-user is the app itself' }),
      action: AuditAction,
      family: ResourceFamily,
      name: Type.String({
        description:
          'Name or id of the record; several parts are joined with /, such as docker/lab. Empty if there is none.',
      }),
      tool: Type.Optional(Type.String({ description: 'Tool that was called; `name` is its connection' })),
      outcome: AuditOutcome,
      error_code: Type.Optional(Type.String({ description: 'Code of the failure, or why the result is unknown' })),
      count: Type.Optional(
        Type.Integer({
          description:
            'Attempts that the entry stands for, if more than one: refusals of one user, action, family and code in a minute, refused records of an import; by one user in an hour reads of a log, runs of an agent or of definitions, calls of a tool (in one run or search)',
        }),
      ),
      failed: Type.Optional(Type.Integer({ description: 'How many of these calls of a tool have failed' })),
      run_id: Type.Optional(
        Type.String({ description: 'Run that was started or decided, or whose call it was; absent for several runs' }),
      ),
      sid: Type.Optional(Type.String({ description: 'Search that called the tool, if the platform knows it' })),
      changed: Type.Array(AuditChange, { description: 'Changed fields of the record' }),
      version_before: version('before'),
      version_after: version('after'),
      request_id: Type.String({ description: 'Id of the request, as in its failure and in the log' }),
      duration_ms: Type.Union([Type.Integer(), Type.Null()], {
        description:
          'Duration in milliseconds, of all counted calls of a tool together; null until the end is recorded',
      }),
      via: Type.Enum([...AUDIT_WAYS], {
        description: 'Origin: REST, a search command, or the app itself',
      }),
    },
    { description: 'An attempted action; after completion only what it counts changes' },
  ),
);
export type AuditEntry = Static<typeof AuditEntry>;
