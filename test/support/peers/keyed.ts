import type { IncomingMessage, ServerResponse } from 'node:http';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import { awsError, readCall } from './aws/awsAnswers.ts';
import { type Peer, readBody, sendJson, startHttp } from './listen.ts';
import { answerLegacy, type RpcMessage } from './mcp/scripted.ts';

/**
 * One server for everything that is called with a key: an MCP server (`/mcp`), a provider in OpenAI's dialect (`/v1`), the API of
 * a Kubernetes cluster (`/version`, `/api`, `/apis`), knowledge bases and model endpoints of AWS, which also predict. Whoever has a key that works is served, others are refused with their key in the answer, as
 * careless servers do it. It can be made to wait.
 */
export class KeyedPeer {
  readonly url: string;
  /** Keys that work: bearer tokens, and secret access keys of AWS. */
  readonly working = new Set<string>();
  /** The key of every request, in their order. */
  readonly asked: (string | undefined)[] = [];
  /** Secret access keys that are known by their signatures, whether or not they work. */
  readonly aws = new Set<string>();
  /** State of every knowledge base and model endpoint. */
  states = { knowledgeBase: 'ACTIVE', endpoint: 'InService' };
  /** Whether the provider has a list of its models. */
  lists = true;
  readonly #peer: Peer;
  #gate: { key: string | undefined; arrived(): void; open: Promise<void> } | undefined;

  private constructor(peer: Peer) {
    this.#peer = peer;
    this.url = peer.url;
  }

  static async start(): Promise<KeyedPeer> {
    let keyed: KeyedPeer | undefined;
    const peer = await startHttp((request, response) => {
      keyed?.answer(request, response).catch((error) => response.destroy(error));
    });
    keyed = new KeyedPeer(peer);
    return keyed;
  }

  close = (): Promise<void> => this.#peer.close();

  reset(): void {
    this.working.clear();
    this.asked.length = 0;
    this.states = { knowledgeBase: 'ACTIVE', endpoint: 'InService' };
    this.lists = true;
  }

  /** Makes every request wait, or those with one key. */
  hold(key?: string): { /** One has come. */ arrived: Promise<void>; release(): void } {
    const { promise: open, resolve } = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    this.#gate = { key, arrived: first.resolve, open };
    return {
      arrived: first.promise,
      release: () => {
        this.#gate = undefined;
        resolve();
      },
    };
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const { authorization = '' } = request.headers;
    const key = authorization.startsWith('AWS4-')
      ? await this.#signer(request, body)
      : /^Bearer (.+)$/.exec(authorization)?.[1];
    this.asked.push(key);
    const gate = this.#gate;
    if (gate && (gate.key ?? key) === key) {
      gate.arrived();
      await gate.open;
    }
    const isServed = key !== undefined && this.working.has(key);
    if (authorization.startsWith('AWS4-')) this.#answerAws(request, response, body, isServed, key);
    else if (request.url?.startsWith('/v1')) this.#answerProvider(request, response, isServed, key);
    else if (/^\/(version|apis?\/)/.test(request.url ?? '')) answerCluster(request, response, isServed, key);
    else answerMcp(request, response, body, isServed, key);
  }

  #answerAws(request: IncomingMessage, response: ServerResponse, body: string, isServed: boolean, key?: string): void {
    const call = readCall(request, Buffer.from(body));
    const refusal = awsError(call, 403, 'UnrecognizedClientException', `The security token ${key} is invalid.`);
    const { knowledgeBase, endpoint } = this.states;
    if (!isServed) response.writeHead(refusal.status, refusal.headers).end(refusal.body);
    else if (call.operation === 'DescribeEndpoint') sendJson(response, 200, { EndpointStatus: endpoint });
    else if (call.operation === 'InvokeEndpoint') sendJson(response, 200, { predictions: sumsOf(body) });
    else sendJson(response, 200, { knowledgeBase: { name: 'Runbooks', status: knowledgeBase } });
  }

  #answerProvider(request: IncomingMessage, response: ServerResponse, isServed: boolean, key?: string): void {
    const message = `Incorrect API key provided: ${key}.`;
    if (!this.lists && request.method === 'GET') sendJson(response, 404, { error: { message: 'Not found' } });
    else if (!isServed) sendJson(response, 401, { error: { message, code: 'invalid_api_key' } });
    else if (request.method === 'GET') sendJson(response, 200, { object: 'list', data: [{ id: 'gpt-4o-mini' }] });
    else sendJson(response, 200, { choices: [{ message: { role: 'assistant', content: 'ok' } }] });
  }

  /** The secret access key that a request was signed with; undefined when none fits that is known. */
  async #signer(request: IncomingMessage, body: string): Promise<string | undefined> {
    for (const secret of this.aws) if (await isSignedWith(secret, request, body)) return secret;
    return undefined;
  }
}

/** What the model at every endpoint predicts: the sum of a row's numbers. */
const sumsOf = (body: string): number[] =>
  (JSON.parse(body) as { instances: Record<string, number>[] }).instances.map((row) =>
    Object.values(row).reduce((sum, value) => sum + Number(value), 0),
  );

/** Whether a request of AWS was signed with this key. */
export async function isSignedWith(secretAccessKey: string, request: IncomingMessage, body: string): Promise<boolean> {
  const { authorization = '', 'x-amz-date': date = '', host = '' } = request.headers;
  const [, accessKeyId = '', region = '', service = '', names = ''] =
    /Credential=([^/]+)\/\d+\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+)/.exec(authorization) ?? [];
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${host}`);
  const headers = Object.fromEntries(names.split(';').map((name) => [name, String(request.headers[name])]));
  const signature = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey },
    region,
    service,
    sha256: Sha256,
    applyChecksum: false,
  });
  const signed = await signature.sign(
    {
      method: request.method ?? 'GET',
      protocol: 'http:',
      hostname: host,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers,
      body,
    },
    { signingDate: dateOf(String(date)), signableHeaders: new Set(names.split(';')) },
  );
  return signed.headers.authorization === authorization;
}

/** `20261122T101500Z`. */
const dateOf = (text: string) =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

function answerMcp(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  isServed: boolean,
  key: string | undefined,
): void {
  if (!isServed)
    sendJson(response, 401, { error: 'invalid_token', error_description: `The token ${key} is not known` });
  else if (body === '') sendJson(response, request.method === 'DELETE' ? 200 : 405, {});
  else answerLegacy(response, JSON.parse(body) as RpcMessage, () => ({ tools: [] }));
}

/** A valid key may do everything, and every object exists. */
function answerCluster(request: IncomingMessage, response: ServerResponse, isServed: boolean, key?: string): void {
  const [name = ''] = /[^/]+$/.exec(request.url ?? '') ?? [];
  if (!isServed) sendJson(response, 401, { kind: 'Status', code: 401, message: `The token ${key} is not known` });
  else if (name.startsWith('version')) sendJson(response, 200, { major: '1', minor: '31', gitVersion: 'v1.31.0' });
  else if (name.startsWith('selfsubject')) sendJson(response, 201, { spec: {}, status: { allowed: true } });
  else sendJson(response, 200, { metadata: { name } });
}
