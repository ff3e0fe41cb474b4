import Message from '@splunk/react-ui/Message';
import { useSyncExternalStore } from 'react';

let shown: readonly string[] = [];
const listeners = new Set<() => void>();

function show(texts: readonly string[]): void {
  shown = texts;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What is worth knowing of a call although it was done, until somebody has read it or the next call says something else. */
export function warned<T extends { warnings?: readonly string[] }>(reply: T): T {
  show(reply.warnings ?? []);
  return reply;
}

/** The warnings of the last call that could have had any. */
export function LastWarnings() {
  const texts = useSyncExternalStore(subscribe, () => shown);
  if (texts.length === 0) return null;
  return (
    <Message type="warning" appearance="fill" role="status" onRequestRemove={() => show([])}>
      <strong>It was done, but:</strong>
      {texts.map((text) => (
        <div key={text}>{text}</div>
      ))}
    </Message>
  );
}
