import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useUrl } from '../../app/url.ts';
import { lazyPart } from '../../parts/lazyPart.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { Dialog } from '../../parts/panel/Dialog.tsx';
import type { Running } from './data.ts';

const StartDialog = lazyPart(() => import('./StartDialog.tsx'));

/** The choices of the start form, read when it opens. */
export const useOffer = (enabled = true) =>
  useRead({ queryKey: ['start-form'], queryFn: ({ signal }) => ml.call('getStartForm', {}, { signal }), enabled });

export function Start({ from, onClose }: { from?: Running; onClose(): void }) {
  const { data, error, refetch } = useOffer();
  const [, go] = useUrl();
  if (data)
    return (
      <StartDialog
        offer={data}
        from={from}
        onClose={onClose}
        onStarted={(model) => {
          onClose();
          go({ name: model });
        }}
      />
    );
  if (!error) return null;
  return (
    <Dialog title="Start a container" onClose={onClose}>
      <Problem error={error} onRetry={() => refetch()} />
    </Dialog>
  );
}
