import { useState } from 'react';
import { useRefusal } from '../../api/rights.ts';
import { useUrl } from '../../app/url.ts';
import { Action } from '../../parts/Action.tsx';
import { lazyPart } from '../../parts/lazyPart.tsx';
import type { Running } from './data.ts';
import { Start } from './Start.tsx';

const Logs = lazyPart(() => import('./Logs.tsx'));

export function Actions({ container }: { container: Running }) {
  const { model, status } = container;
  const [url, go] = useUrl();
  const refusal = useRefusal();
  const [isStarting, setIsStarting] = useState(false);
  const hasEnded = status === 'Failed' || status === 'Stopped';
  return (
    <>
      <Action label="Logs" onClick={() => go({ logs: model })} refusal={refusal('getContainerLogs')} />
      <Action
        label="Start anew"
        onClick={() => setIsStarting(true)}
        refusal={refusal('startContainer') ?? (hasEnded ? undefined : 'It is running: stop it first')}
      />
      {isStarting && <Start from={container} onClose={() => setIsStarting(false)} />}
      {url.get('logs') === model && <Logs model={model} onClose={() => go({ logs: undefined })} />}
    </>
  );
}
