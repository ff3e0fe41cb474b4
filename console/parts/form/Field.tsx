import Checkbox from '@splunk/react-ui/Checkbox';
import ComboBox from '@splunk/react-ui/ComboBox';
import ControlGroup from '@splunk/react-ui/ControlGroup';
import Multiselect from '@splunk/react-ui/Multiselect';
import NumberControl from '@splunk/react-ui/Number';
import Select from '@splunk/react-ui/Select';
import Text from '@splunk/react-ui/Text';
import TextArea from '@splunk/react-ui/TextArea';
import { variables } from '@splunk/themes';
import type { ReactNode } from 'react';
import styled from 'styled-components';
import { BUILT_IN_SEARCH_TOOLS } from '../../../src/contract/families/searchTools.ts';
import { ml } from '../../api/client.ts';
import { roles } from '../../api/platform.ts';
import { useRead } from '../../api/queries.ts';
import { JsonField } from './JsonField.tsx';
import { ListField } from './ListField.tsx';
import { MapField } from './MapField.tsx';
import { SecretField } from './SecretField.tsx';
import type { FieldProps, FormField } from './spec.ts';

/** A field with label, control, help and error. */
export function Field(props: FieldProps) {
  const { field, facts, error } = props;
  const suggestions = useSuggestions(field);
  if (facts.kind === 'switch') return <Switch {...props} />;
  const isGroup = field.control || field.entries || facts.kind === 'map' || (facts.secret && facts.kind === 'text');
  const about = field.help ?? facts.about;
  // A star in the label would become part of its accessible name.
  const help = facts.required ? `Required. ${about ?? ''}` : about;
  if (isGroup)
    return (
      <Group label={field.label} help={help} error={error}>
        {control(props)}
      </Group>
    );
  return (
    <ControlGroup label={field.label} labelPosition="top" help={help} error={error ?? false} data-field={field.path}>
      {control(props, suggestions)}
    </ControlGroup>
  );
}

function Switch({ field, facts, value, error, onChange }: FieldProps) {
  return (
    <ControlGroup
      label={field.label}
      hideLabel
      labelPosition="top"
      help={field.help ?? facts.about}
      error={error ?? false}
      data-field={field.path}
    >
      <Checkbox checked={value === true} onChange={() => onChange(value !== true)}>
        {field.label}
      </Checkbox>
    </ControlGroup>
  );
}

/** Several controls with one label. */
function Group({
  label,
  help,
  error,
  children,
}: {
  label: string;
  help?: string;
  error?: string | undefined;
  children: ReactNode;
}) {
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Legend>{label}</Legend>
      {error && <ErrorText role="alert">{error}</ErrorText>}
      {children}
      {help && <Help>{help}</Help>}
    </fieldset>
  );
}

/** Not a component: ControlGroup labels its direct child. */
function control(props: FieldProps, suggestions: readonly string[] = []) {
  const { field, facts, value, error, onChange } = props;
  const common = { error: error !== undefined };
  if (field.control) return field.control(props);
  if (field.entries) return <ListField {...props} Field={Field} />;
  if (facts.secret && facts.kind === 'text') return <SecretField {...props} />;
  switch (facts.kind) {
    case 'choice':
      return (
        <Select {...common} value={value as string} onChange={(_event, change) => onChange(change.value)}>
          {(facts.options ?? []).map((option) => (
            <Select.Option key={option} label={field.options?.[option] ?? (option || 'none')} value={option} />
          ))}
        </Select>
      );
    case 'number':
    case 'integer':
      return (
        <NumberControl
          {...common}
          value={typeof value === 'number' ? value : undefined}
          {...(facts.kind === 'integer' ? { roundTo: 0 } : {})}
          onChange={(_event, change) => onChange(change.value)}
        />
      );
    case 'texts':
      return texts(props, suggestions);
    case 'map':
      return <MapField {...props} />;
    case 'list':
    case 'json':
      return <JsonField {...props} />;
    default:
      return field.suggestions ? comboBox(props, field.suggestions) : plainText(props);
  }
}

function plainText({ field, value, error, onChange }: FieldProps) {
  const text = typeof value === 'string' ? value : '';
  const common = { error: error !== undefined, value: text, spellCheck: false, autoComplete: 'off' };
  const placeholder = field.placeholder === undefined ? {} : { placeholder: field.placeholder };
  if (field.area)
    return <TextArea {...common} rowsMin={3} rowsMax={12} onChange={(_event, change) => onChange(change.value)} />;
  return <Text {...common} {...placeholder} onChange={(_event, change) => onChange(change.value)} />;
}

const MOST_SUGGESTED = 50;

function comboBox({ field, value, error, onChange }: FieldProps, suggestions: readonly string[]) {
  const text = typeof value === 'string' ? value : '';
  const isChosen = suggestions.includes(text);
  const matching = suggestions.filter(
    (suggestion) => isChosen || suggestion.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <ComboBox
      value={text}
      placeholder={field.placeholder ?? 'Type or choose'}
      error={error !== undefined}
      onChange={(_event, change) => onChange(change.value)}
    >
      {matching.slice(0, MOST_SUGGESTED).map((suggestion) => (
        <ComboBox.Option key={suggestion} value={suggestion} />
      ))}
    </ComboBox>
  );
}

function texts({ field, value, error, onChange }: FieldProps, suggestions: readonly string[]) {
  const values = Array.isArray(value) ? (value as string[]) : [];
  const areRoles = field.from === 'roles';
  // `*` comes last, since Enter takes the first option.
  const options = [
    ...new Set([...suggestions, ...values].filter((option) => option !== '*')),
    ...(areRoles ? ['*'] : []),
  ];
  return (
    <Multiselect
      values={values}
      allowNewValues
      error={error !== undefined}
      onChange={(_event, change) => onChange(change.values)}
    >
      {options.map((option) => (
        <Multiselect.Option key={option} label={option === '*' && areRoles ? 'everyone (*)' : option} value={option} />
      ))}
    </Multiselect>
  );
}

const SOURCES: Readonly<Record<NonNullable<FormField['from']>, (signal: AbortSignal) => Promise<string[]>>> = {
  roles,
  async 'vector stores'(signal) {
    const { result = [] } = await ml.call('listVectorStores', { query: { count: 0 } }, { signal });
    return result.map(({ name }) => name);
  },
  async 'search tools'(signal) {
    const { result = [] } = await ml.call('listSearchTools', { query: { count: 0 } }, { signal });
    return [...Object.keys(BUILT_IN_SEARCH_TOOLS), ...result.map(({ name }) => name)];
  },
};

function useSuggestions({ from }: FormField): readonly string[] {
  const { data = [] } = useRead({
    queryKey: ['suggestions', from],
    queryFn: ({ signal }) => (from ? SOURCES[from](signal) : []),
    enabled: from !== undefined,
  });
  return data;
}

// Matches the style of ControlGroup.
const Legend = styled.legend`
  padding: 2px 0 0;
  margin-bottom: 5px;
  line-height: 20px;
  color: ${variables.contentColorActive};
`;
const Help = styled.div`
  margin-top: 4px;
  font-size: 12px;
  line-height: 16px;
`;
const ErrorText = styled(Help)`
  color: ${variables.contentColorNegative};
`;
