import Message from '@splunk/react-ui/Message';
import type { Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { Stack } from '../../../app/styles.ts';
import { useUrl } from '../../../app/url.ts';
import { Empty } from '../../../parts/table/States.tsx';
import { Warnings } from '../../../parts/Warnings.tsx';
import { ReadState } from '../../../parts/work.tsx';
import { Columns } from '../Columns.ts';
import { ShownText } from '../ShownText.tsx';
import { useConnections, useToolsOf } from '../servers.ts';
import { NameChoice, TIMEOUT_S, ToolSource } from './choices.tsx';
import { ToolForm } from './ToolForm.tsx';

/** Chooses a tool of an MCP connection, and calls it. */
export function ServerTools() {
  const [url, go] = useUrl();
  const [connection, tool] = [url.get('connection') ?? '', url.get('tool') ?? ''];
  const connections = useConnections();
  const tools = useToolsOf(connection);
  const listedTool = tools.data?.find(({ name }) => name === tool);
  const record = { family: 'mcp-connections', name: connection } as const;
  return (
    <Columns>
      <Stack as="section" aria-label="Choice of the tool">
        <ToolSource />
        <ReadState read={connections} what="the MCP connections" />
        {connections.data && (
          <NameChoice
            label="MCP connection"
            names={connections.data}
            value={connection}
            onChange={(name) => go({ connection: name, tool: undefined }, 'replace')}
          />
        )}
        {connection !== '' && <ReadState read={tools} what={`the tools of ${connection}`} record={record} />}
        {tools.data && (
          <NameChoice
            label="Tool"
            names={tools.data.map(({ name }) => name)}
            value={tool}
            onChange={(name) => go({ tool: name }, 'replace')}
          />
        )}
        {tools.data?.length === 0 && <small>No tool of this connection is accepted and allowed.</small>}
      </Stack>
      <div style={{ minWidth: 0 }}>
        {listedTool && (
          <ToolForm
            key={`${connection} ${tool}`}
            tool={listedTool}
            source={connection}
            operation="callTool"
            record={record}
            effect={effectOf(listedTool.annotations)}
            call={async (args, signal) => {
              const body = { connection, tool, arguments: args, timeout_s: TIMEOUT_S };
              return <Result tool={tool} reply={await ml.call('callTool', { body }, { signal })} />;
            }}
          />
        )}
        {connections.data?.length === 0 && (
          <Empty title="No tools yet">
            <p>Connect an MCP server under Connections first, or choose the search tools of Splunk.</p>
          </Empty>
        )}
        {tool === '' && !tools.error && connections.data && connections.data.length > 0 && (
          <small>Choose a tool, and a form for its arguments appears here.</small>
        )}
        {tools.data && tool !== '' && !listedTool && <p>{`${connection} offers no tool ${tool}.`}</p>}
      </div>
    </Columns>
  );
}

/** The effect of the tool according to its server; nobody has verified it. */
function effectOf({ readOnlyHint, destructiveHint }: Readonly<Record<string, unknown>> = {}): string {
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
