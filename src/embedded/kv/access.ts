import { type AccessRule, type HostedApp, type PlatformCaller, PlatformError, type PlatformRequest } from '../types.ts';

/** The server answers 401 before an endpoint is asked; this is the belt to those braces. */
export function callerOf(req: Pick<PlatformRequest, 'caller'>): PlatformCaller {
  if (req.caller === undefined) throw new PlatformError(401, 'Unauthorized');
  return req.caller;
}

/** Access rules of the app's metadata; `admin_all_objects` and the system user pass every one of them. */
export function mayAccess(caller: PlatformCaller, rule: AccessRule, half: 'read' | 'write'): boolean {
  if (caller.system || caller.capabilities.has('admin_all_objects')) return true;
  return rule[half].some((role) => role === '*' || caller.roles.includes(role));
}

/** Path of a collection in its app's metadata. */
export function objectPath(name: string): string {
  return `collections/${encodeURIComponent(name)}`;
}

export function mayUseCollection(
  caller: PlatformCaller,
  app: HostedApp,
  name: string,
  half: 'read' | 'write',
): boolean {
  return mayAccess(caller, app.access(objectPath(name)), half);
}

export function forbidden(caller: PlatformCaller, capability: string): PlatformError {
  return new PlatformError(
    403,
    `You (user=${caller.user}) do not have permission to perform this operation (requires capability: ${capability}).`,
  );
}
