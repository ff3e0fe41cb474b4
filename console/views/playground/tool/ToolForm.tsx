import Checkbox from '@splunk/react-ui/Checkbox';
import ControlGroup from '@splunk/react-ui/ControlGroup';
import Heading from '@splunk/react-ui/Heading';
import Message from '@splunk/react-ui/Message';
import { useMemo, useState } from 'react';
import type { Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useRefusal } from '../../../api/rights.ts';
import { Row, Stack } from '../../../app/styles.ts';
import { Action } from '../../../parts/Action.tsx';
import { useValue } from '../../../parts/form/draft/useValue.ts';
import { InvalidJson } from '../../../parts/form/values.ts';
import { withVisibleCharacters } from '../../../parts/text/visible.ts';
import { Warnings } from '../../../parts/Warnings.tsx';
import { useWork, WorkState } from '../../../parts/work.tsx';
import { ShownText } from '../ShownText.tsx';
import type { OfferedTool } from '../servers.ts';
import { hasInvalidJson, JsonText } from './JsonText.tsx';
import { SchemaFields } from './SchemaField.tsx';
import { formOf, initialOf } from './schema.ts';

/** The proxy ends calls after 30 s. */
const TIMEOUT_S = 25;

interface ToolFormProps {
  connection: string;
  tool: OfferedTool;
}

/** The arguments of a tool, as its schema asks for them or as JSON, and its result. */
export function ToolForm({ connection, tool }: ToolFormProps) {
  const { name, title, description = '', inputSchema, annotations = {} } = tool;
  const form = useMemo(() => formOf(inputSchema), [inputSchema]);
  const initial = useMemo(() => (form ? initialOf(form) : {}), [form]);
  const [value, setValue] = useValue(`arguments of ${name} of ${connection}`, initial);
  const isInvalid = value instanceof InvalidJson;
  const [isJson, setIsJson] = useState(form === undefined || isInvalid);
  const [reply, setReply] = useState<Reply<'callTool'>>();
  const work = useWork<'call'>();
  const refusal = useRefusal();
  const given = value ?? {};
  const problem = problemOf(given);
  const call = () =>
    work.start('call', async (signal) => {
      setReply(undefined);
      const body = { connection, tool: name, arguments: given as never, timeout_s: TIMEOUT_S };
      setReply(await ml.call('callTool', { body }, { signal }));
    });
  return (
    <Stack as="section" aria-label={`Tool ${name}`}>
      <Heading level={2}>{withVisibleCharacters(title ?? name)}</Heading>
      <div dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
        {withVisibleCharacters(description)}
      </div>
      <small>{effectOf(annotations)}</small>
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
          refusal={refusal('callTool') ?? problem}
          onClick={call}
        />
      </Row>
      <WorkState work={work} what={`the result of ${name}`} record={{ family: 'mcp-connections', name: connection }} />
      {reply && <Result tool={name} reply={reply} />}
    </Stack>
  );
}

function problemOf(value: unknown): string | undefined {
  if (hasInvalidJson(value)) return 'A value is not JSON';
  return typeof value === 'object' && !Array.isArray(value) ? undefined : 'The arguments have to be an object';
}

/** The effect of the tool according to its server; nobody has verified it. */
function effectOf({ readOnlyHint, destructiveHint }: Readonly<Record<string, unknown>>): string {
  if (destructiveHint === true) return 'Marked destructive by its server';
  return readOnlyHint === true ? 'Marked read-only by its server' : 'May change something';
}

function Result({ tool, reply: { result, warnings = [] } }: { tool: string; reply: Reply<'callTool'> }) {
  const { content, structured_content, is_error } = result;
  return (
    <Stack as="section" aria-label={`Result of ${tool}`}>
      <Warnings texts={warnings} />
      <Message type={is_error ? 'error' : 'success'} role="status">
        {is_error ? 'The tool reports an error.' : 'The tool has answered.'}
      </Message>
      {content.map((part, index) => (
        <ShownText
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
          key={index}
          label={content.length === 1 ? 'Content' : `Content ${index + 1}`}
          value={part.type === 'text' ? part.text : part}
        />
      ))}
      {structured_content !== undefined && <ShownText label="Structured content" value={structured_content} />}
    </Stack>
  );
}
