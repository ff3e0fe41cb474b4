import { isObject, type Json } from '../../../contract/basics.ts';
import type { Clock } from '../../../ports/platform/clock.ts';
import type { GatewayApi } from '../../../ports/platform/ownApi.ts';
import { excerpt } from '../../arguments.ts';
import { boolean, NOT_EMPTY, required, text } from '../../argumentTypes.ts';
import { command, expectBody, SearchError } from '../../command.ts';
import { outputField, rowOptions } from '../gatewayOptions.ts';
import { type GatewayUse, gatewayAnswers } from '../gatewayRun.ts';
import { answerRows, errorFields } from '../rowAnswers.ts';
import { ToolArguments } from './toolArguments.ts';
import { textsOf, toolCells } from './toolCells.ts';
import { ToolSchema } from './toolSchema.ts';

const MAX_ROWS = 1000;
const MAX_MESSAGE = 1000;
/** Pages of 100 tools that are read to find one. */
const MAX_PAGES = 100;
/** Pauses while the gateway has no slot to ask the server. */
const MAX_PAUSES = 20;
const PAUSE_MS = 1000;
const OUTPUT = 'result';

/** `| mltool`: calls a tool of an MCP server for each row. */
export const mlTool = command({
  name: 'mltool',
  kind: 'streaming',
  isRisky: true,
  arguments: {
    connection: required(text('MCP connection that you may read', NOT_EMPTY)),
    tool: required(text('name of the tool, as its server lists it', NOT_EMPTY)),
    arguments: text(
      'a JSON object whose texts may contain {field}, or {field} for all of it; named arguments win',
      NOT_EMPTY,
    ),
    output: outputField(OUTPUT),
    expand: boolean('make a row of each entry of the only list of the result, or of each text; default false'),
    ...rowOptions(MAX_ROWS),
  },
  others: {
    syntax: '<argument>="<value>"',
    help: 'argument of the tool; {field} stands for a value of the row, {{ and }} for braces',
  },
  fields: [OUTPUT, ...errorFields(OUTPUT)],
  help: {
    summary: 'Calls a tool of an MCP connection for each row.',
    description: [
      'Values get the type that the tool names; an argument that is named like an option of the command belongs into arguments=.',
      'The texts of the result are in the field result, its structured values in result.<name>.',
      'A tool is called at most once for a row. A failed row has the reason in result_error and result_error_message;',
      'the error of a tool itself is tool_error. output= changes these names. The search fails if all rows fail.',
    ].join(' '),
    examples: [
      {
        search: '… | mltool connection="Issues" tool="search_issues" query="{service} is:open" | table service result',
        comment: 'Find open issues of each service.',
      },
      {
        search:
          '… | mltool connection="Issues" tool="search_issues" arguments="{\\"query\\": \\"{service}\\", \\"limit\\": 5}" expand=true',
        comment: 'Make a row of each issue that is found.',
      },
    ],
    tags: 'ai mcp tool call agent',
  },
  prepare({ connection, tool, arguments: json, output = OUTPUT, expand = false, ...options }, others) {
    const args = new ToolArguments(json, others);
    let schema: ToolSchema | undefined;
    const use: GatewayUse = {
      command: 'mltool',
      operation: 'tool',
      isRepeatable: false,
      options: { ...options, dedup: false },
      maxRows: MAX_ROWS,
      common: { connection, tool },
      templates: args.templates,
      async open(gateway, clock) {
        schema = await readSchema(gateway, clock, connection, tool);
        if (schema) assertKnown(schema, args.names, tool);
      },
      item: (texts) => ({ arguments: args.fill(texts, schema) }),
      output,
      fields: [],
      read(response) {
        const result = isObject(response.result) ? response.result : {};
        if (result.is_error !== true) return { cells: toolCells(output, result, expand) };
        const message = textsOf(result.content).slice(0, MAX_MESSAGE) || 'The tool reports an error without a text';
        return { error_code: 'tool_error', message };
      },
    };
    return { start: answerRows(gatewayAnswers(use)) };
  },
});

/** @returns undefined if the tool is not listed: its call then says why @throws SearchError */
async function readSchema(
  gateway: GatewayApi,
  clock: Clock,
  connection: string,
  name: string,
): Promise<ToolSchema | undefined> {
  const what = `tools of ${excerpt(connection)}`;
  let cursor: string | undefined;
  let pauses = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { result, error } = expectBody(what, await gateway.tools(connection, cursor));
    if (error !== undefined) {
      // Without the schema all values would be sent as texts.
      const { message, data } = Object(error) as Json;
      if (Object(data).error_code !== 'too_many_requests' || pauses === MAX_PAUSES)
        throw new SearchError(`The ${what} cannot be read: ${String(message)}`);
      pauses += 1;
      page -= 1;
      await clock.sleep(PAUSE_MS);
      continue;
    }
    const { tools, nextCursor } = isObject(result) ? result : {};
    const match = (Array.isArray(tools) ? tools : []).find((tool) => isObject(tool) && tool.name === name);
    if (match) return new ToolSchema(match.inputSchema);
    if (typeof nextCursor !== 'string') return undefined;
    cursor = nextCursor;
  }
  return undefined;
}

/** @throws SearchError */
function assertKnown(schema: ToolSchema, names: readonly string[], tool: string): void {
  const unknown = schema.unknownOf(names);
  if (unknown.length === 0) return;
  const choice = schema.names.length > 0 ? `use ${schema.names.slice(0, 50).join(', ')}` : 'it takes none';
  throw new SearchError(`The tool ${excerpt(tool)} has no argument ${unknown.map(excerpt).join(', ')}: ${choice}`);
}
