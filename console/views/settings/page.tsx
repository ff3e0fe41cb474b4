import { createTab, Tabs } from '../../parts/Tabs.tsx';

const TABS = [
  createTab('features', 'Features', () => import('./Features.tsx')),
  createTab('images', 'Images', () => import('./Images.tsx')),
  createTab('move', 'Export and import', () => import('./Move.tsx')),
  createTab('api', 'API', () => import('./Api.tsx')),
] as const;

export default function Settings() {
  return <Tabs label="Parts of the settings" tabs={TABS} />;
}
