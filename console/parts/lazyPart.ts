import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { retryLoad } from './retryLoad.ts';

/** A part of the pages that is loaded when it is first drawn. What cannot be loaded is told by the page's guard. */
// biome-ignore lint/suspicious/noExplicitAny: what React says of a component whose properties it does not look at
export function lazyPart<T extends ComponentType<any>>(load: () => Promise<{ default: T }>): LazyExoticComponent<T> {
  return lazy(() => retryLoad(load));
}
