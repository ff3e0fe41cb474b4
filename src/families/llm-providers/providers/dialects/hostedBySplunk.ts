import { OutboundError } from '../../../../contract/codes/outbound.ts';
import { redact } from '../../../../domain/net/redact.ts';
import type { LlmDependencies } from '../../../../ports/llm/llmDependencies.ts';
import type { Tenant, TenantModel } from '../../../../ports/llm/platformTenant.ts';
import type { Deadline } from '../../../../ports/platform/clock.ts';
import type { Upstream } from '../../../../ports/platform/upstream.ts';
import { askWithToken } from '../../tokens/askWithToken.ts';
import { clientOf } from '../httpClient.ts';
import type { LlmClient, Target } from '../provider.ts';
import { slimDialect } from './slim.ts';

/** Names in a message. */
const MAX_NAMED = 20;
const MAX_NAMES = 1000;

/** Models that Splunk hosts for the platform's tenant, called with the platform's token. */
export function tenantClient(
  { settings, hidden }: Target,
  { http, tenant: platform }: Pick<LlmDependencies, 'http' | 'tenant'>,
  tenant: Tenant,
): LlmClient {
  const endpoint = `https://${tenant.host}/${tenant.tenant}/slim-api/v1alpha1`;

  function clientWith(token: string, extraHeaders?: TenantModel['extraHeaders']): LlmClient {
    const dialect = slimDialect(extraHeaders, (models) => platform.keepModels(tenant, models));
    const target = { settings: { ...settings, endpoint, access_token: token }, hidden: [...hidden, token] };
    return clientOf(async () => dialect)(target, { http });
  }

  const ask = <T>(deadline: Deadline, call: (token: string) => Promise<T>): Promise<T> =>
    askWithToken(
      {
        get: () => platform.token(tenant, deadline),
        renewed: (refused) => platform.renewed(tenant, refused, deadline),
      },
      call,
    );

  const list = (deadline: Deadline) => ask(deadline, (token) => clientWith(token).list(deadline));

  /** The model of a name or an id, which are listed anew if nobody has done so recently, or the model is not among them. */
  async function modelOf(name: string, upstream: Upstream): Promise<TenantModel> {
    const isMeant = (model: TenantModel) => model.id === name || model.name === name;
    const recent = platform.models(tenant)?.find(isMeant);
    if (recent) return recent;
    const { status: httpStatus, ids } = await upstream.request(() => list(upstream), { isCounted: false });
    const model = platform.models(tenant)?.find(isMeant);
    if (model) return model;
    throw new OutboundError('model_not_found', notHosted(name, tenant, ids), { httpStatus });
  }

  return {
    async chat(name, request, upstream) {
      const { id, extraHeaders } = await modelOf(name, upstream);
      try {
        return await ask(upstream, (token) => clientWith(token, extraHeaders).chat(id, request, upstream));
      } catch (error) {
        // Its id may be another one by now.
        if (error instanceof OutboundError && error.code === 'model_not_found') platform.keepModels(tenant, []);
        throw error;
      }
    },
    async embed() {
      throw new OutboundError('not_supported', 'Splunk hosts no models for embeddings', { param: 'model' });
    },
    list,
  };
}

function notHosted(name: string, { tenant }: Tenant, names: readonly string[]): string {
  if (names.length === 0) return `Splunk hosts no models for the tenant ${tenant}`;
  const shown = redact(names.slice(0, MAX_NAMED).join(', '), [], MAX_NAMES);
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `Splunk does not host ${name} for the tenant ${tenant}, but ${shown}${more}`;
}
