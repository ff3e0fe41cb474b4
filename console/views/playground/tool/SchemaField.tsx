import Button from '@splunk/react-ui/Button';
import ControlGroup from '@splunk/react-ui/ControlGroup';
import NumberControl from '@splunk/react-ui/Number';
import Select from '@splunk/react-ui/Select';
import TextArea from '@splunk/react-ui/TextArea';
import { variables } from '@splunk/themes';
import styled from 'styled-components';
import { Row, Stack } from '../../../app/styles.ts';
import { InvalidJson, isObject } from '../../../parts/form/values.ts';
import { JsonText } from './JsonText.tsx';
import { type Fields, initialOf, type Shape } from './schema.ts';

interface ShapeProps<S extends Shape = Shape> {
  shape: S;
  isRequired?: boolean;
  /** undefined: not given */
  value: unknown;
  onChange(value: unknown): void;
}

/** The fields of an object. */
export function SchemaFields({ shape: { fields }, value, onChange }: ShapeProps<Fields>) {
  const given = recordOf(value);
  const put = (name: string, next: unknown) => {
    const others = Object.entries(given).filter(([key]) => key !== name);
    onChange(Object.fromEntries(next === undefined ? others : [...others, [name, next]]));
  };
  return (
    <Stack>
      {fields.length === 0 && <small>This tool takes no arguments.</small>}
      {fields.map(({ name, shape, isRequired }) => (
        <SchemaField
          key={name}
          shape={shape}
          isRequired={isRequired}
          value={Object.hasOwn(given, name) ? given[name] : undefined}
          onChange={(next) => put(name, next)}
        />
      ))}
    </Stack>
  );
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) && !(value instanceof InvalidJson) ? value : {};

function SchemaField(props: ShapeProps) {
  const { shape, isRequired = false, value, onChange } = props;
  const { title, kind } = shape;
  const help = `${isRequired ? 'Required. ' : ''}${shape.help ?? ''}` || undefined;
  if (kind === 'list') return <ListOf {...props} shape={shape} />;
  if (kind === 'fields')
    return (
      <Group>
        <legend>{title}</legend>
        {help && <small>{help}</small>}
        <SchemaFields shape={shape} value={value} onChange={(next) => onChange(orNothing(next, isRequired))} />
      </Group>
    );
  return (
    <ControlGroup label={title} labelPosition="top" help={help}>
      {control(props)}
    </ControlGroup>
  );
}

/** An optional object whose fields are all empty is not given. */
const orNothing = (value: unknown, isRequired: boolean): unknown =>
  !isRequired && Object.keys(recordOf(value)).length === 0 ? undefined : value;

const NOTHING = '';

/** Not a component: ControlGroup labels its direct child. */
function control({ shape, isRequired, value, onChange }: ShapeProps) {
  switch (shape.kind) {
    case 'number':
    case 'integer':
      return (
        <NumberControl
          value={typeof value === 'number' ? value : undefined}
          {...(shape.kind === 'integer' ? { roundTo: 0 } : {})}
          onChange={(_event, change) => onChange(change.value)}
        />
      );
    case 'boolean':
      return options([false, true], isRequired, value, onChange);
    case 'choice':
      return options(shape.options, isRequired, value, onChange);
    case 'text':
      return (
        <TextArea
          value={typeof value === 'string' ? value : ''}
          spellCheck={false}
          style={{ width: '100%' }}
          rowsMin={1}
          rowsMax={10}
          onChange={(_event, change) => onChange(change.value === '' ? undefined : change.value)}
        />
      );
    default:
      return <JsonText value={value} onChange={onChange} />;
  }
}

/** A choice of values of any type. */
function options(
  values: readonly unknown[],
  isRequired: boolean | undefined,
  value: unknown,
  onChange: ShapeProps['onChange'],
) {
  const texts = values.map((choice) => JSON.stringify(choice));
  const chosen = value === undefined ? NOTHING : JSON.stringify(value);
  return (
    <Select
      value={chosen}
      placeholder="Choose"
      onChange={(_event, change) =>
        onChange(change.value === NOTHING ? undefined : values[texts.indexOf(String(change.value))])
      }
    >
      {!isRequired && <Select.Option label="Not given" value={NOTHING} />}
      {texts.map((text, index) => (
        <Select.Option
          key={text}
          label={typeof values[index] === 'string' ? String(values[index]) : text}
          value={text}
        />
      ))}
    </Select>
  );
}

function ListOf({ shape, isRequired = false, value, onChange }: ShapeProps<Extract<Shape, { kind: 'list' }>>) {
  const { title, help, item } = shape;
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const put = (next: readonly unknown[]) => onChange(next.length === 0 && !isRequired ? undefined : next);
  return (
    <Group>
      <legend>{title}</legend>
      <small>{`${isRequired ? 'Required. ' : ''}${help ?? ''}`}</small>
      <Stack>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity but their place
          <div key={index}>
            <SchemaField
              shape={{ ...item, title: `${title} ${index + 1}` }}
              isRequired
              value={entry ?? undefined}
              onChange={(next) => put(entries.map((other, there) => (there === index ? (next ?? null) : other)))}
            />
            <Button
              label={`Remove ${title} ${index + 1}`}
              appearance="subtle"
              onClick={() => put(entries.filter((_one, there) => there !== index))}
            />
          </div>
        ))}
      </Stack>
      <Row>
        <Button label={`Add to ${title}`} onClick={() => put([...entries, initialOf(item) ?? null])} />
      </Row>
    </Group>
  );
}

const Group = styled.fieldset`
  min-width: 0;
  margin: 0;
  padding: 0 0 0 12px;
  border: 0;
  border-inline-start: 2px solid ${variables.neutral300};

  legend {
    padding: 0;
    color: ${variables.contentColorActive};
  }
`;
