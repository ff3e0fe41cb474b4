import type { IncomingMessage } from 'node:http';

export interface AwsCall {
  /** `AssumeRole`, `GetKnowledgeBase`, `Retrieve`, `DescribeEndpoint`, `ListFoundationModels` … */
  operation: string;
  /** STS speaks XML, all others JSON. */
  isXml: boolean;
  /** From the credential scope. */
  region: string;
  service: string;
  role?: string | undefined;
  /** Id of a knowledge base or model, from the path. */
  id?: string | undefined;
}

export interface Repaired {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ROUTES: [method: string, path: RegExp, operation: string][] = [
  ['GET', /^\/knowledgebases\/([^/]+)\/?$/, 'GetKnowledgeBase'],
  ['POST', /^\/knowledgebases\/([^/]+)\/retrieve$/, 'Retrieve'],
  ['POST', /^\/endpoints\/([^/]+)\/invocations$/, 'InvokeEndpoint'],
  ['GET', /^\/foundation-models$/, 'ListFoundationModels'],
  ['GET', /^\/inference-profiles$/, 'ListInferenceProfiles'],
  ['POST', /^\/model\/([^/]+)\/converse$/, 'Converse'],
  ['POST', /^\/model\/([^/]+)\/invoke$/, 'InvokeModel'],
  ['POST', /^\/runtimes\/([^/]+)\/invocations$/, 'InvokeAgentRuntime'],
  ['PUT', /^\/runtimes\/?$/, 'CreateAgentRuntime'],
  ['POST', /^\/runtimes\/?$/, 'ListAgentRuntimes'],
  ['GET', /^\/runtimes\/([^/]+)\/?$/, 'GetAgentRuntime'],
  ['DELETE', /^\/runtimes\/([^/]+)\/?$/, 'DeleteAgentRuntime'],
];
export const MODELS = ['amazon.nova-lite-v1:0', 'anthropic.claude-haiku-4-5-20251001-v1:0'];
/** Can be called through its profile only. */
export const PROFILED_MODEL = MODELS[1] as string;
export const PROFILE = `eu.${PROFILED_MODEL}`;

export function readCall(request: IncomingMessage, body: Buffer): AwsCall {
  const [, region = '', service = ''] =
    /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
  const scope = { region, service };
  const target = request.headers['x-amz-target'];
  if (typeof target === 'string') return { operation: target.split('.').at(-1) ?? target, isXml: false, ...scope };
  const { pathname } = new URL(request.url ?? '/', 'http://gateway');
  for (const [method, path, operation] of ROUTES) {
    const found = request.method === method ? path.exec(pathname) : null;
    if (found) return { operation, isXml: false, ...scope, id: decodeURIComponent(found[1] ?? '') };
  }
  const form = new URLSearchParams(body.toString());
  const operation = form.get('Action') ?? `${request.method} ${pathname}`;
  return { operation, isXml: true, ...scope, role: form.get('RoleArn') ?? undefined };
}

/** An error as the service writes it; STS uses other names. */
export function awsError(call: AwsCall, status: number, name: string, message: string, stsName = name): Repaired {
  if (call.isXml) {
    const body = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${stsName}</Code><Message>${escaped(message)}</Message></Error><RequestId>r</RequestId></ErrorResponse>`;
    return { status, headers: { 'content-type': 'text/xml' }, body: Buffer.from(body) };
  }
  const body = Buffer.from(JSON.stringify({ __type: name, message }));
  return { status, headers: { ...JSON_TYPE, 'x-amzn-errortype': `${name}:http://internal.amazon.com/` }, body };
}

export const expiredToken = (call: AwsCall) =>
  awsError(call, 403, 'ExpiredTokenException', 'The security token included in the request is expired', 'ExpiredToken');

export const pageOf = (status: number): Repaired => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<!DOCTYPE html><html><title>Sign in</title><body>canary-page</body></html>'),
});

