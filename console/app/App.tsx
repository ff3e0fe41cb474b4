import { AnimationToggleProvider } from '@splunk/react-ui/AnimationToggle';
import Heading from '@splunk/react-ui/Heading';
import { QueryClientProvider } from '@tanstack/react-query';
import { Component, type ComponentType, type ReactNode } from 'react';
import { CONSOLE_VIEWS, type ConsoleView } from '../../src/contract/consoleViews.ts';
import { queries } from '../api/queries.ts';
import { useFreshRights } from '../api/rights.ts';
import { useSessionIsOver } from '../api/session.ts';
import { lazyPart } from '../parts/lazyPart.tsx';
import { Problem } from '../parts/Problem.tsx';
import { describeLoadFailure } from '../parts/retryLoad.ts';
import { Loading } from '../parts/table/States.tsx';
import { Notices } from './Notices.tsx';
import { Everywhere, Page, Stack } from './styles.ts';

const SessionDialog = lazyPart(() => import('./SessionDialog.tsx'));

function createView(load: () => Promise<{ default: ComponentType }>) {
  const loadWithTitle = async () => {
    const { default: Content } = await load();
    return {
      default: ({ title }: { title: string }) => (
        <Stack>
          <Heading level={1} tabIndex={-1}>
            {title}
          </Heading>
          <Content />
        </Stack>
      ),
    };
  };
  return lazyPart(loadWithTitle, <Loading what="the page" />);
}

const VIEWS: Readonly<Record<ConsoleView, ReturnType<typeof createView>>> = {
  overview: createView(() => import('../views/overview/page.tsx')),
  connections: createView(() => import('../views/connections/page.tsx')),
  containers: createView(() => import('../views/containers/page.tsx')),
  agents: createView(() => import('../views/agents/page.tsx')),
  playground: createView(() => import('../views/playground/page.tsx')),
  experiments: createView(() => import('../views/experiments/resource.tsx')),
  models: createView(() => import('../views/models/page.tsx')),
  usage: createView(() => import('../views/usage/page.tsx')),
  audit: createView(() => import('../views/audit/page.tsx')),
  settings: createView(() => import('../views/settings/page.tsx')),
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
            <View title={CONSOLE_VIEWS[view]} />
          </Guard>
        </Page>
        <Session />
      </QueryClientProvider>
    </AnimationToggleProvider>
  );
}

/** Renders nothing; keeps the rights fresh. */
function Rights() {
  useFreshRights();
  return null;
}

/** Asks to log in again once the platform no longer knows the session. */
function Session() {
  return useSessionIsOver() ? <SessionDialog /> : null;
}

/** Shows an error of the page in place of an empty page. */
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
