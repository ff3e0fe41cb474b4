import { isPrivileged, mayAccess } from '../apps/access.ts';
import type { HostedApp } from '../apps/hostedApp.ts';
import { objectPath } from '../apps/metadata.ts';
import type { PlatformCaller } from '../http/request.ts';
import type { LookupLocation } from './files.ts';

/** Whether a caller may read or write a lookup file: the metadata of its app says so, or it is the caller's own. */
export function mayUseFile(
  apps: readonly HostedApp[],
  caller: PlatformCaller,
  location: LookupLocation,
  name: string,
  half: 'read' | 'write',
): boolean {
  if (isPrivileged(caller)) return true;
  if (location.owner !== 'nobody') return location.owner === caller.user;
  const rule = apps.find((app) => app.name === location.app)?.access(objectPath('lookups', name));
  return rule !== undefined && mayAccess(caller, rule, half);
}
