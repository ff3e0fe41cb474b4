import ControlGroup from '@splunk/react-ui/ControlGroup';
import Select from '@splunk/react-ui/Select';
import Text from '@splunk/react-ui/Text';
import { ml } from '../api/client.ts';
import { describeError } from '../api/problems.ts';
import { useRead } from '../api/queries.ts';
import { Stack } from '../app/styles.ts';
import { Loading } from './table/States.tsx';

/** An LLM configuration, or a model reference as `model` alone; incomplete while its parts are typed. */
export interface ChosenModel {
  service?: string;
  connection_name?: string;
  model?: string;
}

interface SavedModelProps {
  value: ChosenModel;
  hasError: boolean;
  /** Also offers model aliases. */
  withAliases?: true;
  onChange(value: ChosenModel): void;
}

const NONE = '';
const PARTS = { service: 'Service', connection_name: 'Connection', model: 'Model' } as const;
const keyOf = ({ service, connection_name, model }: ChosenModel): string =>
  model === undefined ? NONE : JSON.stringify([service, connection_name, model]);
const wordsOf = ({ service, connection_name, model }: ChosenModel, aliases: readonly ChosenModel[] = []): string => {
  if (service !== undefined) return `${model} (${service}, ${connection_name})`;
  return `${model} (${aliases.some((alias) => alias.model === model) ? 'alias' : 'reference'})`;
};

async function readModels(signal: AbortSignal): Promise<ChosenModel[]> {
  const { result = [] } = await ml.call('listLlmConfigurations', { query: { count: 0 } }, { signal });
  return result
    .filter(({ is_saved, is_model_saved }) => is_saved && is_model_saved)
    .map(({ service, connection_name, model }) => ({ service, connection_name, model }));
}

async function readAliases(signal: AbortSignal): Promise<ChosenModel[]> {
  const { result = [] } = await ml.call('listModelAliases', { query: { count: 0 } }, { signal });
  return result.map(({ name }) => ({ model: name }));
}

/** Aliases need no right to list configurations. */
const orNone = (error: unknown): ChosenModel[] => {
  if (describeError(error).isPassing) throw error;
  return [];
};

const useChoices = (withAliases: boolean) =>
  useRead({
    queryKey: ['llm', 'choices', withAliases],
    queryFn: async ({ signal }) => {
      const aliases = withAliases ? await readAliases(signal).catch(orNone) : [];
      const models = readModels(signal);
      return { aliases, models: await (aliases.length > 0 ? models.catch(orNone) : models) };
    },
  });

/** Chooses a saved LLM configuration. Users who may not list them type its parts, or choose an alias where there are any. */
export function SavedModel({ value, hasError, withAliases, onChange }: SavedModelProps) {
  const { data, error } = useChoices(withAliases === true);
  if (data) {
    const choices = [...data.aliases, ...data.models];
    const isListed = choices.some((choice) => keyOf(choice) === keyOf(value));
    const options = isListed || keyOf(value) === NONE ? choices : [value, ...choices];
    return (
      <ControlGroup label="Saved model" labelPosition="top">
        <Select
          filter
          error={hasError}
          value={keyOf(value)}
          onChange={(_event, change) => onChange(options.find((choice) => keyOf(choice) === change.value) ?? {})}
        >
          <Select.Option label="No model" value={NONE} />
          {options.map((choice) => (
            <Select.Option key={keyOf(choice)} label={wordsOf(choice, data.aliases)} value={keyOf(choice)} />
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

/** The shortest reference that names the model alone. */
function referenceOf(chosen: ChosenModel, models: readonly ChosenModel[]): string {
  const { service, connection_name, model } = chosen;
  const short = `${connection_name}/${model}`;
  const isAmbiguous =
    models.filter((other) => other.connection_name === connection_name && other.model === model).length > 1;
  return isAmbiguous ? `${service}/${short}` : short;
}

interface ModelReferenceProps {
  value: string;
  hasError: boolean;
  onChange(reference: string): void;
}

/** Chooses a model by its reference: an alias, or `connection/model`. Users who may list neither type it. */
export function ModelReference({ value, hasError, onChange }: ModelReferenceProps) {
  const { data, error } = useChoices(true);
  if (!data && (error === null || describeError(error).isPassing)) return <Loading what="the models" />;
  if (!data)
    return (
      <ControlGroup label="Model reference" labelPosition="top">
        <Text
          value={value}
          error={hasError}
          spellCheck={false}
          onChange={(_event, change) => onChange(change.value.trim())}
        />
      </ControlGroup>
    );
  const options = new Map([
    ...data.aliases.map((alias) => [alias.model ?? NONE, wordsOf(alias, data.aliases)] as const),
    ...data.models.map((model) => [referenceOf(model, data.models), wordsOf(model)] as const),
  ]);
  if (value !== NONE && !options.has(value)) options.set(value, wordsOf({ model: value }));
  return (
    <ControlGroup label="Saved model" labelPosition="top">
      <Select filter error={hasError} value={value} onChange={(_event, change) => onChange(String(change.value))}>
        <Select.Option label="No model" value={NONE} />
        {[...options].map(([reference, words]) => (
          <Select.Option key={reference} label={words} value={reference} />
        ))}
      </Select>
    </ControlGroup>
  );
}
