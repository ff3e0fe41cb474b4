/** Started processes; they are ended in reverse order. */
const open = new Set<() => Promise<void> | void>();
let ending: Promise<void> | undefined;

/** Registers an end; the returned function does it once and forgets it. */
export function atEnd(end: () => Promise<void> | void): () => Promise<void> {
  open.add(end);
  return async () => {
    if (open.delete(end)) await end();
  };
}

export function endAll(): Promise<void> {
  ending ??= (async () => {
    for (const end of [...open].reverse()) {
      try {
        await end();
      } catch (error) {
        process.stderr.write(`could not be ended: ${(error as Error).message}\n`);
      }
    }
    open.clear();
  })();
  return ending;
}

/** A run that is broken off leaves nothing behind. */
export function endOnSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      void endAll().finally(() => process.exit(code));
    });
  }
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack}\n`);
    void endAll().finally(() => process.exit(1));
  });
}
