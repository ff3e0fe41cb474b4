import Heading from '@splunk/react-ui/Heading';
import { lazy } from 'react';
import { Stack } from '../../app/styles.ts';
import { type Tab, Tabs } from '../../parts/Tabs.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { id: 'features', label: 'Features', content: lazy(() => import('./Features.tsx')) },
  { id: 'images', label: 'Images', content: lazy(() => import('./Images.tsx')) },
  { id: 'move', label: 'Export and import', content: lazy(() => import('./Move.tsx')) },
  { id: 'api', label: 'API', content: lazy(() => import('./Api.tsx')) },
];

export default function Settings() {
  return (
    <Stack>
      <Heading level={1} tabIndex={-1}>
        Settings
      </Heading>
      <Tabs label="Parts of the settings" tabs={TABS} />
    </Stack>
  );
}
