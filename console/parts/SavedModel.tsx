import ControlGroup from '@splunk/react-ui/ControlGroup';
import Select from '@splunk/react-ui/Select';
import Text from '@splunk/react-ui/Text';
import { ml } from '../api/client.ts';
import { describeError } from '../api/problems.ts';
import { useRead } from '../api/queries.ts';
import { Stack } from '../app/styles.ts';
import { Loading } from './table/States.tsx';

/** An LLM configuration; incomplete while its parts are typed. */
export interface ChosenModel {
  service?: string;
  connection_name?: string;
  model?: string;
}

interface SavedModelProps {
  value: ChosenModel;
  hasError: boolean;
  onChange(value: ChosenModel): void;
}

const NONE = '';
const PARTS = { service: 'Service', connection_name: 'Connection', model: 'Model' } as const;
const keyOf = ({ service, connection_name, model }: ChosenModel): string =>
  model === undefined ? NONE : JSON.stringify([service, connection_name, model]);
const wordsOf = ({ service, connection_name, model }: ChosenModel): string =>
  `${model} (${service}, ${connection_name})`;

/** Chooses a saved LLM configuration. Users who may not list them type its parts. */
export function SavedModel({ value, hasError, onChange }: SavedModelProps) {
  const { data: choices, error } = useRead({
    queryKey: ['llm', 'choices'],
    queryFn: async ({ signal }): Promise<ChosenModel[]> => {
      const { result = [] } = await ml.call('listLlmConfigurations', { query: { count: 0 } }, { signal });
      return result
        .filter(({ is_saved, is_model_saved }) => is_saved && is_model_saved)
        .map(({ service, connection_name, model }) => ({ service, connection_name, model }));
    },
  });
  if (choices) {
    const isListed = choices.some((choice) => keyOf(choice) === keyOf(value));
    const all = isListed || keyOf(value) === NONE ? choices : [value, ...choices];
    return (
      <ControlGroup label="Saved model" labelPosition="top">
        <Select
          filter
          error={hasError}
          value={keyOf(value)}
          onChange={(_event, change) => onChange(all.find((choice) => keyOf(choice) === change.value) ?? {})}
        >
          <Select.Option label="No model" value={NONE} />
          {all.map((choice) => (
            <Select.Option key={keyOf(choice)} label={wordsOf(choice)} value={keyOf(choice)} />
          ))}
        </Select>
      </ControlGroup>
    );
  }
  // Temporary errors are retried.
  if (error === null || describeError(error).isPassing) return <Loading what="the models" />;
  return (
    <Stack>
      {(['service', 'connection_name', 'model'] as const).map((key) => (
        <ControlGroup key={key} label={PARTS[key]} labelPosition="top">
          <Text
            value={value[key] ?? ''}
            error={hasError}
            spellCheck={false}
            onChange={(_event, change) => onChange({ ...value, [key]: change.value })}
          />
        </ControlGroup>
      ))}
    </Stack>
  );
}
