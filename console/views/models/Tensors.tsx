import Heading from '@splunk/react-ui/Heading';
import type { ModelTensor } from '../../../client/src/index.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { shapeWords } from './words.ts';

interface TensorsProps {
  model: string;
  inputs: readonly ModelTensor[];
  outputs: readonly ModelTensor[];
}

/** The inputs and outputs of an uploaded model. */
export function Tensors({ model, inputs, outputs }: TensorsProps) {
  const tensors = [
    ...inputs.map((tensor) => ['Input', tensor] as const),
    ...outputs.map((tensor) => ['Output', tensor] as const),
  ];
  return (
    <section>
      <Heading level={3}>Inputs and outputs</Heading>
      <DataTable
        label={`Inputs and outputs of ${model}`}
        heads={[{ label: 'Name' }, { label: 'Kind' }, { label: 'Type' }, { label: 'Shape' }]}
        rows={tensors.map(([kind, tensor]) => ({
          key: `${kind} ${tensor.name}`,
          cells: [tensor.name, kind, tensor.type ?? 'not used', shapeWords(tensor)],
        }))}
      />
    </section>
  );
}
