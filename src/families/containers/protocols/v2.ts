import { objectIn } from './json.ts';
import type { ContainerProtocol } from './protocol.ts';
import { shapeProblem, statusProblem } from './status.ts';

/** The Open Inference Protocol of KServe, Triton, MLServer and OpenVINO's model server. */
export const v2: ContainerProtocol = {
  probe: async (read) => shapeProblem(await read('/v2'), isServer) || statusProblem(await read('/v2/health/ready')),
};

function isServer(text: string): boolean {
  const { name, version, extensions = [] } = objectIn(text);
  return typeof name === 'string' && typeof version === 'string' && Array.isArray(extensions);
}
