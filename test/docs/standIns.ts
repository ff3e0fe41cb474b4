import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { deskServer } from '../../tools/demo/peers/desk.ts';
import { answerModel, MODEL_KEY } from '../../tools/demo/peers/model.ts';
import { project } from '../support/e2e/build.ts';
import { type Peer, sendJson, startHttp } from '../support/peers/listen.ts';
import { rpcResult, startAnswering, tool } from '../support/peers/mcp/scripted.ts';
import type { Environment } from '../support/programs/python.ts';

/** MCP servers of the pages with the one tool that each has. */
const TOOL_OF: Readonly<Record<string, string>> = {
  issues: 'search_issues',
  wiki: 'find_page',
  hosts: 'describe_host',
  calendar: 'who_is_on_call',
  deploys: 'list_deployments',
};

/** Files that a page makes with Python, for readers who have none: by page, name and what stands in. */
const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/guide/tasks/apply-a-scikit-learn-model.md': { 'outage.onnx': 'tools/demo/outage_risk.onnx' },
};

/** Packages that the blocks `sh python` of a page import. */
export const PACKAGES_OF: Readonly<Record<string, Environment>> = {
  'docs/guide/tasks/apply-a-scikit-learn-model.md': 'onnx',
  'docs/guide/tasks/ask-from-python-and-langchain.md': 'openAi',
};

/** Puts the files of a page into the reader's folder. */
export function giveFiles(page: string, folder: string): void {
  for (const [name, file] of Object.entries(FILES[page] ?? {})) copyFileSync(join(project, file), join(folder, name));
}

/** Servers on loopback that stand in for the addresses and keys on the pages of the guide. */
export class StandIns {
  readonly #peers: Peer[];
  /** What stands on a page, and what is used in its place. */
  readonly #pairs: readonly (readonly [string, string])[];

  private constructor(peers: Peer[], pairs: readonly (readonly [string, string])[]) {
    this.#peers = peers;
    this.#pairs = pairs;
  }

  static async start(): Promise<StandIns> {
    const model = await startHttp((request, response) => {
      answerModel(request, response).catch((error) => sendJson(response, 400, { error: { message: String(error) } }));
    });
    const desk = await startHttp(deskServer());
    const tools = await Promise.all(Object.entries(TOOL_OF).map(([host, name]) => startTool(host, name)));
    const pairs = [
      ['https://llm.example.com', model.url],
      ['https://desk.example.com', desk.url],
      ...tools.map(({ page, peer }) => [page, peer.url] as const),
      ['sk-key-of-the-team', MODEL_KEY],
    ] as const;
    return new StandIns([model, desk, ...tools.map(({ peer }) => peer)], pairs);
  }

  /** @returns the text of a page with the servers that are there */
  replace(text: string): string {
    return this.#pairs.reduce((all, [onPage, here]) => all.replaceAll(onPage, here), text);
  }

  /** @returns an output as the page would show it */
  restore(text: string): string {
    return this.#pairs.reduce((all, [onPage, here]) => all.replaceAll(here, onPage), text);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#peers.map((peer) => peer.close()));
  }
}

async function startTool(host: string, name: string): Promise<{ page: string; peer: Peer }> {
  const answer = `${name} of ${host} was called`;
  const peer = await startAnswering(
    'tools/call',
    (response, message) =>
      sendJson(response, 200, rpcResult(message, { content: [{ type: 'text', text: answer }], isError: false })),
    [tool(name)],
  );
  return { page: `https://${host}.example.com/mcp`, peer };
}
