import { type Static, Type } from 'typebox';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES, AUDIT_WAYS } from '../../contract/audit.ts';
import { named } from '../../contract/schemas/named.ts';
import { ResourceFamily } from '../../contract/schemas/resourceSchemas.ts';

export const AuditAction = named(
  'AuditAction',
  Type.Enum([...AUDIT_ACTIONS], { description: 'What was done, or tried' }),
);
export const AuditOutcome = named(
  'AuditOutcome',
  Type.Enum([...AUDIT_OUTCOMES], {
    description: 'How it ended; unknown: begun, and nobody could write down how it ended',
  }),
);

const FIELD = Type.String({
  description: 'Dotted path of the field; * stands for all fields beyond the first 500',
});
const value = (when: string) =>
  Type.Optional(Type.Unknown({ description: `Its value ${when}, cut at 256 characters; absent where there was none` }));

const AuditChange = named(
  'AuditChange',
  Type.Object(
    {
      field: FIELD,
      before: value('before'),
      after: value('after'),
      secret: Type.Optional(
        Type.Enum(['set', 'replaced', 'removed'], {
          description: 'What has become of a secret; nothing else is ever said of one',
        }),
      ),
    },
    { description: 'What has become of one field' },
  ),
);

const version = (when: string) =>
  Type.Optional(Type.Integer({ description: `Version of the record ${when}; absent where there was none` }));

const AuditId = Type.String({ description: 'Id of the entry; ids sort by time' });

export const AuditEntry = named(
  'AuditEntry',
  Type.Object(
    {
      audit_id: AuditId,
      time: Type.Number({ description: 'When it began, epoch seconds with a fraction' }),
      user: Type.String({ description: 'Who did it; splunk-system-user is the app itself' }),
      action: AuditAction,
      family: ResourceFamily,
      name: Type.String({
        description:
          'What it was done to: a name, an id, or several parts joined with /, such as docker/lab; empty where nothing was named',
      }),
      outcome: AuditOutcome,
      error_code: Type.Optional(Type.String({ description: 'Why it failed, or why nobody knows' })),
      changed: Type.Array(AuditChange, { description: 'What has changed in the record' }),
      version_before: version('before'),
      version_after: version('after'),
      request_id: Type.String({ description: 'Id of the request, as in its failure and in the log' }),
      duration_ms: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Milliseconds that it took; null while it is not known to have ended',
      }),
      via: Type.Enum([...AUDIT_WAYS], {
        description: "How it came: over REST, from a search command, or from the app's own work",
      }),
    },
    { description: 'One thing that was done or tried; entries never change once they are complete' },
  ),
);
export type AuditEntry = Static<typeof AuditEntry>;
