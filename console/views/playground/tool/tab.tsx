import ControlGroup from '@splunk/react-ui/ControlGroup';
import Select from '@splunk/react-ui/Select';
import { Stack } from '../../../app/styles.ts';
import { useUrl } from '../../../app/url.ts';
import { SwitchedOff } from '../../../parts/SwitchedOff.tsx';
import { Empty } from '../../../parts/table/States.tsx';
import { ReadState } from '../../../parts/work.tsx';
import { Columns } from '../Columns.ts';
import { useConnections, useToolsOf } from '../servers.ts';
import { ToolForm } from './ToolForm.tsx';

/** Chooses a tool of an MCP connection, and calls it. */
export default function ToolTab() {
  const [url, go] = useUrl();
  const [connection, tool] = [url.get('connection') ?? '', url.get('tool') ?? ''];
  const connections = useConnections();
  const tools = useToolsOf(connection);
  const listedTool = tools.data?.find(({ name }) => name === tool);
  return (
    <Stack style={{ marginTop: 12 }}>
      <SwitchedOff operations={['callTool']} />
      <Columns>
        <Stack as="section" aria-label="Choice of the tool">
          <ReadState read={connections} what="the MCP connections" />
          {connections.data && (
            <Names
              label="MCP connection"
              names={connections.data}
              value={connection}
              onChange={(name) => go({ connection: name, tool: undefined }, 'replace')}
            />
          )}
          {connection !== '' && (
            <ReadState
              read={tools}
              what={`the tools of ${connection}`}
              record={{ family: 'mcp-connections', name: connection }}
            />
          )}
          {tools.data && (
            <Names
              label="Tool"
              names={tools.data.map(({ name }) => name)}
              value={tool}
              onChange={(name) => go({ tool: name }, 'replace')}
            />
          )}
          {tools.data?.length === 0 && <small>No tool of this connection is accepted and allowed.</small>}
        </Stack>
        <div style={{ minWidth: 0 }}>
          {listedTool && <ToolForm key={`${connection} ${tool}`} connection={connection} tool={listedTool} />}
          {connections.data?.length === 0 && (
            <Empty title="No tools yet">
              <p>Connect an MCP server under Connections first.</p>
            </Empty>
          )}
          {tool === '' && !tools.error && connections.data && connections.data.length > 0 && (
            <small>Choose a tool, and a form for its arguments appears here.</small>
          )}
          {tools.data && tool !== '' && !listedTool && <p>{`${connection} offers no tool ${tool}.`}</p>}
        </div>
      </Columns>
    </Stack>
  );
}

interface NamesProps {
  label: string;
  names: readonly string[];
  value: string;
  onChange(name: string): void;
}

function Names({ label, names, value, onChange }: NamesProps) {
  const options = value === '' || names.includes(value) ? names : [value, ...names];
  return (
    <ControlGroup label={label} labelPosition="top">
      <Select filter value={value} placeholder="Choose" onChange={(_event, change) => onChange(String(change.value))}>
        {options.map((name) => (
          <Select.Option key={name} label={name} value={name} />
        ))}
      </Select>
    </ControlGroup>
  );
}
