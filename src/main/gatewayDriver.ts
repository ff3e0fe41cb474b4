import { gatewayContract } from '#gateway-contract';
import { uploadedModels } from '../app/dependencies/models/onnx.ts';
import { machineSlots } from '../app/dependencies/slots.ts';
import { gatewayReply } from '../app/gateway/gatewayReply.ts';
import { createProcess, type GatewayScope, gatewayScopes } from '../app/gateway/gatewayScope.ts';
import { mcpServer } from '../app/gateway/mcpServer.ts';
import { runDriver } from './runDriver.ts';

/** Slots take the place of the admission of `/ml`. */
const NO_ADMISSION = { enter: async () => {}, leave: () => {} };

/** The REST driver of `/ai_gateway`. */
export function main(): Promise<void> {
  const state = createProcess(mcpServer(), uploadedModels());
  return runDriver<GatewayScope>(
    gatewayContract,
    ({ scopes, settingsFor, log }) => ({
      scope: gatewayScopes(scopes, (request) => machineSlots(settingsFor(request), log), state),
      end: async () => {
        await Promise.all([state.usage.close(), state.entries.flush()]);
      },
      finish: (reply, request, requestId, scope) => gatewayReply(reply, request, requestId, scope?.slot.meter.times),
    }),
    () => NO_ADMISSION,
  );
}
