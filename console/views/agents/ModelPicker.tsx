import ControlGroup from '@splunk/react-ui/ControlGroup';
import NumberControl from '@splunk/react-ui/Number';
import type { AgentLlm } from '../../../client/src/index.ts';
import { Stack } from '../../app/styles.ts';
import type { FieldProps } from '../../parts/form/spec.ts';
import { type ChosenModel, SavedModel } from '../../parts/SavedModel.tsx';

type Chosen = ChosenModel & Pick<AgentLlm, 'max_tokens' | 'response_variability'>;

/** Chooses the model of an agent, with its limits. */
export function ModelPicker({ value, error, onChange }: FieldProps) {
  const { max_tokens, response_variability, ...model } = (value ?? {}) as Chosen;
  const put = (change: Chosen, chosenModel: ChosenModel = model) => {
    const chosen = Object.entries({ ...chosenModel, max_tokens, response_variability, ...change });
    onChange(Object.fromEntries(chosen.filter(([, one]) => one !== undefined)));
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
          <ControlGroup label="Max output tokens" labelPosition="top" help="Leave empty for the limit of the model">
            <NumberControl
              value={max_tokens}
              min={1}
              roundTo={0}
              onChange={(_event, change) => put({ max_tokens: change.value })}
            />
          </ControlGroup>
          <ControlGroup label="Variability" labelPosition="top" help="0 (most predictable) to 1">
            <NumberControl
              value={response_variability}
              min={0}
              max={1}
              step={0.1}
              onChange={(_event, change) => put({ response_variability: change.value })}
            />
          </ControlGroup>
        </>
      )}
    </Stack>
  );
}
