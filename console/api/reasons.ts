import { MlExtensionError } from '../../client/src/index.ts';

/** Why a container does not run -> what a person can do about it. Codes of the API say only that the engine has refused. */
const REMEDIES: Readonly<Record<string, string>> = {
  image_not_found: 'Check the name and the tag in the catalog of images, and pull or push the image.',
  image_name_invalid: 'Correct the name of the image in the catalog of images.',
  image_pull_failed:
    'Check that the engine reaches the registry and may pull the image, and that its disk has room. Then start it anew.',
  image_pull_interrupted: 'The app was ended while it pulled the image. Start it anew.',
  port_conflict: 'Stop what uses the port, or let the engine choose ports.',
  network_missing: 'Make the network that the connection names, or name another one.',
  runtime_unavailable: 'The engine has no such runtime: install it there, or start without the GPU.',
  quota_exceeded: 'Stop what is not needed, or ask for less CPU and memory.',
  forbidden: 'Have the account of the connection permitted to do this in the engine.',
  unschedulable: 'Ask for less CPU and memory, or give the cluster more nodes.',
  volume_unbound: 'Check the storage class of the connection and the volumes of the cluster.',
  crashed: 'The log tells why. Start it anew once that is mended.',
  crash_loop: 'The log of the previous instance tells why. Stop it, and start it once that is mended.',
  oom_killed: 'Start it anew with more memory.',
  exited: 'The log tells why. Start it anew if it should run.',
  removed_externally: 'Start it anew if it should run.',
};

export const remedyOfReason = (reason: string): string | undefined =>
  Object.hasOwn(REMEDIES, reason) ? REMEDIES[reason] : undefined;

/** Why a container's engine has refused a call, or why a test before a save has failed; undefined where there are several reasons. */
export function engineReason(error: unknown): string | undefined {
  if (!(error instanceof MlExtensionError)) return undefined;
  const { reason, cause, problems } = error.body as { reason?: unknown; cause?: unknown; problems?: readonly string[] };
  if (problems && problems.length > 1) return undefined;
  const first = reason ?? cause;
  return typeof first === 'string' ? first : undefined;
}
