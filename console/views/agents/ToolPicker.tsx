import Button from '@splunk/react-ui/Button';
import Checkbox from '@splunk/react-ui/Checkbox';
import ControlGroup from '@splunk/react-ui/ControlGroup';
import Multiselect from '@splunk/react-ui/Multiselect';
import Select from '@splunk/react-ui/Select';
import { useState } from 'react';
import type { AgentMcp } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useRefusal } from '../../api/rights.ts';
import { Row, Stack } from '../../app/styles.ts';
import { Action } from '../../parts/Action.tsx';
import type { FieldProps } from '../../parts/form/spec.ts';
import { ReadState, useWork, WorkState } from '../../parts/work.tsx';

/** Chooses MCP connections and their tools. */
export function ToolPicker({ value, onChange }: FieldProps) {
  const chosen = Array.isArray(value) ? (value as AgentMcp[]) : [];
  const read = useRead({
    queryKey: ['mcp', 'choices'],
    queryFn: async ({ signal }) => {
      const { result = [] } = await ml.call('listMcpConnections', { query: { count: 0 } }, { signal });
      return result.map(({ name, tools_allowed }) => ({ name, tools_allowed }));
    },
  });
  const { data } = read;
  const isChosen = (name: string) => chosen.some((server) => server.name.toLowerCase() === name.toLowerCase());
  const free = (data ?? []).filter(({ name }) => !isChosen(name));
  return (
    <Stack>
      {chosen.map((server) => (
        <ConnectionTools
          key={server.name}
          chosen={server}
          known={data?.find(({ name }) => name === server.name)?.tools_allowed ?? []}
          onChange={(tools) => onChange(chosen.map((each) => (each === server ? withTools(server, tools) : each)))}
          onRemove={() => onChange(chosen.filter((each) => each !== server))}
        />
      ))}
      <ReadState read={read} what="the MCP connections" />
      {data?.length === 0 && <small>No MCP connections.</small>}
      {free.length > 0 && (
        <ControlGroup label="Add an MCP connection" labelPosition="top">
          <Select
            filter
            value=""
            placeholder="Choose a connection"
            onChange={(_event, change) => onChange([...chosen, { name: String(change.value) }])}
          >
            {free.map(({ name }) => (
              <Select.Option key={name} label={name} value={name} />
            ))}
          </Select>
        </ControlGroup>
      )}
    </Stack>
  );
}

/** @param tools undefined: all that the connection allows */
const withTools = ({ tools: _before, ...server }: AgentMcp, tools: string[] | undefined): AgentMcp => ({
  ...server,
  ...(tools && { tools }),
});

interface ConnectionToolsProps {
  chosen: AgentMcp;
  /** Tools known without a call to the server. */
  known: readonly string[];
  onChange(tools: string[] | undefined): void;
  onRemove(): void;
}

function ConnectionTools({ chosen, known, onChange, onRemove }: ConnectionToolsProps) {
  const { name, tools = [] } = chosen;
  const hasNone = chosen.tools?.length === 0;
  const refusal = useRefusal();
  const [offered, setOffered] = useState<readonly string[]>([]);
  const work = useWork<'list'>();
  const list = () =>
    work.start('list', async (signal) => {
      const { data } = await ml.call('listMcpTools', { body: { name } }, { signal });
      setOffered(data.tools.filter(({ allowed }) => allowed).map((tool) => tool.name));
    });
  const names = [...new Set([...offered, ...known, ...tools])];
  return (
    <Stack>
      <ControlGroup
        label={`Tools of ${name}`}
        labelPosition="top"
        help={tools.length === 0 && !hasNone ? 'Leave empty for all tools that the connection allows.' : undefined}
      >
        <Multiselect
          values={tools}
          disabled={hasNone}
          allowNewValues
          placeholder={hasNone ? 'No tools' : 'All tools that the connection allows'}
          onChange={(_event, change) => onChange(change.values.length === 0 ? undefined : change.values.map(String))}
        >
          {names.map((tool) => (
            <Multiselect.Option key={tool} label={tool} value={tool} />
          ))}
        </Multiselect>
      </ControlGroup>
      <Checkbox checked={hasNone} onChange={() => onChange(hasNone ? undefined : [])}>
        {`No tools of ${name}`}
      </Checkbox>
      <Row>
        <Action
          label={`List tools of ${name}`}
          onClick={list}
          busy={work.running !== undefined}
          refusal={refusal('listMcpTools')}
        />
        <Button label={`Remove ${name}`} onClick={onRemove} />
        {offered.length > 0 && <small role="status">{offered.length} tools to choose from</small>}
      </Row>
      <WorkState work={work} what={`the tools of ${name}`} />
    </Stack>
  );
}
