import { USE_GATEWAY } from '../../contract/capabilities.ts';
import type { FaultCode } from '../../contract/codes/codes.ts';
import { OUTBOUND_CODES } from '../../contract/codes/outbound.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { MASKING_FAULTS } from '../apis/endpoints.ts';
import {
  DeleteDocumentsBody,
  DeleteDocumentsReply,
  DocumentListQuery,
  DocumentListReply,
  IndexBody,
  IndexReply,
} from './schemas.ts';

const MEGABYTE = 1024 * 1024;
/** Codes of a vector store that is asked, and of the model that embeds for it. */
export const STORE_FAULTS = [
  'not_found',
  'ambiguous_reference',
  'too_many_requests',
  'limit_exceeded',
  ...MASKING_FAULTS,
  ...OUTBOUND_CODES,
  'context_length_exceeded',
  'content_filtered',
  'invalid_state',
  'kb_not_found',
  'kb_not_active',
] as const satisfies readonly FaultCode[];
const DOCUMENTS = { gate: USE_GATEWAY, acl: true, addition: true } as const;
const WRITES = { ...DOCUMENTS, method: 'POST', flag: 'vector_stores', limited: true, callsUpstream: 'maybe' } as const;
const HOURLY = 'The handler keeps one entry a store, user and hour.';

export const knowledge = endpoints({
  indexDocuments: {
    ...WRITES,
    path: '/ai_gateway/index',
    summary: 'Writes documents into a vector store, each in place of what its id had.',
    body: IndexBody,
    maxBody: 4 * MEGABYTE,
    reply: IndexReply,
    unaudited: HOURLY,
    faults: [...STORE_FAULTS, 'acl_denied', 'store_full'],
  },
  deleteDocuments: {
    ...WRITES,
    path: '/ai_gateway/index/delete',
    summary: 'Deletes documents of a vector store.',
    body: DeleteDocumentsBody,
    reply: DeleteDocumentsReply,
    unaudited: HOURLY,
    faults: [...STORE_FAULTS, 'acl_denied'],
  },
  listDocuments: {
    ...DOCUMENTS,
    method: 'GET',
    path: '/ai_gateway/index',
    summary: 'Documents that this app wrote into a vector store.',
    query: DocumentListQuery,
    reply: DocumentListReply,
    faults: ['not_found', 'acl_denied', 'not_supported'],
  },
});
