import { formKey } from '../../client/src/session.ts';
import { TIMEOUT_MS } from './client.ts';

/** The path of Splunk Web's proxy. */
export const PREFIX = String(window.$C?.SPLUNKD_PATH ?? '/en-US/splunkd/__raw');

/** Splunk Free gives nobody capabilities. */
export const IS_FREE = window.$C?.SPLUNKD_FREE_LICENSE === true;

export class PlatformError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws PlatformError with the status 0 */
function unreachable(error: unknown): never {
  if (error instanceof DOMException) throw error;
  throw new PlatformError(0, 'The server could not be reached.');
}

/** An entry of the platform's lists. */
export interface PlatformEntry {
  name: string;
  acl: { app: string; owner: string; sharing: string };
  content: unknown;
}

/** @param terms further arguments, each after `&` @throws PlatformError */
export async function read(
  path: string,
  signal: AbortSignal,
  space = 'services',
  terms = '',
): Promise<{ entry: PlatformEntry[] }> {
  const reply = await fetch(`${PREFIX}/${space}/${path}?output_mode=json&count=0${terms}`, {
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
    signal,
  }).catch(unreachable);
  if (!reply.ok) throw new PlatformError(reply.status, `The platform answered ${reply.status}`);
  return reply.json();
}

export interface Who {
  username: string;
  capabilities: readonly string[];
  /** Without imported roles. */
  roles: readonly string[];
}

export async function readCurrentUser(signal: AbortSignal): Promise<Who> {
  const { entry } = await read('authentication/current-context', signal);
  const content = entry[0]?.content as Partial<Who> | undefined;
  return { username: content?.username ?? '', capabilities: content?.capabilities ?? [], roles: content?.roles ?? [] };
}

export async function roles(signal: AbortSignal): Promise<string[]> {
  const { entry } = await read('authorization/roles', signal);
  return entry.map(({ name }) => name);
}

/** These roles with all roles that they import. */
export async function expandRoles(names: readonly string[], signal: AbortSignal): Promise<string[]> {
  const { entry } = await read('authorization/roles', signal);
  const imports = new Map(
    entry.map(({ name, content }) => [name, (content as { imported_roles?: string[] }).imported_roles ?? []]),
  );
  const inherited = new Set(names);
  for (const role of inherited) for (const imported of imports.get(role) ?? []) inherited.add(imported);
  return [...inherited];
}

const OF_APP = 'servicesNS/nobody/ml_extension';
const settingsPath = (stanza: string) => `configs/conf-ml_extension/${encodeURIComponent(stanza)}`;

/** @throws PlatformError */
export async function readSettings(stanza: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const { entry } = await read(settingsPath(stanza), signal, OF_APP);
  return (entry[0]?.content ?? {}) as Record<string, string>;
}

/** Driver processes read the change within five seconds. @throws PlatformError */
export async function writeSettings(stanza: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const reply = await fetch(`${PREFIX}/${OF_APP}/${settingsPath(stanza)}?output_mode=json`, {
    method: 'POST',
    headers: { 'X-Requested-With': 'XMLHttpRequest', 'X-Splunk-Form-Key': formKey() ?? '' },
    body: new URLSearchParams(settings),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(unreachable);
  if (!reply.ok) throw new PlatformError(reply.status, `The platform answered ${reply.status}`);
}
