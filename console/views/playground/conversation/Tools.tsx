import ControlGroup from '@splunk/react-ui/ControlGroup';
import Multiselect from '@splunk/react-ui/Multiselect';
import type { AgentMcp } from '../../../../client/src/index.ts';
import { Stack } from '../../../app/styles.ts';
import type { RecordPlace } from '../../../parts/remedies.ts';
import { ReadState } from '../../../parts/work.tsx';
import { useConnections, useSearchTools, useStores, useToolsOf } from '../servers.ts';
import type { Settings } from './settings.ts';

type Choice = Pick<Settings, 'tools' | 'stores' | 'searches'>;

interface ToolsProps extends Choice {
  onChange(change: Partial<Choice>): void;
}

/** The MCP connections, vector stores and search tools that the model may use; none by default. */
export function Tools({ tools, stores, searches, onChange }: ToolsProps) {
  const connections = useConnections();
  const { data: searchTools, ...readSearches } = useSearchTools();
  const readStores = useStores();
  const chooseConnections = (names: readonly string[]) =>
    onChange({ tools: names.map((name) => tools.find((server) => server.name === name) ?? { name }) });
  const change = (next: AgentMcp) =>
    onChange({ tools: tools.map((server) => (server.name === next.name ? next : server)) });
  return (
    <Stack>
      <Names
        label="Tools of"
        placeholder="No tools"
        read={connections}
        what="the MCP connections"
        chosen={tools.map(({ name }) => name)}
        onChange={chooseConnections}
      />
      {tools.map((server) => (
        <ToolsOf key={server.name} chosen={server} onChange={change} />
      ))}
      <Names
        label="Vector stores"
        placeholder="None"
        read={readStores}
        what="the vector stores"
        chosen={stores}
        onChange={(names) => onChange({ stores: names })}
      />
      <Names
        label="Search tools"
        placeholder="None"
        read={{ data: searchTools && namesOf(searchTools), ...readSearches }}
        what="the search tools"
        chosen={searches}
        onChange={(names) => onChange({ searches: names })}
      />
    </Stack>
  );
}

const namesOf = ({ builtIn, published }: NonNullable<ReturnType<typeof useSearchTools>['data']>): string[] => [
  ...builtIn,
  ...published.map(({ name }) => name),
];

function ToolsOf({ chosen, onChange }: { chosen: AgentMcp; onChange(next: AgentMcp): void }) {
  const { name, tools } = chosen;
  const { data, ...read } = useToolsOf(name);
  return (
    <Names
      label={`Tools of ${name}`}
      placeholder="All of them"
      read={{ data: data?.map((tool) => tool.name), ...read }}
      what={`the tools of ${name}`}
      record={{ family: 'mcp-connections', name }}
      chosen={tools ?? []}
      onChange={(names) => onChange(names.length === 0 ? { name } : { name, tools: [...names] })}
    />
  );
}

interface NamesProps {
  label: string;
  placeholder: string;
  read: { data: readonly string[] | undefined; error: unknown; refetch(): unknown };
  what: string;
  record?: RecordPlace;
  chosen: readonly string[];
  onChange(names: readonly string[]): void;
}

function Names({ label, placeholder, read, what, record, chosen, onChange }: NamesProps) {
  const options = [...new Set([...(read.data ?? []), ...chosen])];
  return (
    <>
      <ControlGroup label={label} labelPosition="top">
        <Multiselect
          values={[...chosen]}
          placeholder={placeholder}
          onChange={(_event, { values }) => onChange(values.map(String))}
        >
          {options.map((name) => (
            <Multiselect.Option key={name} label={name} value={name} />
          ))}
        </Multiselect>
      </ControlGroup>
      <ReadState read={read} what={what} record={record} />
    </>
  );
}
