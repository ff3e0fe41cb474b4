import { jsonReply, rawJsonReply } from '../../eai/replies.ts';
import { PlatformError, type PlatformReply } from '../../http/reply.ts';
import type { KvVariants } from '../variants.ts';
import { prepare } from './document.ts';
import type { TypeRules } from './fieldTypes.ts';
import { type FindSpec, finder } from './find.ts';
import { isObject, type Json, parseBody } from './json.ts';
import type { KvStore, Partition } from './store.ts';

/** limits.conf [kvstore]. */
const MAX_DOCUMENTS = 1000;
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

/** @param mode how it reads `limit`, `skip` and `sort` that are text */
export function batchFind(
  store: KvStore,
  partition: Partition,
  body: Buffer,
  mode: KvVariants['batch'],
): PlatformReply {
  const specs = array(body);
  if (specs.length > MAX_QUERIES) {
    throw limit(`Too many queries for a single batch find, max_queries_per_batch=${MAX_QUERIES}`);
  }
  const finders = specs.map((spec) => finder(findSpec(spec, mode)));
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

const TYPED = { limit: isCount, skip: isCount, sort: isSortList };

/** One query of a batch as `finder` takes it, with a sort as pairs of field and direction. */
function findSpec(spec: Json, mode: KvVariants['batch']): FindSpec {
  if (!isObject(spec)) throw invalid();
  const usable: FindSpec = { ...spec };
  for (const [name, isTyped] of Object.entries(TYPED) as [keyof typeof TYPED, (value: Json) => boolean][]) {
    const value = usable[name];
    if (value === undefined || isTyped(value)) continue;
    if (mode === 'strict') throw invalid();
    if (mode === 'ignore') delete usable[name];
  }
  if (isTexts(usable.fields)) usable.fields = Object.fromEntries(usable.fields.map((name) => [name, '1']));
  if (isSortList(usable.sort)) usable.sort = Object.fromEntries(usable.sort.flatMap((item) => Object.entries(item)));
  return usable;
}

function isCount(value: Json): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isSortList(value: Json | undefined): value is Record<string, 1 | -1>[] {
  return (
    Array.isArray(value) &&
    value.every((item) => isObject(item) && Object.values(item).every((sign) => sign === 1 || sign === -1))
  );
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function invalid(): PlatformError {
  return new PlatformError(400, 'The provided query was invalid.');
}

function array(body: Buffer): Json[] {
  const value = parseBody(body, 'request');
  if (!Array.isArray(value)) throw new PlatformError(400, 'The body of a batch must be a JSON array.');
  return value;
}

function limit(what: string): PlatformError {
  return new PlatformError(400, `Request exceeds API limits - see limits.conf for details. (${what})`);
}
