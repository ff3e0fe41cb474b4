import { endpoints } from '../../contract/rows/endpoint.ts';
import { MAX_IMPORT_BYTES } from './constants.ts';
import { ExportQuery, ExportReply, ImportInput, ImportReply } from './schemas.ts';

export const configuration = endpoints({
  exportConfiguration: {
    method: 'GET',
    path: '/ml/export',
    audit: { action: 'export', name: ['query.family', 'query.name'] },
    summary: 'The records that the caller may read, as a document without secrets.',
    gate: 'session',
    query: ExportQuery,
    reply: ExportReply,
    // Names of registered models are read without their endpoint.
    acl: true,
    faults: ['payload_too_large'],
    addition: true,
  },
  importConfiguration: {
    method: 'POST',
    path: '/ml/import',
    // Each written record also has its own entry. A plan writes nothing: it is audited if it carries secrets.
    audit: { action: 'import', name: [], onlyIf: { at: 'body.mode', is: 'apply', orHas: 'body.secrets' } },
    summary:
      "Plan the changes of a document or, with mode apply, make them: each record as the caller's own create or update.",
    gate: 'session',
    body: ImportInput,
    maxBody: MAX_IMPORT_BYTES,
    reply: ImportReply,
    faults: [],
    addition: true,
  },
});
