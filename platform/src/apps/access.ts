import { PlatformError } from '../http/reply.ts';
import type { PlatformCaller, PlatformRequest } from '../http/request.ts';
import type { AccessRule } from './hostedApp.ts';

/** A second check: the server has already answered 401 for calls without credentials. */
export function callerOf(req: Pick<PlatformRequest, 'caller'>): PlatformCaller {
  if (req.caller === undefined) throw new PlatformError(401, 'Unauthorized');
  return req.caller;
}

/** Checks the app's metadata; `admin_all_objects` and the system user pass every rule. */
export function mayAccess(caller: PlatformCaller, rule: AccessRule, half: 'read' | 'write'): boolean {
  if (isPrivileged(caller)) return true;
  return rule[half].some((role) => role === '*' || caller.effectiveRoles.includes(role));
}

export function isPrivileged(caller: PlatformCaller): boolean {
  return caller.system || caller.capabilities.has('admin_all_objects');
}

export function forbidden(caller: PlatformCaller, capability: string): PlatformError {
  return new PlatformError(
    403,
    `You (user=${caller.user}) do not have permission to perform this operation (requires capability: ${capability}).`,
  );
}
