import TabBar from '@splunk/react-ui/TabBar';
import type { ComponentType } from 'react';
import { useUrl } from '../app/url.ts';
import { lazyPart } from './lazyPart.tsx';
import { Loading } from './table/States.tsx';

export interface Tab {
  id: string;
  label: string;
  content: ComponentType;
}

/** A tab whose content is loaded when it is opened. */
export const createTab = (id: string, label: string, load: () => Promise<{ default: ComponentType }>): Tab => ({
  id,
  label,
  content: lazyPart(load, <Loading what={label} />),
});

/** The address has the open tab; a change of the tab clears the rest of it. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly [Tab, ...Tab[]] }) {
  const [url, go] = useUrl();
  const active = tabs.find(({ id }) => id === url.get('tab')) ?? tabs[0];
  const Content = active.content;
  const open = (tab: string | undefined) => {
    const left = Object.fromEntries([...url.keys()].map((key) => [key, undefined]));
    go({ ...left, tab: tab === tabs[0].id ? undefined : tab });
  };
  return (
    <>
      <TabBar
        activeTabId={active.id}
        aria-label={label}
        style={{ flexWrap: 'wrap' }}
        onChange={(_event, { selectedTabId }) => open(selectedTabId)}
      >
        {tabs.map((tab) => (
          <TabBar.Tab key={tab.id} tabId={tab.id} label={tab.label} ariaControls="tab-content" />
        ))}
      </TabBar>
      <div id="tab-content" role="tabpanel" aria-label={active.label}>
        <Content key={active.id} />
      </div>
    </>
  );
}
