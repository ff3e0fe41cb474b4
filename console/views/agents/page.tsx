import { createTab, Tabs } from '../../parts/Tabs.tsx';

const TABS = [
  createTab('agents', 'Agents', () => import('./resource.tsx')),
  createTab('runs', 'Runs', () => import('./runs/tab.tsx')),
] as const;

export default function Agents() {
  return <Tabs label="Agents and runs" tabs={TABS} />;
}
