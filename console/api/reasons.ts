import { type Agent, MlExtensionError } from '../../client/src/index.ts';

/** Reason of an engine -> remedy. The error code says only that the engine refused. */
const REMEDIES: Readonly<Record<string, string>> = {
  image_not_found: 'Check name and tag in the image catalog, and push or pull the image.',
  image_name_invalid: 'Correct the image name in the image catalog.',
  image_pull_failed: 'Check registry access and free disk space of the engine. Then start it again.',
  image_pull_interrupted: 'The app stopped while it pulled the image. Start it again.',
  port_conflict: 'Free the port, or let the engine choose ports.',
  network_missing: 'Create the network of the connection, or choose another one.',
  runtime_unavailable: 'Install the runtime on the engine, or start without GPU.',
  quota_exceeded: 'Stop other containers, or request less CPU and memory.',
  forbidden: 'Grant the account of the connection this permission in the engine.',
  unschedulable: 'Request less CPU and memory, or add nodes to the cluster.',
  volume_unbound: 'Check the storage class of the connection and the volumes of the cluster.',
  crashed: 'Fix the cause shown in the log, then start it again.',
  crash_loop: 'Stop it, fix the cause shown in the log of the previous instance, and start it.',
  oom_killed: 'Start it again with more memory.',
  exited: 'See the log for the cause. Start it again if it should run.',
  removed_externally: 'Start it again if it should run.',
};

export const remedyOfReason = (reason: string): string | undefined =>
  Object.hasOwn(REMEDIES, reason) ? REMEDIES[reason] : undefined;

/** Error code -> remedy in the words of the pages, where that of the API speaks of requests and their fields. */
const PLAIN: Readonly<Record<string, string>> = {
  acl_denied: 'Ask its owner, who is named in its panel.',
  already_exists: 'Choose another name, or allow overwriting.',
  feature_disabled: 'Ask an administrator to switch it on.',
  limit_exceeded: 'Wait until the limit resets, or ask an administrator to raise it.',
  model_not_found: 'Choose a model that the server lists. Azure expects the deployment name, Ollama a pulled model.',
  rate_limited: 'Wait a minute, then try again.',
  secret_required_for_new_host: 'Enter the secrets that the message names again.',
  unreadable_record: 'An administrator can delete it.',
  validation_failed: 'Correct what the message names, then try again.',
};

export const remedyOfCode = (code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(PLAIN, code) ? PLAIN[code] : undefined;

/** The remedy of a failed agent, with the action that follows it; undefined for other agents. */
export function remedyOfAgent({ state, remedy }: Pick<Agent, 'state' | 'remedy'>): string | undefined {
  if (state !== 'Failed' && state !== 'Delete Failed') return undefined;
  const again = state === 'Failed' ? 'Then retry it.' : 'Then delete it again.';
  return `${remedy ?? 'Fix the cause.'} ${again}`;
}

/** The reason of an engine's refusal or of a failed test; undefined for several reasons. */
export function engineReason(error: unknown): string | undefined {
  if (!(error instanceof MlExtensionError)) return undefined;
  const { reason, cause, problems } = error.body as { reason?: unknown; cause?: unknown; problems?: readonly string[] };
  if (problems && problems.length > 1) return undefined;
  const first = reason ?? cause;
  return typeof first === 'string' ? first : undefined;
}
