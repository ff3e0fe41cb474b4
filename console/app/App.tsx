import { AnimationToggleProvider } from '@splunk/react-ui/AnimationToggle';
import { QueryClientProvider } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense } from 'react';
import type { ConsoleView } from '../../src/contract/consoleViews.ts';
import { queries } from '../api/queries.ts';
import { useFreshRights } from '../api/rights.ts';
import { useSessionIsOver } from '../api/session.ts';
import { lazyPart } from '../parts/lazyPart.ts';
import { Problem } from '../parts/Problem.tsx';
import { describeLoadFailure } from '../parts/retryLoad.ts';
import { Loading } from '../parts/table/States.tsx';
import { Notices } from './Notices.tsx';
import { Everywhere, Page } from './styles.ts';

const SessionDialog = lazyPart(() => import('./SessionDialog.tsx'));

const VIEWS: Readonly<Record<ConsoleView, ReturnType<typeof lazyPart>>> = {
  overview: lazyPart(() => import('../views/overview/page.tsx')),
  connections: lazyPart(() => import('../views/connections/page.tsx')),
  containers: lazyPart(() => import('../views/containers/page.tsx')),
  agents: lazyPart(() => import('../views/agents/page.tsx')),
  experiments: lazyPart(() => import('../views/experiments/page.tsx')),
  models: lazyPart(() => import('../views/models/page.tsx')),
  audit: lazyPart(() => import('../views/audit/page.tsx')),
  settings: lazyPart(() => import('../views/settings/page.tsx')),
};

const prefersStillness = window.matchMedia('(prefers-reduced-motion: reduce)').matches;

export function App({ view }: { view: ConsoleView }) {
  const View = VIEWS[view];
  return (
    <AnimationToggleProvider enabled={!prefersStillness}>
      <QueryClientProvider client={queries}>
        <Everywhere />
        <Rights />
        <Page>
          <Notices />
          <Guard>
            <Suspense fallback={<Loading what="the page" />}>
              <View />
            </Suspense>
          </Guard>
        </Page>
        <Session />
      </QueryClientProvider>
    </AnimationToggleProvider>
  );
}

/** Draws nothing, and lives as long as the page. */
function Rights() {
  useFreshRights();
  return null;
}

/** Asks to log in again once the platform no longer knows the session. */
function Session() {
  return useSessionIsOver() ? (
    <Suspense fallback={null}>
      <SessionDialog />
    </Suspense>
  ) : null;
}

/** A fault of the page itself is told, in place of an empty page. */
class Guard extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const again = () => window.location.reload();
    return <Problem error={error} note={describeLoadFailure(error)} onRetry={again} />;
  }
}
