import type { PlatformReply } from '../http/reply.ts';
import { messagesReply } from './replies.ts';

/** The output modes that splunkd knows, each on some endpoints. */
const KNOWN = new Set(['atom', 'csv', 'json', 'json_cols', 'json_rows', 'raw', 'xml']);
/** Modes of an endpoint that names none. */
const USUAL: readonly string[] = ['json', 'xml'];

/** The refusal of a mode that the endpoint does not answer in, if it does not: in JSON for a mode of JSON, else in XML. */
export function outputModeRefusal(mode: string, modes: readonly string[] = USUAL): PlatformReply | undefined {
  if (modes.includes(mode)) return undefined;
  if (!KNOWN.has(mode))
    return messagesReply({ outputMode: 'xml' }, 400, [
      { type: 'ERROR', text: `Invalid output mode specified (${mode}).` },
    ]);
  const text = `Output mode '${mode}' is not supported for this endpoint.`;
  return messagesReply({ outputMode: mode.startsWith('json') ? 'json' : 'xml' }, 400, [{ type: 'WARN', text }]);
}
