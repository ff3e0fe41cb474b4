import { useRefusal } from '../../api/rights.ts';
import { useForm, useUrl } from '../../app/url.ts';
import { Action } from '../../parts/Action.tsx';
import { lazyPart } from '../../parts/lazyPart.tsx';
import type { ModelContainer } from './data.ts';
import { Start } from './Start.tsx';

const Logs = lazyPart(() => import('./Logs.tsx'));

export function Actions({ container }: { container: ModelContainer }) {
  const { model, status } = container;
  const [url, go] = useUrl();
  const refusal = useRefusal();
  const starting = useForm('again');
  const hasEnded = status === 'Failed' || status === 'Stopped';
  return (
    <>
      <Action label="Logs" onClick={() => go({ logs: model })} refusal={refusal('getContainerLogs')} />
      <Action
        label="Start again"
        onClick={starting.open}
        refusal={refusal('startContainer') ?? (hasEnded ? undefined : 'It is running: stop it first')}
      />
      {starting.isOpen && <Start from={container} form={starting} />}
      {url.get('logs') === model && <Logs model={model} onClose={() => go({ logs: undefined })} />}
    </>
  );
}
