import { type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { retryLoad } from './retryLoad.ts';

/** A component that is loaded when it is first drawn; the page's guard reports a failed load. @param fallback shown meanwhile */
// biome-ignore lint/suspicious/noExplicitAny: React's own constraint for any component
export function lazyPart<T extends ComponentType<any>>(load: () => Promise<{ default: T }>, fallback?: ReactNode) {
  const Part = lazy(() => retryLoad(load)) as ComponentType<ComponentProps<T>>;
  return (props: ComponentProps<T>) => (
    <Suspense fallback={fallback ?? null}>
      <Part {...props} />
    </Suspense>
  );
}
