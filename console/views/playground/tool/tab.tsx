import { Stack } from '../../../app/styles.ts';
import { SwitchedOff } from '../../../parts/SwitchedOff.tsx';
import { useSource } from './choices.tsx';
import { SearchTools } from './SearchTools.tsx';
import { ServerTools } from './ServerTools.tsx';

/** Calls a tool of an MCP connection, or a search tool. */
export default function ToolTab() {
  const isSearch = useSource() === 'splunk';
  return (
    <Stack style={{ marginTop: 12 }}>
      <SwitchedOff operations={[isSearch ? 'callSearchTool' : 'callTool']} />
      {isSearch ? <SearchTools /> : <ServerTools />}
    </Stack>
  );
}
