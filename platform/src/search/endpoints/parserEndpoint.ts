import { parseBoolean } from '../../confs/conf.ts';
import { jsonReply, wantsJson, xmlReply } from '../../eai/replies.ts';
import { type EaiValue, xmlDict } from '../../eai/xml.ts';
import { PlatformError, type PlatformReply } from '../../http/reply.ts';
import type { PlatformRequest } from '../../http/request.ts';
import { phases } from '../jobs/phases.ts';
import { type CommandKind, commandKind } from '../language/commandTable.ts';
import { unquoted } from '../language/scan.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import { type SearchEndpointOptions, searchApp, searchCaller } from './dispatchEndpoint.ts';

const SWITCHES = ['parse_only', 'enable_lookups', 'reload_macros', 'ignore_parse_error', 'expand_macros', 'timeline'];

/** Stream types by kind of command. */
const STREAM_TYPES: Readonly<Record<CommandKind, string>> = {
  generating: 'SP_STREAM',
  streaming: 'SP_STREAM',
  stateful: 'SP_STATEFUL',
  events: 'SP_EVENTS',
  report: 'SP_STREAMREPORT',
};

/** Splits a search into its commands, with macros expanded. Each must be known; nothing is run, nested searches neither. */
export function parseEndpoint(options: SearchEndpointOptions, req: PlatformRequest): PlatformReply {
  const caller = searchCaller(req);
  for (const name of SWITCHES) {
    const text = req.arg(name);
    if (text !== undefined && parseBoolean(text) === undefined)
      throw new PlatformError(400, `Invalid value for argument "${name}": must be true or false.`, 'FATAL');
  }
  const query = req.arg('q')?.trim() ?? '';
  if (query === '') throw new PlatformError(400, 'Invalid query.', 'FATAL');
  const { text, parts } = options.jobs.parse(caller, searchApp(options, req), query);
  const { events, report, streams, isEvents } = phases({ parts });
  const reply: Record<string, EaiValue> = {
    remoteSearch: parts[0]?.name === 'search' ? `litsearch ${parts[0].text}`.trim() : '',
    normalizedSearch: text,
    remoteTimeOrdered: true,
    eventsSearch: events,
    eventsTimeOrdered: parts[0]?.name === 'search',
    eventsStreaming: true,
    reportsSearch: report,
    isStreamingSearch: isEvents,
    canSummarize: parts[0]?.name === 'search' && !streams,
    commands: parts.map(entryOf),
  };
  if (wantsJson(req)) return jsonReply(200, reply);
  return xmlReply(200, `<response xmlns:s="http://dev.splunk.com/ns/rest">\n${xmlDict(reply)}\n</response>\n`);
}

function entryOf(part: SearchPart, index: number): Record<string, EaiValue> {
  const kind = commandKind(part.name) ?? 'streaming';
  const isGenerating = index === 0;
  return {
    command: part.name,
    rawargs: part.text,
    pipeline: kind === 'generating' ? (part.name === 'search' ? 'streaming' : 'report') : kind,
    args: argumentsOf(part),
    isGenerating,
    streamType: STREAM_TYPES[kind],
    ...(kind === 'report' ? { preStreamingOp: `pre${part.name} ${part.text}`.trim() } : {}),
  };
}

/** Terms of a search as a list, the arguments of any other command as text with a leading blank. */
function argumentsOf({ name, text, rawArgs }: SearchPart): EaiValue {
  if (name === 'search') return { search: rawArgs.map(unquoted) };
  return text === '' ? '' : ` ${text}`;
}
