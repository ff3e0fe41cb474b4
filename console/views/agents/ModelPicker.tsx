import ControlGroup from '@splunk/react-ui/ControlGroup';
import NumberControl from '@splunk/react-ui/Number';
import Select from '@splunk/react-ui/Select';
import Text from '@splunk/react-ui/Text';
import type { AgentLlm } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { describeError } from '../../api/problems.ts';
import { useRead } from '../../api/queries.ts';
import { Stack } from '../../app/styles.ts';
import type { FieldProps } from '../../parts/form/spec.ts';
import { Loading } from '../../parts/table/States.tsx';

type Chosen = Partial<Omit<AgentLlm, 'service'>> & { service?: string };

const NONE = '';
const keyOf = ({ service, connection_name, model }: Chosen): string =>
  model === undefined ? NONE : JSON.stringify([service, connection_name, model]);
const wordsOf = ({ service, connection_name, model }: Chosen): string => `${model} (${service}, ${connection_name})`;

/** Chooses a saved LLM configuration. Users who may not list them type its parts. */
export function ModelPicker({ value, error, onChange }: FieldProps) {
  const { data, error: failure } = useRead({
    queryKey: ['llm', 'choices'],
    queryFn: async ({ signal }): Promise<Chosen[]> => {
      const { result = [] } = await ml.call('listLlmConfigurations', { query: { count: 0 } }, { signal });
      return result.map(({ service, connection_name, model }) => ({ service, connection_name, model }));
    },
  });
  // Temporary errors are retried.
  const isError = failure !== null && !describeError(failure).isPassing;
  const chosen = (value ?? {}) as Chosen;
  const hasError = error !== undefined;
  const put = (change: Chosen) => onChange({ ...chosen, ...change });
  const choices = data ?? [];
  const isListed = choices.some((choice) => keyOf(choice) === keyOf(chosen));
  const all = isListed || keyOf(chosen) === NONE ? choices : [chosen, ...choices];
  const choose = (key: string) => {
    const { max_tokens, response_variability } = chosen;
    const options = { max_tokens, response_variability };
    const next = all.find((choice) => keyOf(choice) === key);
    onChange(
      next && Object.fromEntries(Object.entries({ ...next, ...options }).filter(([, one]) => one !== undefined)),
    );
  };
  if (!data && !isError) return <Loading what="the models" />;
  return (
    <Stack>
      {isError ? (
        (['service', 'connection_name', 'model'] as const).map((key) => (
          <ControlGroup key={key} label={PARTS[key]} labelPosition="top">
            <Text
              value={chosen[key] ?? ''}
              error={hasError}
              spellCheck={false}
              onChange={(_event, change) => put({ [key]: change.value })}
            />
          </ControlGroup>
        ))
      ) : (
        <ControlGroup label="Saved model" labelPosition="top">
          <Select
            filter
            error={hasError}
            value={keyOf(chosen)}
            onChange={(_event, change) => choose(String(change.value))}
          >
            <Select.Option label="No model" value={NONE} />
            {all.map((choice) => (
              <Select.Option key={keyOf(choice)} label={wordsOf(choice)} value={keyOf(choice)} />
            ))}
          </Select>
        </ControlGroup>
      )}
      {chosen.model !== undefined && (
        <>
          <ControlGroup label="Max output tokens" labelPosition="top" help="Leave empty for the limit of the model">
            <NumberControl
              value={chosen.max_tokens}
              min={1}
              roundTo={0}
              onChange={(_event, change) => put({ max_tokens: change.value })}
            />
          </ControlGroup>
          <ControlGroup label="Variability" labelPosition="top" help="0 (most predictable) to 1">
            <NumberControl
              value={chosen.response_variability}
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

const PARTS = { service: 'Service', connection_name: 'Connection', model: 'Model' } as const;
