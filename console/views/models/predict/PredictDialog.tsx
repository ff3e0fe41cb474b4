import Button from '@splunk/react-ui/Button';
import { Dialog } from '../../../parts/panel/Dialog.tsx';
import { PredictFields, usePrediction } from './prediction.tsx';

interface PredictProps {
  model: string;
  features: readonly string[];
  onClose(): void;
}

/** Applies a model to pasted rows, or to those of a file. */
export default function PredictDialog({ model, features, onClose }: PredictProps) {
  const prediction = usePrediction(model, features);
  return (
    <Dialog
      title={`Predict with ${model}`}
      width={800}
      onClose={onClose}
      footer={
        <>
          <Button label="Close" onClick={onClose} />
          <Button label="Predict" appearance="primary" disabled={prediction.isRunning} onClick={prediction.predict} />
        </>
      }
    >
      <PredictFields prediction={prediction} />
    </Dialog>
  );
}
