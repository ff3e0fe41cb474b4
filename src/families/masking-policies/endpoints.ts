import { EDIT_MASKING as gate } from '../../contract/capabilities.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { ConfigReply, ListQuery, ListReply, NameParams, NameReply, OneByName } from '../../contract/schemas/common.ts';
import { maskingPolicy } from './definition.ts';
import { PolicyPreview, PolicyPreviewReply } from './schemas.ts';

const path = '/ml/masking_policies';

export const maskingPolicies = endpoints({
  listMaskingPolicies: {
    method: 'GET',
    path,
    summary: 'Masking policies; with name=, one of them.',
    gate,
    query: ListQuery(maskingPolicy.sortKeys, { name: OneByName }),
    reply: ListReply(maskingPolicy.record),
    faults: ['not_found'],
    addition: true,
  },
  getMaskingPolicy: {
    method: 'GET',
    path: `${path}/{name}`,
    summary: 'One masking policy.',
    gate,
    params: NameParams,
    reply: ConfigReply(maskingPolicy.record),
    faults: ['not_found'],
    addition: true,
  },
  createMaskingPolicy: {
    method: 'POST',
    path,
    audit: { action: 'create', name: ['body.name'] },
    summary: 'Create a masking policy, which is in force within 2 seconds.',
    gate,
    body: maskingPolicy.create,
    reply: ConfigReply(maskingPolicy.record),
    faults: ['duplicate_name', 'unknown_reference'],
    addition: true,
  },
  updateMaskingPolicy: {
    method: 'PUT',
    path,
    audit: { action: 'update', name: ['body.name'] },
    summary: 'Change a masking policy: name and any subset of its fields.',
    gate,
    body: maskingPolicy.update,
    conditional: true,
    reply: ConfigReply(maskingPolicy.record),
    faults: ['not_found', 'version_conflict', 'unknown_reference'],
    addition: true,
  },
  deleteMaskingPolicy: {
    method: 'DELETE',
    path: `${path}/{name}`,
    audit: { action: 'delete', name: ['params.name'] },
    summary: 'Delete a masking policy; within 2 seconds nothing is masked by it.',
    gate,
    params: NameParams,
    conditional: true,
    reply: NameReply,
    faults: ['not_found', 'version_conflict'],
    addition: true,
  },
  previewMaskingPolicy: {
    method: 'POST',
    path: `${path}/preview`,
    unaudited: 'reads and writes nothing but the policy that is named',
    summary: 'Mask a text by a saved or given policy; nothing is stored or sent.',
    gate,
    body: PolicyPreview,
    // A whole policy may be sent.
    keepsUnknown: true,
    reply: PolicyPreviewReply,
    faults: ['not_found', 'masking_failed'],
    addition: true,
  },
});
