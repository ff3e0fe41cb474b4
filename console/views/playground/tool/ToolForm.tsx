import Checkbox from '@splunk/react-ui/Checkbox';
import ControlGroup from '@splunk/react-ui/ControlGroup';
import Heading from '@splunk/react-ui/Heading';
import Message from '@splunk/react-ui/Message';
import { type ReactNode, useMemo, useState } from 'react';
import type { JsonObject, OperationId } from '../../../../client/src/index.ts';
import { useRefusal } from '../../../api/rights.ts';
import { Row, Stack } from '../../../app/styles.ts';
import { Action } from '../../../parts/Action.tsx';
import { useValue } from '../../../parts/form/draft/useValue.ts';
import { InvalidJson } from '../../../parts/form/values.ts';
import type { RecordPlace } from '../../../parts/remedies.ts';
import { withVisibleCharacters } from '../../../parts/text/visible.ts';
import { useWork, WorkState } from '../../../parts/work.tsx';
import type { OfferedTool } from '../servers.ts';
import { hasInvalidJson, JsonText } from './JsonText.tsx';
import { SchemaFields } from './SchemaField.tsx';
import { formOf, initialOf } from './schema.ts';

interface ToolFormProps {
  tool: OfferedTool;
  /** Where the tool is from, in the name of what is kept of the input. */
  source: string;
  operation: OperationId;
  /** The record of the tool. */
  record?: RecordPlace | undefined;
  /** Words for the effect that the hints of the tool state. */
  effect: string;
  /** Calls the tool. @returns its result, to show */
  call(args: JsonObject, signal: AbortSignal): Promise<ReactNode>;
}

/** The arguments of a tool, as its schema asks for them or as JSON, and its result. */
export function ToolForm({ tool, source, operation, record, effect, call }: ToolFormProps) {
  const { name, title, description = '', inputSchema } = tool;
  const form = useMemo(() => formOf(inputSchema), [inputSchema]);
  const initial = useMemo(() => (form ? initialOf(form) : {}), [form]);
  const [value, setValue] = useValue(`arguments of ${name} of ${source}`, initial);
  const isInvalid = value instanceof InvalidJson;
  const [isJson, setIsJson] = useState(form === undefined || isInvalid);
  const [result, setResult] = useState<ReactNode>();
  const work = useWork<'call'>();
  const refusal = useRefusal();
  const given = value ?? {};
  const problem = problemOf(given);
  const start = () =>
    work.start('call', async (signal) => {
      setResult(undefined);
      setResult(await call(given as JsonObject, signal));
    });
  return (
    <Stack as="section" aria-label={`Tool ${name}`}>
      <Heading level={2}>{withVisibleCharacters(title ?? name)}</Heading>
      <div dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
        {withVisibleCharacters(description)}
      </div>
      <small>{effect}</small>
      {form && (
        <Checkbox checked={isJson} disabled={isInvalid} onChange={() => setIsJson(!isJson)}>
          Arguments as JSON
        </Checkbox>
      )}
      {isJson || !form ? (
        <ControlGroup
          label="Arguments"
          labelPosition="top"
          help={form ? undefined : 'An object, as the tool describes it'}
        >
          <JsonText value={value} onChange={setValue} />
        </ControlGroup>
      ) : (
        <SchemaFields shape={form} value={value} onChange={setValue} />
      )}
      {problem !== undefined && (
        <Message type="error" role="alert">
          {problem}
        </Message>
      )}
      <Row>
        <Action
          label="Call the tool"
          appearance="primary"
          busy={work.running !== undefined}
          refusal={refusal(operation) ?? problem}
          onClick={start}
        />
      </Row>
      <WorkState work={work} what={`the result of ${name}`} record={record} />
      {result}
    </Stack>
  );
}

function problemOf(value: unknown): string | undefined {
  if (hasInvalidJson(value)) return 'A value is not JSON';
  return typeof value === 'object' && !Array.isArray(value) ? undefined : 'The arguments have to be an object';
}
