import type { IncomingMessage, ServerResponse } from 'node:http';
import { deskServer } from './desk.ts';
import { ScriptedEngine } from './engine.ts';
import { listenNear, sendJson } from './http.ts';
import { answerModel } from './model.ts';

/** Where the examples find the scripted servers, below `http://127.0.0.1:<port>`. */
export const PATHS = { model: '/v1', desk: '/mcp', refusing: '/refusing/mcp' } as const;

/**
 * Starts the scripted servers at one port of this process, so that they end with it: a language model, an MCP server, one that
 * refuses everybody, and a container engine.
 * @param port the wanted one; another if it is in use
 * @param engineFile where the engine keeps its containers
 * @returns the port
 */
export function startPeers(port: number, engineFile: string): Promise<number> {
  const desk = deskServer();
  const engine = new ScriptedEngine(engineFile);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    if (path.startsWith(`${PATHS.model}/`)) await answerModel(request, response);
    else if (path === PATHS.desk) desk(request, response);
    else if (path === PATHS.refusing) sendJson(response, 401, { error: 'The token has expired' });
    else if (ScriptedEngine.isAsked(request)) await engine.answer(request, response);
    else sendJson(response, 404, { error: `There is no ${path}` });
  };
  return listenNear(port, (request, response) => {
    answer(request, response).catch((error) => sendJson(response, 400, { error: { message: String(error) } }));
  });
}
