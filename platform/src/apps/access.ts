import { PlatformError } from '../http/reply.ts';
import type { PlatformCaller, PlatformRequest } from '../http/request.ts';
import type { AccessRule } from './hostedApp.ts';

/** The server answers 401 before an endpoint is asked; this is the belt to those braces. */
export function callerOf(req: Pick<PlatformRequest, 'caller'>): PlatformCaller {
  if (req.caller === undefined) throw new PlatformError(401, 'Unauthorized');
  return req.caller;
}

export interface RoleOptions {
  /** A caller's roles with all they import. Without it only the roles the caller holds directly count. */
  effectiveRoles?: ((roles: readonly string[]) => readonly string[]) | undefined;
}

export function rolesOf({ effectiveRoles }: RoleOptions, caller: PlatformCaller): readonly string[] {
  return effectiveRoles?.(caller.roles) ?? caller.roles;
}

/** Access rules of the app's metadata; `admin_all_objects` and the system user pass every one of them. */
export function mayAccess(
  caller: PlatformCaller,
  roles: readonly string[],
  rule: AccessRule,
  half: 'read' | 'write',
): boolean {
  if (privileged(caller)) return true;
  return rule[half].some((role) => role === '*' || roles.includes(role));
}

export function privileged(caller: PlatformCaller): boolean {
  return caller.system || caller.capabilities.has('admin_all_objects');
}

export function forbidden(caller: PlatformCaller, capability: string): PlatformError {
  return new PlatformError(
    403,
    `You (user=${caller.user}) do not have permission to perform this operation (requires capability: ${capability}).`,
  );
}
