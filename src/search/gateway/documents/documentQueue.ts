import { type FaultCode, isRetryable } from '../../../contract/codes/codes.ts';
import type { Clock } from '../../../ports/platform/clock.ts';
import type { ApiAnswer, BatchRequest, GatewayApi } from '../../../ports/platform/ownApi.ts';
import { BatchQueue, type BatchSettings } from '../batchQueue.ts';
import type { ItemAnswer, Json } from '../task.ts';

/**
 * Documents of one request, as many as the gateway takes but few enough bytes that their embedding soon ends when the search is
 * cancelled; one document may be larger. The gateway embeds two lists of passages of a request at a time, and while one request is
 * written others are embedded.
 */
const PIECE = { items: 500, bytes: 200_000, tooLarge: 4_000_000, parallel: 2 } as const;

/** Failures of the search and not of its rows: without the store or the right to write there nothing can be done. */
const OF_SEARCH = ['limit_exceeded', 'validation_failed', 'not_supported', 'ambiguous_reference'];

/** Writes documents into a store, or deletes them, in pieces; failed ones are sent again as those of batches are. */
export function documentQueue(
  api: GatewayApi,
  clock: Clock,
  { store, isDelete, ...settings }: Pick<BatchSettings, 'parallel' | 'timeoutS' | 'failsFast'> & DocumentTarget,
): BatchQueue {
  const batch: GatewayApi['batch'] = async ({ items, deadline_s }) => {
    const timeoutMs = deadline_s * 1000;
    const answer = await (isDelete
      ? api.deleteDocuments(store, items.map(idOf), timeoutMs)
      : api.indexDocuments(store, items.map(documentOf), timeoutMs));
    return itemAnswers(answer, items);
  };
  const rules = { operation: 'index', common: {}, dedup: false, isRepeatable: true, piece: PIECE };
  return new BatchQueue({ batch }, clock, { ...settings, ...rules });
}

interface DocumentTarget {
  store: string;
  /** Whether documents are deleted and not written. */
  isDelete: boolean;
}

type Item = BatchRequest['items'][number];

const documentOf = ({ document }: Item): Json => document as Json;
const idOf = (item: Item): string => String(documentOf(item).id);

/** The answer to a request as that to a batch. */
function itemAnswers(answer: ApiAnswer, items: readonly Item[]): ApiAnswer {
  const { status, body } = answer;
  if (status === 200) {
    const { failed = [] } = body as { failed?: { id: string; error_code: string; message: string }[] };
    const failures = new Map(failed.map((failure) => [failure.id, failure]));
    return asBatch(items, (item) => {
      const failure = failures.get(idOf(item));
      if (!failure) return { id: item.id, status: 'done', response: {} };
      const { error_code, message } = failure;
      return { id: item.id, status: 'failed', error_code, message, should_retry: false };
    });
  }
  const error_code = String(body.error_code);
  const isOfSearch = status < 400 || [401, 403, 404].includes(status) || OF_SEARCH.includes(error_code);
  if (body.error_code === undefined || isOfSearch || isRetryable(error_code as FaultCode, body)) return answer;
  const message = String(body.message);
  return asBatch(items, ({ id }) => ({ id, status: 'failed', error_code, message, should_retry: false }));
}

const asBatch = (items: readonly Item[], answerOf: (item: Item) => ItemAnswer): ApiAnswer => ({
  status: 200,
  body: { result: items.map(answerOf) },
});
