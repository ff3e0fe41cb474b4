import Heading from '@splunk/react-ui/Heading';
import { Stack } from '../../app/styles.ts';
import { lazyPart } from '../../parts/lazyPart.ts';
import { type Tab, Tabs } from '../../parts/Tabs.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { id: 'features', label: 'Features', content: lazyPart(() => import('./Features.tsx')) },
  { id: 'images', label: 'Images', content: lazyPart(() => import('./Images.tsx')) },
  { id: 'move', label: 'Export and import', content: lazyPart(() => import('./Move.tsx')) },
  { id: 'api', label: 'API', content: lazyPart(() => import('./Api.tsx')) },
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
