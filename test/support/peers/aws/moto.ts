import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pythonOf } from '../../programs/python.ts';

const ENV = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' };
const ROLE = 'arn:aws:iam::123456789012:role/service';

/** moto's server: an AWS account in memory. */
export class Moto {
  readonly url: string;
  readonly #child: ChildProcess;

  constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  static async start(): Promise<Moto> {
    const child = spawn(pythonOf('aws'), ['-m', 'moto.server', '-H', '127.0.0.1', '-p', '0'], {
      env: ENV,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    for await (const line of createInterface({ input: child.stderr })) {
      output += `${line}\n`;
      const url = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
      if (url === undefined) continue;
      child.stderr.resume();
      return new Moto(url, child);
    }
    throw new Error(`moto did not start: ${output}`);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill();
    await once(this.#child, 'exit');
  }

  /** @returns the id: moto makes it of the name and eight digits, so a name of two characters gives one that AWS would */
  async createKnowledgeBase(name: string, region: string): Promise<string> {
    const storage = {
      collectionArn: `arn:aws:aoss:${region}:123456789012:collection/abcdefghij1234567890`,
      vectorIndexName: 'index',
      fieldMapping: { vectorField: 'vector', textField: 'text', metadataField: 'metadata' },
    };
    const embeddingModelArn = `arn:aws:bedrock:${region}::foundation-model/amazon.titan-embed-text-v1`;
    const made = await this.#call('bedrock', region, 'PUT', '/knowledgebases/', {
      name,
      roleArn: ROLE,
      knowledgeBaseConfiguration: { type: 'VECTOR', vectorKnowledgeBaseConfiguration: { embeddingModelArn } },
      storageConfiguration: { type: 'OPENSEARCH_SERVERLESS', opensearchServerlessConfiguration: storage },
    });
    return (made as { knowledgeBase: { knowledgeBaseId: string } }).knowledgeBase.knowledgeBaseId;
  }

  async createEndpoint(name: string, region: string): Promise<void> {
    const variant = { VariantName: 'all', ModelName: name, InitialInstanceCount: 1, InstanceType: 'ml.m5.large' };
    const sagemaker = (action: string, body: object) =>
      this.#call('sagemaker', region, 'POST', '/', body, `SageMaker.${action}`);
    await sagemaker('CreateModel', { ModelName: name, ExecutionRoleArn: ROLE, PrimaryContainer: { Image: 'image' } });
    await sagemaker('CreateEndpointConfig', { EndpointConfigName: name, ProductionVariants: [variant] });
    await sagemaker('CreateEndpoint', { EndpointName: name, EndpointConfigName: name });
  }

  async #call(
    service: string,
    region: string,
    method: string,
    path: string,
    body: object,
    target?: string,
  ): Promise<unknown> {
    const reply = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        // moto reads service and region from here and looks at nothing else of it.
        authorization: `AWS4-HMAC-SHA256 Credential=seed/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`,
        'content-type': target === undefined ? 'application/json' : 'application/x-amz-json-1.1',
        ...(target === undefined ? {} : { 'x-amz-target': target }),
      },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`moto: ${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text);
  }
}

export interface SignedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  secret: string;
  token: string | undefined;
}

/** botocore's opinion of a signature. */
export class SignatureVerifier {
  readonly #child: ChildProcess;
  readonly #waiting: ((verdict: { ok: boolean; why: string }) => void)[] = [];

  constructor() {
    const script = join(import.meta.dirname, 'sigv4_verifier.py');
    this.#child = spawn(pythonOf('aws'), [script], { env: ENV, stdio: ['pipe', 'pipe', 'inherit'] });
    if (!this.#child.stdout) throw new Error('the verifier has no stdout');
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.(JSON.parse(line)));
  }

  /** @returns what is wrong with it, undefined when nothing is */
  async problem(request: SignedRequest): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<{ ok: boolean; why: string }>();
    this.#waiting.push(resolve);
    const line = { ...request, body: request.body.toString('base64'), token: request.token ?? null };
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
    const { ok, why } = await promise;
    return ok ? undefined : why;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.stdin?.end();
    await once(this.#child, 'exit');
  }
}
