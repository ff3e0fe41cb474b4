import { createTab, Tabs } from '../../parts/Tabs.tsx';

const TABS = [
  createTab('uses', 'Usage', () => import('./uses/tab.tsx')),
  createTab('limits', 'Limits', () => import('./limits/tab.tsx')),
] as const;

export default function Usage() {
  return <Tabs label="Usage and limits" tabs={TABS} />;
}
