import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Peer, startHttp } from '../listen.ts';
import { type AwsCall, awsError, expiredToken, pageOf, type Repaired, readCall, repaired } from './awsAnswers.ts';
import { Moto, SignatureVerifier } from './moto.ts';

export type FaultKind =
  | 'throttle'
  | 'unavailable'
  | 'slow'
  | 'reset'
  | 'html'
  | 'expired'
  | 'denied'
  | 'huge'
  | 'garbage'
  | 'skewed';

export interface Fault {
  /** `AssumeRole`, `GetKnowledgeBase`, `Retrieve`, `DescribeEndpoint` …; all where absent. */
  operation?: string;
  kind: FaultKind;
  /** How many calls it spoils; all where absent. */
  times?: number;
  retryAfter?: number;
}

interface Identity {
  secret: string;
  token?: string | undefined;
}

export const REGION = 'eu-central-1';
export const KEY_ID = 'AKIAGATEWAYEXAMPLE01';
export const SECRET_KEY = 'canary/secret+key+0123456789abcdefABCDEF';
export const DENIED_ROLE = 'arn:aws:iam::123456789012:role/closed';
export const ROLE = 'arn:aws:iam::123456789012:role/path/reader';

/**
 * AWS for tests: moto behind a gateway that verifies every signature with botocore, repairs what moto does differently
 * from AWS, adds what moto lacks (Retrieve, Bedrock models), and plays faults.
 */
export class AwsGateway {
  readonly url: string;
  readonly moto: Moto;
  /** Every call that arrived, its signature checked or not. */
  readonly calls: (AwsCall & { keyId: string; httpVersion: string })[] = [];
  faults: Fault[] = [];
  /** Status that moto would not have, by endpoint name or knowledge base id. */
  readonly statuses = new Map<string, string>();
  readonly #identities = new Map<string, Identity>([[KEY_ID, { secret: SECRET_KEY }]]);
  readonly #verifier = new SignatureVerifier();
  readonly #peer: Peer;

  private constructor(moto: Moto, peer: Peer) {
    this.moto = moto;
    this.#peer = peer;
    this.url = peer.url;
  }

  static async start(): Promise<AwsGateway> {
    const moto = await Moto.start();
    let gateway: AwsGateway | undefined;
    const peer = await startHttp((request, response) => {
      gateway?.answer(request, response).catch((error) => response.destroy(error));
    });
    gateway = new AwsGateway(moto, peer);
    return gateway;
  }

  async stop(): Promise<void> {
    await Promise.all([this.#peer.close(), this.#verifier.stop(), this.moto.stop()]);
  }

  /** Forgets calls, faults and statuses. */
  reset(): void {
    this.calls.length = 0;
    this.faults = [];
    this.statuses.clear();
  }

  /** Credentials that AWS knows from now on. */
  trust(keyId: string, secret: string, token?: string): void {
    this.#identities.set(keyId, { secret, token });
  }

  operations(): string[] {
    return this.calls.map(({ operation }) => operation);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const call = readCall(request, body);
    const keyId = /Credential=([^/,]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    this.calls.push({ ...call, keyId, httpVersion: request.httpVersion });
    const fault = this.#fault(call.operation);
    if (fault && (await play(fault, call, request, response))) return;
    const refusal = await this.#refusal(call, request, body, keyId);
    const answer = refusal ?? (await this.#work(call, request, body));
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  #fault(operation: string): Fault | undefined {
    const fault = this.faults.find((one) => one.operation === undefined || one.operation === operation);
    if (fault?.times !== undefined) {
      fault.times -= 1;
      if (fault.times <= 0) this.faults = this.faults.filter((one) => one !== fault);
    }
    return fault;
  }

  async #refusal(call: AwsCall, request: IncomingMessage, body: Buffer, keyId: string): Promise<Repaired | undefined> {
    const identity = this.#identities.get(keyId);
    const invalid = 'The security token included in the request is invalid.';
    if (!identity) return awsError(call, 403, 'UnrecognizedClientException', invalid, 'InvalidClientTokenId');
    const { host = '', ...headers } = request.headers as Record<string, string>;
    const problem = await this.#verifier.problem({
      method: request.method ?? '',
      url: `http://${host}${request.url}`,
      headers: { ...headers, host },
      body,
      secret: identity.secret,
      token: identity.token,
    });
    if (problem === undefined) return undefined;
    const message = `The request signature we calculated does not match the signature you provided. ${problem}`;
    return awsError(call, 403, 'InvalidSignatureException', message, 'SignatureDoesNotMatch');
  }

  async #work(call: AwsCall, request: IncomingMessage, body: Buffer): Promise<Repaired> {
    if (call.operation === 'AssumeRole' && call.role === DENIED_ROLE) {
      const message = `User: arn:aws:iam::123456789012:user/test is not authorized to perform: sts:AssumeRole on resource: ${DENIED_ROLE}`;
      return awsError(call, 403, 'AccessDeniedException', message, 'AccessDenied');
    }
    const answer = await repaired(this.moto.url, call, request, body, this.statuses);
    if (call.operation === 'AssumeRole') this.#learn(answer.body.toString());
    return answer;
  }

  /** The credentials that moto has just given out are good from now on. */
  #learn(xml: string): void {
    const value = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1];
    const [keyId, secret, token] = [value('AccessKeyId'), value('SecretAccessKey'), value('SessionToken')];
    if (keyId !== undefined && secret !== undefined) this.trust(keyId, secret, token);
  }
}

/** @returns true when the call is answered (or will never be) */
async function play(fault: Fault, call: AwsCall, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const send = ({ status, headers, body }: Repaired) => response.writeHead(status, headers).end(body);
  switch (fault.kind) {
    case 'throttle': {
      const answer = awsError(call, 400, 'ThrottlingException', 'Rate exceeded', 'Throttling');
      const retry: Record<string, string> =
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      send({ ...answer, headers: { ...answer.headers, ...retry } });
      return true;
    }
    case 'unavailable':
      send(awsError(call, 503, 'ServiceUnavailableException', 'Try again', 'ServiceUnavailable'));
      return true;
    case 'expired':
      send(expiredToken(call));
      return true;
    case 'denied':
      send(awsError(call, 403, 'AccessDeniedException', `not authorized to perform ${call.operation}`, 'AccessDenied'));
      return true;
    case 'html':
      send(pageOf(200));
      return true;
    case 'garbage':
      send({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"knowledgeBase":') });
      return true;
    case 'huge': {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ filler: 'x'.repeat(9 * 1024 * 1024) }));
      return true;
    }
    case 'reset':
      request.socket.destroy();
      return true;
    case 'skewed': {
      const answer = awsError(call, 403, 'RequestTimeTooSkewed', 'The difference is too large', 'RequestTimeTooSkewed');
      send({ ...answer, headers: { ...answer.headers, date: new Date(Date.now() + 3_600_000).toUTCString() } });
      return true;
    }
    case 'slow':
      return true;
  }
}
