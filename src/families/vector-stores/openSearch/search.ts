import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import { checkBody, type Outgoing } from '../../../masking/checkedBody.ts';
import type { Passage } from '../../../ports/cloud/passages.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { eachCondition, type Filter, readFilter } from '../queries/filter.ts';
import { fuse } from '../queries/fuse.ts';
import { matches, valueAt } from '../queries/matches.ts';
import type { VectorQuery } from '../queries/vectorQuery.ts';
import { conditionsOf } from './conditions.ts';
import { assertLength, type Mapping, readMapping } from './mapping.ts';
import type { IndexDetails, SearchServer } from './server.ts';

/** Passages that are looked through where the index cannot compare exactly. */
const MOST_PASSAGES = 500;
/** Neighbours that an index looks at, of which it answers the nearest. */
const LEAST_NEIGHBOURS = 200;
const MOST_NEIGHBOURS = 10_000;
/** Servers refuse queries of more words. */
const MOST_WORDS = 500;
const SEARCH = '_search?allow_partial_search_results=false';

interface Entry {
  /** Id of the entry in the index. */
  key: string;
  passage: Passage;
}

interface Search {
  server: SearchServer;
  details: IndexDetails;
  mapping: Mapping;
  query: Outgoing<VectorQuery>;
  deadline: Deadline;
  filter: Filter | undefined;
}

/** The query of a search, for a number of passages. */
type Ask = (size: number, condition: Json | undefined) => Json;

/** Searches an index. @throws Fault `kb_not_found`, `not_supported`; OutboundError */
export async function searchIndex(
  server: SearchServer,
  details: IndexDetails,
  query: Outgoing<VectorQuery>,
  deadline: Deadline,
): Promise<Passage[]> {
  const mapping = await readMapping(server, details, deadline);
  const { vector = new Float32Array(), count, searchType, filter } = query;
  assertLength(mapping, details, vector);
  const search = { server, details, mapping, query, deadline, filter: filter && readFilter(filter) };
  const near = await filtered(search, byVector(details, mapping, vector));
  if (searchType !== 'hybrid') return near.map(({ passage }) => passage);
  const lists = [near, await filtered(search, byWords(details, query.text))];
  return fuse(lists, ({ key }) => key)
    .slice(0, count)
    .map(({ item, score }) => ({ ...item.passage, score }));
}

function byVector({ vector_field: field }: IndexDetails, { isElastic }: Mapping, vector: Float32Array): Ask {
  const numbers = [...vector];
  return (size, condition) => {
    const filter = condition && { filter: condition };
    const looked = Math.min(MOST_NEIGHBOURS, Math.max(LEAST_NEIGHBOURS, size * 10));
    return isElastic
      ? { size, knn: { field, query_vector: numbers, k: size, num_candidates: looked, ...filter } }
      : { size, query: { knn: { [field]: { vector: numbers, k: Math.max(LEAST_NEIGHBOURS, size), ...filter } } } };
  };
}

function byWords({ text_field }: IndexDetails, text: string): Ask {
  const words = [...new Set(text.split(/\s+/))].slice(0, MOST_WORDS).join(' ');
  return (size, condition) => ({
    size,
    query: { bool: { must: [{ match: { [text_field]: words } }], ...(condition && { filter: [condition] }) } },
  });
}

/** Asks for ever more passages, until enough of them match the filter exactly. */
async function filtered(search: Search, ask: Ask): Promise<Entry[]> {
  const { details, mapping, filter, query } = search;
  if (!filter) return await send(search, ask(query.count, undefined));
  const path = details.metadata_field ? `${details.metadata_field}.` : '';
  for (const isNarrow of [false, true]) {
    const condition = conditionsOf(filter, { fields: mapping.fields, path, isNarrow });
    for (let size = query.count; ; size = Math.min(MOST_PASSAGES, size * 4)) {
      const entries = await send(search, ask(size, condition));
      const kept = entries.filter(({ passage }) => matches(filter, passage.metadata));
      if (kept.length >= query.count || entries.length < size) return kept.slice(0, query.count);
      if (size >= MOST_PASSAGES) break;
    }
  }
  throw tooVague(filter, details.index);
}

function tooVague(filter: Filter, index: string): Fault {
  const conditions: string[] = [];
  eachCondition(filter, ({ operator, key }) => conditions.push(`${operator} of ${key}`));
  const advice = 'map these fields as keyword, a number or boolean';
  return new Fault('not_supported', `The index ${index} cannot answer ${conditions.join(', ')}: ${advice}`);
}

async function send({ server, details, query, deadline }: Search, body: Json): Promise<Entry[]> {
  const request = { ...body, _source: { excludes: [details.vector_field] } };
  checkBody(query, () => stringifyWellFormed(request));
  const answer = await server.ask(SEARCH, deadline, request);
  const hits = isObject(answer.hits) && Array.isArray(answer.hits.hits) ? answer.hits.hits : [];
  return hits.filter(isObject).map((hit) => foundIn(details, hit));
}

function foundIn(details: IndexDetails, { _id: key, _score: score, _source }: Json): Entry {
  const source = isObject(_source) ? _source : {};
  const { id_field, text_field, metadata_field, vector_field } = details;
  const id = textOf(id_field ? valueAt(source, id_field) : key);
  const { [vector_field]: _vector, [text_field]: _text, [id_field ?? '']: _id, ...others } = source;
  const metadata = metadata_field ? valueAt(source, metadata_field) : others;
  const passage: Passage = {
    ...(id === '' ? {} : { id }),
    text: textOf(valueAt(source, text_field)),
    ...(typeof score === 'number' && Number.isFinite(score) && { score }),
    source: { type: 'opensearch', ...(id === '' ? {} : { uri: id }) },
    metadata: isObject(metadata) ? metadata : {},
  };
  return { key: String(key), passage };
}

/** Lists of texts are read like an index reads them: one after the other. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : '';
}
