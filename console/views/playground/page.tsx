import { createTab, Tabs } from '../../parts/Tabs.tsx';

const TABS = [
  createTab('conversation', 'Conversation', () => import('./conversation/tab.tsx')),
  createTab('tool', 'Tool', () => import('./tool/tab.tsx')),
  createTab('retrieve', 'Retrieve', () => import('./retrieve/tab.tsx')),
  createTab('predict', 'Predict', () => import('./predict/tab.tsx')),
] as const;

export default function Playground() {
  return <Tabs label="What to try" tabs={TABS} />;
}
