import { type Agent, MlExtensionError } from '../../client/src/index.ts';

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
