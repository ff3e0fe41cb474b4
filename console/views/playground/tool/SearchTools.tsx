import Message from '@splunk/react-ui/Message';
import type { Reply, SearchTool } from '../../../../client/src/index.ts';
import { BUILT_IN_FACES, publishedFace } from '../../../../src/contract/families/searchToolSchemas.ts';
import { type BuiltInSearchTool, SEARCH_TOOL_DEFAULTS } from '../../../../src/contract/families/searchTools.ts';
import { ml } from '../../../api/client.ts';
import { Stack } from '../../../app/styles.ts';
import { useUrl } from '../../../app/url.ts';
import { JobLink } from '../../../parts/search/JobLink.tsx';
import { RowsTable } from '../../../parts/search/RowsTable.tsx';
import { Empty } from '../../../parts/table/States.tsx';
import { formatCount } from '../../../parts/text/format.ts';
import { withVisibleCharacters } from '../../../parts/text/visible.ts';
import { Warnings } from '../../../parts/Warnings.tsx';
import { ReadState } from '../../../parts/work.tsx';
import { Columns } from '../Columns.ts';
import { type OfferedTool, useSearchTools } from '../servers.ts';
import { NameChoice, TIMEOUT_S, ToolSource } from './choices.tsx';
import { ToolForm } from './ToolForm.tsx';

/** A search tool by its name without the prefix. */
interface OfferedSearch extends OfferedTool {
  isBuiltIn: boolean;
  /** Seconds that a call may take. */
  timeout_s: number;
}

const builtInTool = (name: BuiltInSearchTool): OfferedSearch => ({
  ...{ name, ...BUILT_IN_FACES[name], isBuiltIn: true, timeout_s: SEARCH_TOOL_DEFAULTS.timeout_s },
});
const publishedTool = (tool: SearchTool): OfferedSearch => ({
  ...{ name: tool.name, ...publishedFace(tool), isBuiltIn: false, timeout_s: tool.timeout_s },
});

/** Chooses a search tool, and calls it. */
export function SearchTools() {
  const [url, go] = useUrl();
  const name = url.get('search') ?? '';
  const { data, ...read } = useSearchTools();
  const tools = { ...read, data: data && [...data.builtIn.map(builtInTool), ...data.published.map(publishedTool)] };
  const listedTool = tools.data?.find((tool) => tool.name === name);
  return (
    <Columns>
      <Stack as="section" aria-label="Choice of the tool">
        <ToolSource />
        <ReadState read={tools} what="the search tools" />
        {tools.data && (
          <NameChoice
            label="Search tool"
            names={tools.data.map((tool) => tool.name)}
            value={name}
            onChange={(next) => go({ search: next }, 'replace')}
          />
        )}
      </Stack>
      <div style={{ minWidth: 0 }}>
        {listedTool && (
          <ToolForm
            key={name}
            tool={listedTool}
            source="the search tools"
            operation="callSearchTool"
            record={listedTool.isBuiltIn ? undefined : { family: 'search_tools', name }}
            effect={listedTool.annotations?.readOnlyHint === true ? 'Only reads' : 'Changes something'}
            call={async (args, signal) => {
              const timeout_s = Math.min(TIMEOUT_S, listedTool.timeout_s);
              const reply = await ml.call(
                'callSearchTool',
                { body: { tool: name, arguments: args, timeout_s } },
                { signal },
              );
              return <Result tool={name} reply={reply} />;
            }}
          />
        )}
        {tools.data?.length === 0 && (
          <Empty title="No search tools for you">
            <p>Nobody has published a search that you may read, and no role of yours has the built-in tools.</p>
          </Empty>
        )}
        {name === '' && tools.data && tools.data.length > 0 && (
          <small>Choose a search tool, and a form for its arguments appears here.</small>
        )}
        {tools.data && name !== '' && !listedTool && (
          <p>{`There is no search tool ${name}, it is switched off, or you may not use it.`}</p>
        )}
      </div>
    </Columns>
  );
}

function Result({ tool, reply: { result, warnings = [] } }: { tool: string; reply: Reply<'callSearchTool'> }) {
  const { sid, fields, rows, count, total, at_least, truncated, earliest, latest, messages } = result;
  const whole = total === undefined ? `at least ${formatCount(at_least ?? count)}` : formatCount(total);
  return (
    <Stack as="section" aria-label={`Result of ${tool}`}>
      <Warnings texts={warnings} />
      <Message type="success" role="status">
        {`${formatCount(count)} of ${whole} rows.`}
        {truncated && ' Rows were left out, or cells cut: narrow the search, or ask for fewer fields.'}
      </Message>
      {messages.map(({ type, text }) => (
        <small key={`${type} ${text}`}>{withVisibleCharacters(`${type}: ${text}`)}</small>
      ))}
      <RowsTable label={`Rows of ${tool}`} fields={fields} rows={rows} />
      {earliest !== undefined && <small>{`From ${earliest} to ${latest ?? 'now'}`}</small>}
      {sid !== undefined && <JobLink sid={sid} />}
    </Stack>
  );
}
