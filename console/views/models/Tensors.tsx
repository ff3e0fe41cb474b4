import type { ModelTensor } from '../../../client/src/index.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { shapeWords } from './words.ts';

interface TensorsProps {
  model: string;
  inputs: readonly ModelTensor[];
  outputs: readonly ModelTensor[];
}

/** What an uploaded model is given, and what it answers. */
export function Tensors({ model, inputs, outputs }: TensorsProps) {
  const tensors = [
    ...inputs.map((tensor) => ['Input', tensor] as const),
    ...outputs.map((tensor) => ['Output', tensor] as const),
  ];
  return (
    <DataTable
      label={`Inputs and outputs of ${model}`}
      heads={[{ label: 'Kind' }, { label: 'Name' }, { label: 'Type' }, { label: 'Shape' }]}
      rows={tensors.map(([kind, tensor]) => ({
        key: `${kind} ${tensor.name}`,
        cells: [kind, tensor.name, tensor.type ?? 'not used', shapeWords(tensor)],
      }))}
    />
  );
}
