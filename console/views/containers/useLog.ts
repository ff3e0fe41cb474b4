import { useEffect, useState } from 'react';
import { followLog, type Reply } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useIsPageActive, useRead } from '../../api/queries.ts';

export type Line = Reply<'getContainerLogs'>['container_logs']['entries'][number];

/** Which part of the log is asked for. */
export interface LogRange {
  /** Number of the newest lines. */
  tail: string;
  /** Seconds before now; empty = the whole log. */
  since: string;
  /** The instance before the last crash. */
  previous: boolean;
  follow: boolean;
}

interface Log {
  lines: readonly Line[] | undefined;
  error: unknown;
  isBusy: boolean;
  /** The container was stopped while it was followed. */
  hasEnded: boolean;
  again(): void;
}

const MOST_LINES = 10_000;
/** Lines arrive one by one and are drawn together. */
const RENDER_MS = 250;

/** Reads or follows the log of a container. */
export function useLog(model: string, range: LogRange): Log {
  const { tail, since, previous, follow } = range;
  const once = useRead({
    queryKey: ['container-log', model, tail, since, previous],
    async queryFn({ signal }) {
      const payload = { model, tail, since, previous: previous ? ('true' as const) : ('false' as const) };
      return (await ml.call('getContainerLogs', { body: { payload } }, { signal })).container_logs.entries;
    },
    enabled: !follow,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const followed = useFollowed(model, range);
  if (follow) return followed;
  const again = () => void once.refetch();
  return { lines: once.data, error: once.error, isBusy: once.isFetching, hasEnded: false, again };
}

function useFollowed(model: string, { tail, since, follow }: LogRange): Log {
  const isVisible = useIsPageActive();
  const [tries, setTries] = useState(0);
  const [lines, setLines] = useState<readonly Line[]>();
  const [error, setError] = useState<unknown>();
  const [hasEnded, setHasEnded] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads from the start when `tries` changes
  useEffect(() => {
    if (!follow || !isVisible) return;
    const abort = new AbortController();
    let arrived: Line[] = [];
    let isFirst = true;
    const show = () => {
      if (arrived.length === 0) return;
      const next = arrived;
      const begins = isFirst;
      arrived = [];
      isFirst = false;
      setLines((before = []) => [...(begins ? [] : before), ...next].slice(-MOST_LINES));
    };
    const timer = setInterval(show, RENDER_MS);
    const run = async () => {
      const from = since === '' ? {} : { since };
      for await (const line of followLog(ml, model, { tail: Number(tail), ...from, signal: abort.signal }))
        arrived.push(line);
      show();
      setHasEnded(true);
    };
    setError(undefined);
    setHasEnded(false);
    run().catch((problem) => {
      if (!abort.signal.aborted) setError(problem);
    });
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [model, tail, since, follow, isVisible, tries]);
  return { lines: lines ?? [], error, isBusy: false, hasEnded, again: () => setTries(tries + 1) };
}
