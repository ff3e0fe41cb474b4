import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { PlatformMessage, PlatformRows, PlatformSearch } from '../../../ports/platform/platformSearches.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import { APP, objectOf, type SplunkdCall, type SplunkdClient } from '../client.ts';
import { isError, messagesIn, refusal, searchFault, tooManySearches } from './messages.ts';

const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 2000;
/** Seconds without a poll after which the platform ends a job whose process has died. */
const AUTO_CANCEL_S = 30;
/** Milliseconds in which the rows are read once the time of the search is over. */
const READ_MS = 3000;
/** The platform keeps no more rows of events. */
const MOST_EVENTS = 10_000;
const DISPATCH_MS = 30_000;

interface JobContent {
  dispatchState?: unknown;
  isDone?: unknown;
  isFailed?: unknown;
  isFinalized?: unknown;
  resultCount?: unknown;
  eventCount?: unknown;
  resultIsStreaming?: unknown;
  earliestTime?: unknown;
  latestTime?: unknown;
  messages?: unknown;
}

/** One search job of a user. */
export class PlatformJob {
  readonly #call: (
    call: Pick<SplunkdCall, 'method' | 'endpoint'> & Partial<SplunkdCall>,
  ) => ReturnType<SplunkdClient['call']>;
  readonly #search: PlatformSearch;
  #sid = '';

  constructor(client: SplunkdClient, token: string, user: string, search: PlatformSearch) {
    const namespace = { owner: user, app: search.app };
    this.#call = (call) => client.call({ token, namespace, anyStatus: true, ...call });
    this.#search = search;
  }

  /** @throws Fault `search_failed`, `too_many_searches`, `store_unavailable`; OutboundError `timeout` */
  async rows(upstream: Upstream): Promise<PlatformRows> {
    upstream.signal.throwIfAborted();
    const ends =
      performance.now() + Math.min(this.#search.timeoutS * 1000, Math.max(0, upstream.remaining() - READ_MS));
    await this.#dispatch(ends);
    let isOver = false;
    try {
      const content = await this.#untilDone(ends, upstream.signal);
      const rows = await this.#read(content);
      isOver = true;
      return rows;
    } finally {
      if (!isOver) await this.#control('cancel').catch(() => {});
    }
  }

  async #dispatch(ends: number): Promise<void> {
    const { search, earliest, latest, enableLookups } = this.#search;
    const reply = await this.#call({
      method: 'POST',
      endpoint: 'search/jobs',
      timeoutMs: DISPATCH_MS,
      form: {
        search: /^\s*(?:\||search(?:\s|$))/i.test(search) ? search : `search ${search}`,
        ...{ exec_mode: 'normal', earliest_time: earliest, latest_time: latest },
        max_time: String(Math.max(1, Math.ceil((ends - performance.now()) / 1000))),
        auto_cancel: String(AUTO_CANCEL_S),
        ...{ preview: '0', status_buckets: '0', label: APP },
        ...(enableLookups ? {} : { enable_lookups: '0' }),
      },
    });
    const sid = reply.status === 201 || reply.status === 200 ? objectOf(reply).sid : undefined;
    if (typeof sid !== 'string' || sid === '') throw refusal('the search', reply);
    this.#sid = sid;
  }

  /** Polls until the job has ended; one whose time is over is ended with the rows that it has. */
  async #untilDone(ends: number, signal: AbortSignal): Promise<JobContent> {
    let isFinalized = false;
    let stops = ends;
    for (let pause = FIRST_POLL_MS; ; pause = Math.min(2 * pause, LONGEST_POLL_MS)) {
      await sleep(Math.max(0, Math.min(pause, stops - performance.now())), undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
      const content = await this.#content();
      if (content && isTrue(content.isFailed)) throw this.#failure(content);
      if (content && isTrue(content.isDone))
        return { ...content, isFinalized: isFinalized || isTrue(content.isFinalized) };
      if (performance.now() < stops) continue;
      if (isFinalized) throw this.#late();
      if (content === undefined || isWaiting(content)) throw this.#notBegun();
      isFinalized = true;
      stops = performance.now() + READ_MS / 2;
      pause = FIRST_POLL_MS;
      await this.#control('finalize');
    }
  }

  /** Undefined for a job that was just dispatched, and while the platform is busy. */
  async #content(): Promise<JobContent | undefined> {
    const reply = await this.#call({ method: 'GET', endpoint: this.#path() });
    if (reply.status === 204 || reply.status === 429 || reply.status >= 500) return undefined;
    if (reply.status === 404) throw new Fault('search_failed', 'The search was cancelled', { sid: this.#sid });
    if (reply.status !== 200) throw refusal('a look at the search', reply);
    const { entry } = objectOf(reply) as { entry?: { content?: JobContent }[] };
    return Array.isArray(entry) ? entry[0]?.content : undefined;
  }

  async #read(content: JobContent): Promise<PlatformRows> {
    const sid = this.#sid;
    const ofJob = messagesIn(content.messages);
    if (ofJob.some(isError)) throw this.#failure(content);
    const reply = await this.#call({
      method: 'GET',
      endpoint: `search/v2/jobs/${encodeURIComponent(sid)}/results`,
      query: { count: String(this.#search.maxRows), offset: '0' },
    });
    if (reply.status !== 200 && reply.status !== 204) throw refusal('a read of the results', reply);
    const { fields, results, messages } = objectOf(reply);
    const rows = (Array.isArray(results) ? results : []) as PlatformRows['rows'];
    const names = (Array.isArray(fields) ? fields : []).map((field) => String(Object(field).name ?? field));
    const isCut = isTrue(content.isFinalized);
    if (isCut && rows.length === 0) throw this.#late();
    const total = Math.max(rows.length, Number(content.resultCount) || 0);
    const isFull = isTrue(content.resultIsStreaming) && total >= MOST_EVENTS;
    const { earliestTime: earliest, latestTime: latest } = content;
    return {
      ...{ sid, fields: names.length > 0 ? names : namesIn(rows), rows, total, isPartial: isCut || isFull },
      ...(typeof earliest === 'string' ? { earliest } : {}),
      ...(typeof latest === 'string' ? { latest } : {}),
      messages: distinct([...(isCut ? [this.#cut()] : []), ...ofJob, ...messagesIn(messages)]),
    };
  }

  #control(action: 'cancel' | 'finalize') {
    return this.#call({ method: 'POST', endpoint: `${this.#path()}/control`, form: { action } });
  }

  #path = (): string => `search/jobs/${encodeURIComponent(this.#sid)}`;

  #failure = (content: JobContent): Fault =>
    searchFault(messagesIn(content.messages), 'The search failed, and the platform does not say why', this.#sid);

  #notBegun(): Fault {
    const message = `The search was still queued after ${this.#search.timeoutS} s, so it was cancelled. Other searches use up the quota of this user or of the platform.`;
    return tooManySearches(message, { sid: this.#sid });
  }

  #late = (): OutboundError =>
    new OutboundError(
      'timeout',
      `The search found nothing within ${this.#search.timeoutS} s. Narrow its range of time or what it reads.`,
    );

  #cut = (): PlatformMessage => ({
    type: 'WARN',
    text: `The search was stopped after ${this.#search.timeoutS} s. These are the rows that it had by then: narrow its range of time or what it reads.`,
  });
}

const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1';

const isWaiting = ({ dispatchState }: JobContent): boolean => dispatchState === 'QUEUED' || dispatchState === 'PARSING';

const namesIn = (rows: PlatformRows['rows']): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

const distinct = (messages: readonly PlatformMessage[]): PlatformMessage[] => [
  ...new Map(messages.map((message) => [message.text, message])).values(),
];
