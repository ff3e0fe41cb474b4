import { EDIT_USAGE_LIMITS } from '../../contract/capabilities.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { ConfigReply, ListQuery, ListReply, NameParams, NameReply, OneByName } from '../../contract/schemas/common.ts';
import { usageLimit } from './definition.ts';
import { LimitDetail, OwnLimits } from './schemas.ts';

const gate = EDIT_USAGE_LIMITS;
const path = '/ml/usage_limits';

export const usageLimits = endpoints({
  listUsageLimits: {
    method: 'GET',
    path,
    summary: 'Usage limits; with name=, one of them.',
    gate,
    query: ListQuery(usageLimit.sortKeys, { name: OneByName }),
    reply: ListReply(usageLimit.record),
    faults: ['not_found'],
    addition: true,
  },
  getOwnUsageLimits: {
    method: 'GET',
    path: `${path}/status`,
    summary: 'What is left of the usage limits that hold the caller.',
    gate: 'session',
    acl: true,
    limited: true,
    reply: OwnLimits,
    faults: [],
    addition: true,
  },
  getUsageLimit: {
    method: 'GET',
    path: `${path}/{name}`,
    summary: 'One usage limit, and what is used of it.',
    gate,
    params: NameParams,
    reply: ConfigReply(LimitDetail),
    faults: ['not_found'],
    addition: true,
  },
  createUsageLimit: {
    method: 'POST',
    path,
    audit: { action: 'create', name: ['body.name'] },
    summary: 'Create a usage limit.',
    gate,
    body: usageLimit.create,
    reply: ConfigReply(usageLimit.record),
    faults: ['duplicate_name'],
    addition: true,
  },
  updateUsageLimit: {
    method: 'PUT',
    path,
    audit: { action: 'update', name: ['body.name'] },
    summary: 'Change a usage limit: name and any subset of its fields.',
    gate,
    body: usageLimit.update,
    conditional: true,
    reply: ConfigReply(usageLimit.record),
    faults: ['not_found', 'version_conflict'],
    addition: true,
  },
  deleteUsageLimit: {
    method: 'DELETE',
    path: `${path}/{name}`,
    audit: { action: 'delete', name: ['params.name'] },
    summary: 'Delete a usage limit; what was used does not count for a new one of this name.',
    gate,
    params: NameParams,
    conditional: true,
    reply: NameReply,
    faults: ['not_found', 'version_conflict'],
    addition: true,
  },
});
