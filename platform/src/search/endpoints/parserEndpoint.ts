import { jsonReply, wantsJson, xmlReply } from '../../eai/replies.ts';
import { type EaiValue, xmlDict } from '../../eai/xml.ts';
import { PlatformError, type PlatformReply } from '../../http/reply.ts';
import type { PlatformRequest } from '../../http/request.ts';
import { GENERATING } from '../pipeline/builtins.ts';
import { type SearchEndpointOptions, searchApp, searchCaller } from './dispatchEndpoint.ts';

/** Splits a search into its commands, each of which must be known. */
export function parseEndpoint(options: SearchEndpointOptions, req: PlatformRequest): PlatformReply {
  const caller = searchCaller(req);
  const text = req.arg('q')?.trim() ?? '';
  if (text === '') throw new PlatformError(400, 'Invalid query.', 'FATAL');
  const { parts } = options.jobs.parse(caller, searchApp(options, req), text);
  const commands = parts.map((part, index) => {
    const generating = index === 0;
    return {
      command: part.name,
      rawargs: part.text,
      pipeline: part.name === 'stats' ? 'report' : 'streaming',
      args: part.args,
      isGenerating: generating,
      streamType: generating && !GENERATING.has(part.name) ? 'SP_STREAMREPORT' : 'SP_STREAM',
    };
  });
  const reply: Record<string, EaiValue> = {
    remoteSearch: '',
    remoteTimeOrdered: true,
    eventsSearch: text,
    eventsTimeOrdered: true,
    eventsStreaming: true,
    reportsSearch: '',
    canSummarize: false,
    commands,
  };
  if (wantsJson(req)) return jsonReply(200, reply);
  return xmlReply(200, `<response xmlns:s="http://dev.splunk.com/ns/rest">\n${xmlDict(reply)}\n</response>\n`);
}
