import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** Pauses before what could not be loaded is asked for again, in milliseconds. */
const PAUSES_MS = [300, 1000, 3000];

/** A part of the pages could not be loaded, however often it was asked for. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super('A part of this page could not be loaded', { cause });
  }
}

/** @throws PartMissing */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await load();
    } catch {
      // A machine that changes its network drops what is under way.
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return load().catch((cause) => {
    throw new PartMissing(cause);
  });
}

/** A part of the pages that is loaded when it is first drawn. What cannot be loaded is told by the page's guard. */
// biome-ignore lint/suspicious/noExplicitAny: what React says of a component whose properties it does not look at
export function part<T extends ComponentType<any>>(load: () => Promise<{ default: T }>): LazyExoticComponent<T> {
  return lazy(() => patiently(load));
}
