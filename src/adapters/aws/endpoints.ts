import { OutboundError } from '../../contract/codes/outbound.ts';
import { callableUrl } from '../outbound/guard.ts';
import type { AwsService } from './clients.ts';

export interface EndpointSources {
  /** `ml_extension.conf [aws]`. */
  conf: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * The endpoint override of a service. Order: conf for the service, conf for all services, then the SDK's environment
 * variables in the same order. Undefined means the AWS endpoint.
 * @throws OutboundError `configuration_invalid` naming the setting
 */
export function endpointOverride(service: AwsService, { conf, env }: EndpointSources): string | undefined {
  const candidates: [string, string | undefined][] = [
    [`ml_extension.conf [aws] endpoint_url_${service}`, conf[`endpoint_url_${service}`]],
    ['ml_extension.conf [aws] endpoint_url', conf.endpoint_url],
    [`AWS_ENDPOINT_URL_${service.toUpperCase()}`, env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`]],
    ['AWS_ENDPOINT_URL', env.AWS_ENDPOINT_URL],
  ];
  for (const [setting, value] of candidates) {
    const address = value?.trim();
    if (address) return checked(setting, address);
  }
  return undefined;
}

function checked(setting: string, address: string): string {
  try {
    return callableUrl(address).href;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new OutboundError('configuration_invalid', `${setting} cannot be used: ${error.message}`);
  }
}
