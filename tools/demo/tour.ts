import { ALERT } from './outage.ts';
import { SEARCHES } from './searches.ts';
import { MOUNT } from './site.ts';

/** Text of `--help` about the demo. */
export const DEMO_HELP = `usage: npm start -- [--demo] [options of the platform, below]

  --demo             with examples that work offline: a scripted language model, an MCP server, a knowledge base, an ONNX model,
                     a container, a search tool, an alert that has started an agent, limits, and the usage of a day. Their servers run in
                     the same process. The data folder is .platform-demo unless ML_HOME is set; delete it to remove everything.

`;

/** For the shell: in single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

interface Place {
  home: string;
  url: string;
  web: string | undefined;
  password: string;
}

/** Contents of the demo, and things to try: lines to read, and lines to paste into a shell. */
export function tour({ home, url, web, password }: Place): string {
  return `
The demo is ready.

  pages      ${web ?? 'none: ML_WEB_PORT is off'}
  user       admin
  password   ${password}

It has the models ${quoted('default')} and ${quoted('best')} (aliases), the MCP server Desk with four tools, the knowledge base Runbooks, the ONNX model
outage_risk, the container llama, an experiment, two usage limits, a day of usage, the search tool host_load over events in the
index os, and the agent night_watch. The saved search ${quoted(ALERT)} has found an outage and started it: its run waits until somebody
approves a restart. The MCP server Tickets fails, to show how that looks.

Paste into another terminal:

  API=${url}${MOUNT}
  ml() { curl -sk -w '\\n' -u admin:${quoted(password)} "$@"; }
  search() { ml $API/search/jobs -d output_mode=json -d exec_mode=oneshot --data-urlencode "search=$1"; }

${SEARCHES.map((search) => `  search ${quoted(search)}`).join('\n')}

  ml $API/ai_gateway/v1/chat/completions -d '{"model": "default", "messages": [{"role": "user", "content": "A disk is full. What now?"}]}'
  ml "$API/ai_gateway/runs?state=waiting_for_approval"

Ctrl-C ends it, the next start keeps what is there. Delete ${home} to remove everything.
`;
}
