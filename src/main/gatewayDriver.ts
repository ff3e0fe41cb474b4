import { gatewayContract } from '#gateway-contract';
import { SecretCache } from '../app/dependencies/secretCache.ts';
import { gatewaySlots } from '../app/dependencies/slots.ts';
import { type GatewayScope, gatewayScopes } from '../app/request/gatewayScope.ts';
import { gatewayReply } from '../rest/gatewayReply.ts';
import { runDriver } from './runDriver.ts';

/** Slots take the place of the admission of `/ml`. */
const NO_ADMISSION = { enter: async () => {}, leave: () => {} };

/** The REST driver of `/ai_gateway`. */
export function main(): Promise<void> {
  const secrets = new SecretCache();
  return runDriver<GatewayScope>(
    gatewayContract,
    ({ scopes, settingsFor }) => ({
      scope: gatewayScopes(scopes, (request) => gatewaySlots(settingsFor(request)), secrets),
      finish: (reply, request, requestId, scope) => gatewayReply(reply, request, requestId, scope?.use.times),
    }),
    () => NO_ADMISSION,
  );
}
