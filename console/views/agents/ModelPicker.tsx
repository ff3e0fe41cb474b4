import type { AgentLlm } from '../../../client/src/index.ts';
import { Stack } from '../../app/styles.ts';
import { NumberBox } from '../../parts/boxes.tsx';
import type { FieldProps } from '../../parts/form/spec.ts';
import { type ChosenModel, SavedModel } from '../../parts/SavedModel.tsx';

type ModelValue = ChosenModel & Pick<AgentLlm, 'max_tokens' | 'response_variability'>;

/** Chooses the model of an agent, with its limits. */
export function ModelPicker({ value, error, onChange }: FieldProps) {
  const { max_tokens, response_variability, ...model } = (value ?? {}) as ModelValue;
  const put = (change: ModelValue, chosenModel: ChosenModel = model) => {
    const chosen = Object.entries({ ...chosenModel, max_tokens, response_variability, ...change });
    onChange(Object.fromEntries(chosen.filter(([, member]) => member !== undefined)));
  };
  return (
    <Stack>
      <SavedModel
        withAliases
        value={model}
        hasError={error !== undefined}
        onChange={(chosen) => (Object.keys(chosen).length === 0 ? onChange(undefined) : put({}, chosen))}
      />
      {model.model !== undefined && (
        <>
          <NumberBox
            label="Max output tokens"
            help="Leave empty for the limit of the model"
            value={max_tokens}
            min={1}
            onChange={(next) => put({ max_tokens: next })}
          />
          <NumberBox
            label="Variability"
            help="0 (most predictable) to 1"
            value={response_variability}
            min={0}
            max={1}
            step={0.1}
            onChange={(next) => put({ response_variability: next })}
          />
        </>
      )}
    </Stack>
  );
}
