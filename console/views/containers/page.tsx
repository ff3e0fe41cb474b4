import { useRefusal } from '../../api/rights.ts';
import { Stack } from '../../app/styles.ts';
import { useForm } from '../../app/url.ts';
import { Action } from '../../parts/Action.tsx';
import { ResourcePage } from '../../parts/panel/ResourcePage.tsx';
import { CONTAINERS } from './resource.tsx';
import { Start, useOffer } from './Start.tsx';

export default function Containers() {
  const refusal = useRefusal();
  const starting = useForm('start');
  const { isPending } = useOffer(starting.isOpen);
  const start = (
    <Action
      label="Start"
      appearance="primary"
      refusal={refusal('startContainer')}
      busy={starting.isOpen && isPending}
      onClick={starting.open}
    />
  );
  return (
    <Stack>
      <ResourcePage resource={{ ...CONTAINERS, newButton: start }} />
      {starting.isOpen && <Start form={starting} />}
    </Stack>
  );
}
