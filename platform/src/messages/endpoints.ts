import { callerOf } from '../apps/access.ts';
import { type EaiEntry, systemAcl } from '../eai/entry.ts';
import { eaiRoutes, onlyArguments, requireCapability } from '../eai/routes.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import type { Identity } from '../identity/identity.ts';

interface Message {
  text: string;
  severity: string;
  /** Capabilities that a reader needs, all of them. */
  capabilities: string[];
  /** And one of these, if there are any. */
  roles: string[];
  time: number;
}

const SEVERITIES = ['info', 'warn', 'error'];
const MAX_MESSAGES = 1000;

/** Messages that Splunk Web shows in its bar. They are gone after a restart. */
export function messageRoutes(identity: Pick<Identity, 'roles'>): Route[] {
  const messages = new Map<string, Message>();
  const mayWrite = (req: PlatformRequest) => requireCapability(req, 'edit_messages', 'admin_all_objects');
  const isVisible = (req: PlatformRequest, { capabilities, roles }: Message): boolean => {
    const caller = callerOf(req);
    if (caller.system) return true;
    const hasRole = roles.length === 0 || roles.some((role) => caller.roles.includes(role));
    return hasRole && capabilities.every((capability) => caller.capabilities.has(capability));
  };
  return eaiRoutes({
    path: '/messages',
    title: 'messages',
    list: (req) =>
      [...messages].filter(([, message]) => isVisible(req, message)).map(([name, message]) => entryOf(name, message)),
    // A message of the same name replaces the former one.
    create: (req, name) => {
      mayWrite(req);
      onlyArguments(req, ['name', 'value', 'severity', 'capability', 'role']);
      const text = req.arg('value');
      if (text === undefined || text === '') {
        throw new PlatformError(400, 'The following required arguments are missing: value.');
      }
      const severity = req.arg('severity') ?? 'info';
      if (!SEVERITIES.includes(severity)) {
        throw new PlatformError(400, `Argument "severity" must be one of ${SEVERITIES.join(', ')}.`);
      }
      const [capabilities, roles] = [req.args('capability'), req.args('role')];
      const declared = identity.roles.allCapabilities();
      const unknown = capabilities.find((capability) => !declared.includes(capability));
      if (unknown !== undefined)
        throw new PlatformError(400, `Argument "capability": unknown capability "${unknown}".`);
      const unknownRole = roles.find((role) => identity.roles.get(role) === undefined);
      if (unknownRole !== undefined) throw new PlatformError(400, `Argument "role": unknown role "${unknownRole}".`);
      messages.delete(name);
      messages.set(name, { text, severity, capabilities, roles, time: Math.floor(Date.now() / 1000) });
      const [oldest] = messages.keys();
      if (messages.size > MAX_MESSAGES && oldest !== undefined) messages.delete(oldest);
      return entryOf(name, messages.get(name) as Message);
    },
    remove: (req, { name }) => {
      mayWrite(req);
      messages.delete(name);
      return undefined;
    },
  });
}

const entryOf = (name: string, { text, severity, capabilities, roles, time }: Message): EaiEntry => ({
  name,
  acl: systemAcl(true, true),
  content: { message: text, severity, capabilities, roles, timeCreated_epochSecs: time },
});
