import { useRefusal } from '../../../api/rights.ts';
import { useForm } from '../../../app/url.ts';
import { Action } from '../../../parts/Action.tsx';
import { lazyPart } from '../../../parts/lazyPart.tsx';

const PredictDialog = lazyPart(() => import('./PredictDialog.tsx'));

interface PredictActionProps {
  model: string;
  features: readonly string[];
}

/** The button in the panel of a model that can be applied to rows. */
export function PredictAction({ model, features }: PredictActionProps) {
  const refusal = useRefusal();
  const predicting = useForm('predict');
  return (
    <>
      <Action label="Predict" onClick={predicting.open} refusal={refusal('predict')} />
      {predicting.isOpen && <PredictDialog model={model} features={features} onClose={predicting.close} />}
    </>
  );
}
