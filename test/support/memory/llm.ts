import { createOAuthTokenClient } from '../../../src/adapters/oauth/oauthTokenClient.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import type { CloudAccess } from '../../../src/ports/cloud/cloudAccess.ts';
import type { CloudInvocation } from '../../../src/ports/cloud/cloudModels.ts';
import type { HttpAnswer, HttpCall } from '../../../src/ports/llm/http.ts';
import type { HostedSite, LlmDependencies } from '../../../src/ports/llm/llmDependencies.ts';
import type { PlatformTenant, Tenant, TenantModel } from '../../../src/ports/llm/platformTenant.ts';

/** A site on premises, until it is given a tenant. */
class FakeTenant implements PlatformTenant {
  value: Tenant | undefined;
  /** Thrown in place of the tenant. */
  failure: Error | undefined;
  /** Tokens that the platform gives one after the other. */
  tokens = ['tenant-token-canary-1', 'tenant-token-canary-2'];
  #models: readonly TenantModel[] | undefined;

  find = async (): Promise<Tenant | undefined> => {
    if (this.failure) throw this.failure;
    return this.value;
  };
  token = async (): Promise<string> => this.tokens[0] ?? '';
  renewed = async (_: Tenant, refused: string): Promise<string | undefined> => {
    if (this.tokens[0] === refused) this.tokens.shift();
    return this.tokens[0];
  };
  models = (): readonly TenantModel[] | undefined => this.#models;
  keepModels = (_: Tenant, models: readonly TenantModel[]): void => {
    this.#models = models;
  };
}

type LlmAnswer = Partial<HttpAnswer> & { json?: unknown };

/** Providers in memory: every call is recorded, `answer` decides. */
export class FakeLlm implements LlmDependencies {
  readonly calls: HttpCall[] = [];
  readonly accesses: CloudAccess[] = [];
  site: HostedSite = {};
  answer: (call: HttpCall) => LlmAnswer | Promise<LlmAnswer> = () => ({ status: 200, json: {} });
  converseOutput: (input: Record<string, unknown>) => Record<string, unknown> = () => ({
    output: { message: { content: [{ text: 'ok' }] } },
  });
  invocation: (body: Record<string, unknown>) => Omit<CloudInvocation, 'httpStatus'> = () => ({ output: {} });

  http = {
    request: async (call: HttpCall): Promise<HttpAnswer> => {
      this.calls.push(call);
      const { json, ...answer } = await this.answer(call);
      return { status: 200, headers: {}, text: json === undefined ? '' : JSON.stringify(json), ...answer };
    },
  };

  /** Servers of tokens are asked as providers are. */
  tokens = createOAuthTokenClient({
    request: async ({ method, url, headers = {}, body, deadline, verifyTls, caCertificate, secrets = [] }) => {
      const hidden = secrets.filter((secret) => secret !== undefined);
      const call = { method: method as 'POST', url, headers, body: String(body), deadline, verifyTls, caCertificate };
      const answer = await this.http.request({ ...call, secrets: hidden });
      return { ...answer, body: Buffer.from(answer.text) };
    },
  });

  cloud = {
    list: async (access: CloudAccess) => {
      this.accesses.push(access);
      return ['model-a'];
    },
    converse: async (access: CloudAccess, _model: string, input: Record<string, unknown>) => {
      this.accesses.push(access);
      if (access.region === 'us-gov-west-1') throw new OutboundError('permission_denied', 'No', { httpStatus: 403 });
      return { httpStatus: 200, output: this.converseOutput(input) };
    },
    invoke: async (access: CloudAccess, _model: string, body: Record<string, unknown>) => {
      this.accesses.push(access);
      return { httpStatus: 200, ...this.invocation(body) };
    },
  };

  readonly tenant = new FakeTenant();
  hostedEndpoint = async (): Promise<string | undefined> => this.site.endpoint;
  hostedSite = async (): Promise<HostedSite> => this.site;
}
