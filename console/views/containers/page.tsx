import { useMemo, useState } from 'react';
import { useRefusal } from '../../api/rights.ts';
import { Stack } from '../../app/styles.ts';
import { Action } from '../../parts/Action.tsx';
import { ResourcePage } from '../../parts/panel/ResourcePage.tsx';
import { CONTAINERS } from './resource.tsx';
import { Start, useOffer } from './Start.tsx';

export default function Containers() {
  const refusal = useRefusal();
  const [isStarting, setIsStarting] = useState(false);
  const { isPending } = useOffer(isStarting);
  const why = refusal('startContainer');
  const isBusy = isStarting && isPending;
  const resource = useMemo(
    () => ({
      ...CONTAINERS,
      newButton: (
        <Action label="Start" appearance="primary" refusal={why} busy={isBusy} onClick={() => setIsStarting(true)} />
      ),
    }),
    [why, isBusy],
  );
  return (
    <Stack>
      <ResourcePage resource={resource} />
      {isStarting && <Start onClose={() => setIsStarting(false)} />}
    </Stack>
  );
}
