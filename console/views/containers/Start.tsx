import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import type { useForm } from '../../app/url.ts';
import { lazyPart } from '../../parts/lazyPart.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { Dialog } from '../../parts/panel/Dialog.tsx';
import type { ModelContainer } from './data.ts';

const StartDialog = lazyPart(() => import('./StartDialog.tsx'));

/** The choices of the start form, read when it opens. */
export const useOffer = (enabled = true) =>
  useRead({ queryKey: ['start-form'], queryFn: ({ signal }) => ml.call('getStartForm', {}, { signal }), enabled });

export function Start({ from, form }: { from?: ModelContainer; form: ReturnType<typeof useForm> }) {
  const { data, error, refetch } = useOffer();
  if (data) return <StartDialog offer={data} from={from} onClose={form.close} onStarted={form.closeFor} />;
  if (!error) return null;
  return (
    <Dialog title="Start a container" onClose={form.close}>
      <Problem error={error} onRetry={() => refetch()} />
    </Dialog>
  );
}
