import { Type } from 'typebox';
import { endpoints } from '../../contract/rows/endpoint.ts';
import {
  ConfigReply,
  ListQuery,
  Page,
  Pagination,
  Search,
  SortDirection,
  TimeParam,
} from '../../contract/schemas/common.ts';
import { ResourceFamily } from '../../contract/schemas/resourceSchemas.ts';
import { FILTERS } from './entries.ts';
import { AuditAction, AuditEntry, AuditOutcome } from './schemas.ts';

/** The first index serves combined filters. */
export const AUDIT_INDEXES = [
  ['audit_id', ...FILTERS, 'name_key', 'quota', 'bounded_user'],
  ...[...FILTERS, 'name_key', 'member', 'bounded_user'].map((field) => [field, 'audit_id']),
];

const gate = { all: ['list_ml_audit'] } as const;
const PAGE = ListQuery(['time'], {}).properties;
const only = (what: string, maxLength: number) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description: `Only entries ${what}` }));

export const audit = endpoints({
  listAudit: {
    method: 'GET',
    path: '/ml/audit',
    summary: 'Who changed, tested, started and stopped what, newest first.',
    gate,
    query: Type.Object({
      count: PAGE.count,
      offset: PAGE.offset,
      sort_key: PAGE.sort_key,
      sort_dir: Type.Optional(SortDirection('desc')),
      search: Type.Optional(Search('name, user, action, family or error code')),
      family: Type.Optional(ResourceFamily),
      name: only('with this name, compared without regard to case', 1024),
      action: Type.Optional(AuditAction),
      user: only('of this user', 1024),
      outcome: Type.Optional(AuditOutcome),
      error_code: only('with this code', 128),
      request_id: only('of this request', 128),
      earliest: Type.Optional(TimeParam('Only entries from this time on')),
      latest: Type.Optional(TimeParam('Only entries before this time')),
    }),
    reply: Type.Object({ result: Page(AuditEntry), pagination: Pagination }, { description: 'A page of the trail' }),
    faults: [],
    addition: true,
  },
  getAuditEntry: {
    method: 'GET',
    path: '/ml/audit/{audit_id}',
    summary: 'One entry of the audit trail.',
    gate,
    params: Type.Object({
      audit_id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[0-9a-f]+$', description: 'Id of the entry' }),
    }),
    reply: ConfigReply(AuditEntry),
    faults: ['not_found'],
    addition: true,
  },
});
