import { jsonReply, rawJsonReply } from '../../eai/replies.ts';
import { PlatformError, type PlatformReply } from '../../http/reply.ts';
import { prepare } from './document.ts';
import type { TypeRules } from './fieldTypes.ts';
import { finder } from './find.ts';
import { isObject, type Json, parseBody } from './json.ts';
import type { KvStore, Partition } from './store.ts';

/** limits.conf [kvstore]. */
const MAX_DOCUMENTS = 50_000;
const MAX_SAVE_MB = 50;
const MAX_QUERIES = 1000;
const MAX_RESULT_MB = 100;
const MB = 1024 * 1024;

/** All documents are checked before the first is written, in one transaction. */
export function batchSave(store: KvStore, partition: Partition, rules: TypeRules, body: Buffer): PlatformReply {
  if (body.length > MAX_SAVE_MB * MB) {
    throw limit(
      `Batch save size=${Math.ceil(body.length / MB)} MB too large, max_size_per_batch_save_mb=${MAX_SAVE_MB}`,
    );
  }
  const documents = array(body);
  if (documents.length > MAX_DOCUMENTS) {
    throw limit(`Too many documents for a single batch save, max_documents_per_batch_save=${MAX_DOCUMENTS}`);
  }
  const prepared = documents.map((document) => prepare(document, rules));
  store.saveAll(partition, prepared);
  return jsonReply(
    200,
    prepared.map(({ key }) => key),
  );
}

export function batchFind(store: KvStore, partition: Partition, body: Buffer): PlatformReply {
  const specs = array(body);
  if (specs.length > MAX_QUERIES) {
    throw limit(`Too many queries for a single batch find, max_queries_per_batch=${MAX_QUERIES}`);
  }
  const finders = specs.map((spec) => {
    if (!isObject(spec)) throw new PlatformError(400, 'The provided query was invalid.');
    return finder(spec);
  });
  let bytes = 0;
  const results = finders.map((find) => {
    const text = `[${find(store, partition).join(',')}]`;
    bytes += text.length;
    if (bytes > MAX_RESULT_MB * MB) {
      throw limit(`Batch find result too large, max_size_per_batch_result_mb=${MAX_RESULT_MB}`);
    }
    return text;
  });
  return rawJsonReply(200, `[${results.join(',')}]`);
}

function array(body: Buffer): Json[] {
  const value = parseBody(body, 'request');
  if (!Array.isArray(value)) throw new PlatformError(400, 'The body of a batch must be a JSON array.');
  return value;
}

function limit(what: string): PlatformError {
  return new PlatformError(400, `Request exceeds API limits - see limits.conf for details. (${what})`);
}