const json = (body: object): Repaired => ({ status: 200, headers: JSON_TYPE, body: Buffer.from(JSON.stringify(body)) });
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The answer of moto, corrected to that of AWS. */
export async function repaired(
  moto: string,
  call: AwsCall,
  request: IncomingMessage,
  body: Buffer,
  statuses: ReadonlyMap<string, string>,
): Promise<Repaired> {
  switch (call.operation) {
    case 'GetKnowledgeBase':
      return knowledgeBase(await forward(moto, request, body), call, statuses);
    case 'Retrieve': {
      // moto has no retrieval: it is there where the knowledge base is.
      const { authorization = '' } = request.headers;
      const reply = await fetch(`${moto}/knowledgebases/${call.id}`, { headers: { authorization } });
      if (!reply.ok)
        return awsError(call, 404, 'ResourceNotFoundException', `Knowledge Base ${call.id} does not exist`);
      const { retrievalQuery } = JSON.parse(body.toString()) as { retrievalQuery: { text: string } };
      return json({ retrievalResults: [{ content: { text: `about ${retrievalQuery.text}` }, score: 0.5 }] });
    }
    case 'DescribeEndpoint':
      return endpoint(await forward(moto, request, body), body, statuses);
    case 'ListFoundationModels':
      return json({ modelSummaries: MODELS.map((modelId) => ({ modelId, modelArn: `arn:aws:bedrock:::${modelId}` })) });
    case 'ListInferenceProfiles':
      return json({ inferenceProfileSummaries: [profile(PROFILE)] });
    case 'Converse':
      return converse(call);
    case 'InvokeModel':
      return invokeModel(call);
    case 'InvokeAgentRuntime':
      return json({ output: `heard ${(JSON.parse(body.toString()) as { input: unknown }).input}` });
    default:
      return forward(moto, request, body);
  }
}

async function forward(moto: string, request: IncomingMessage, body: Buffer): Promise<Repaired> {
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
  const reply = await fetch(`${moto}${request.url}`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
  const type = reply.headers.get('x-amzn-errortype');
  return {
    status: reply.status,
    headers: {
      'content-type': reply.headers.get('content-type') ?? 'application/json',
      ...(type === null ? {} : { 'x-amzn-errortype': type }),
    },
    body: Buffer.from(await reply.arrayBuffer()),
  };
}

/** moto writes times as numbers and the status in small letters, and has 400 where AWS has 404. */
function knowledgeBase(answer: Repaired, call: AwsCall, statuses: ReadonlyMap<string, string>): Repaired {
  if (answer.status !== 200) {
    return awsError(call, 404, 'ResourceNotFoundException', `Knowledge Base ${call.id} does not exist`);
  }
  const parsed = JSON.parse(answer.body.toString()) as { knowledgeBase: Record<string, unknown> };
  const { createdAt, updatedAt, status } = parsed.knowledgeBase;
  const time = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString();
  return json({
    knowledgeBase: {
      ...parsed.knowledgeBase,
      createdAt: time(createdAt),
      updatedAt: time(updatedAt),
      status: statuses.get(call.id ?? '') ?? String(status).toUpperCase(),
    },
  });
}

/** In moto every endpoint is in service at once. */
function endpoint(answer: Repaired, asked: Buffer, statuses: ReadonlyMap<string, string>): Repaired {
  const { EndpointName } = JSON.parse(asked.toString()) as { EndpointName: string };
  const status = statuses.get(EndpointName);
  if (status === undefined || answer.status !== 200) return answer;
  const parsed = JSON.parse(answer.body.toString()) as Record<string, unknown>;
  const failed = status === 'Failed' ? { FailureReason: 'The image could not be pulled' } : {};
  const headers = { 'content-type': 'application/x-amz-json-1.1' };
  return { ...answer, headers, body: Buffer.from(JSON.stringify({ ...parsed, EndpointStatus: status, ...failed })) };
}

const profile = (inferenceProfileId: string) => ({
  inferenceProfileId,
  inferenceProfileName: inferenceProfileId,
  inferenceProfileArn: `arn:aws:bedrock:eu-central-1:123456789012:inference-profile/${inferenceProfileId}`,
  models: [],
  status: 'ACTIVE',
  type: 'SYSTEM_DEFINED',
});

function invokeModel(call: AwsCall): Repaired {
  if (call.id === 'html') return { ...json({}), body: Buffer.from('<html>') };
  if (call.id === 'short') {
    const message = '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9000';
    return awsError(call, 400, 'ValidationException', message);
  }
  const answer = json({ embeddings: { float: [[0.5]] } });
  return { ...answer, headers: { ...answer.headers, 'x-amzn-bedrock-input-token-count': '4' } };
}

function converse(call: AwsCall): Repaired {
  if (call.id === PROFILED_MODEL) {
    const message = `Invocation of model ID ${call.id} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`;
    return awsError(call, 400, 'ValidationException', message);
  }
  if (call.id !== PROFILE && !MODELS.includes(call.id ?? '')) {
    return awsError(call, 400, 'ValidationException', 'The provided model identifier is invalid.');
  }
  return json({
    output: { message: { role: 'assistant', content: [{ text: 'Hello' }, { text: ' there' }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
    metrics: { latencyMs: 1 },
  });
}
