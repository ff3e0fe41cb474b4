import { useState } from 'react';
import { Problem } from './Problem.tsx';
import type { RecordPlace } from './remedies.ts';
import { Loading } from './table/States.tsx';

/** One call at a time that a person started and can stop. `K` names the kinds of calls. */
export interface Work<K extends string> {
  running: K | undefined;
  failure: unknown;
  start(kind: K, call: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
  stop(): void;
  clear(): void;
}

/** Stopping a call is not a failure. */
export function useWork<K extends string>(): Work<K> {
  const [current, setCurrent] = useState<{ kind: K; abort: AbortController }>();
  const [failure, setFailure] = useState<unknown>();
  return {
    running: current?.kind,
    failure,
    async start(kind, call) {
      const abort = new AbortController();
      setCurrent({ kind, abort });
      setFailure(undefined);
      try {
        await call(abort.signal);
      } catch (error) {
        if (!abort.signal.aborted) setFailure(error);
      } finally {
        setCurrent(undefined);
      }
    },
    stop: () => current?.abort.abort(),
    clear: () => setFailure(undefined),
  };
}

interface WorkStateProps<K extends string> {
  work: Work<K>;
  /** Is waited for; without it only the failure is shown. */
  what?: string;
  /** The record of the call. */
  record?: RecordPlace | undefined;
}

/** Progress and failure of such a call. */
export function WorkState<K extends string>({ work, what, record }: WorkStateProps<K>) {
  return (
    <>
      {work.running && what && <Loading what={what} onStop={work.stop} />}
      {work.failure !== undefined && <Problem error={work.failure} record={record} />}
    </>
  );
}

interface ReadStateProps {
  read: { data: unknown; error: unknown; refetch(): unknown };
  what: string;
  note?: string;
  /** The record that is read. */
  record?: RecordPlace | undefined;
}

/** Progress and failure of a read, beside earlier data if there is any. */
export function ReadState({ read: { data, error, refetch }, what, note, record }: ReadStateProps) {
  const about = note ?? (data ? 'Showing earlier data.' : undefined);
  if (error) return <Problem error={error} note={about} record={record} onRetry={() => refetch()} />;
  return data ? null : <Loading what={what} />;
}
