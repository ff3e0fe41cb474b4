import { type EaiEntry, systemAcl } from '../eai/entry.ts';
import { eaiRoutes, onlyArguments, requireCapability } from '../eai/routes.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { NEW_ROLE_SETTINGS, type RoleDefinition } from './builtinRoles.ts';
import type { Identity } from './identity.ts';
import { type RoleInput, setting } from './roles.ts';

const FIELDS = ['capabilities', 'imported_roles', ...Object.keys(NEW_ROLE_SETTINGS)];

export function roleRoutes(identity: Identity): Route[] {
  const roles = identity.roles;
  const entry = (req: PlatformRequest, name: string): EaiEntry | undefined => roleEntry(identity, req, name);
  const list = (req: PlatformRequest): EaiEntry[] =>
    roles.names().flatMap((name) => {
      const role = entry(req, name);
      return role === undefined ? [] : [role];
    });
  return [
    ...eaiRoutes({
      path: '/authorization/roles',
      title: 'roles',
      isReloadable: false,
      blank: { fields: { required: ['name'], optional: FIELDS, wildcard: [] }, content: {} },
      list,
      find: entry,
      create: (req, name) => {
        requireCapability(req, 'edit_roles');
        onlyArguments(req, ['name', ...FIELDS]);
        roles.create(name, roleInput(req));
        return undefined;
      },
      update: (req, { name }) => {
        requireCapability(req, 'edit_roles');
        onlyArguments(req, FIELDS);
        roles.update(name, roleInput(req));
        return undefined;
      },
      remove: (req, { name }) => {
        requireCapability(req, 'edit_roles');
        const user = identity.users.list().find((candidate) => candidate.roles.includes(name));
        if (user !== undefined)
          throw new PlatformError(400, `The role "${name}" is in use by the user "${user.name}".`);
        roles.remove(name);
        return undefined;
      },
    }),
    ...capabilityRoutes('capabilities', () => roles.allCapabilities()),
    ...capabilityRoutes('grantable_capabilities', (req) =>
      req.caller?.capabilities.has('edit_roles')
        ? roles.allCapabilities()
        : [...(req.caller?.capabilities ?? [])].sort(),
    ),
  ];
}

function capabilityRoutes(name: string, list: (req: PlatformRequest) => string[]): Route[] {
  return eaiRoutes({
    path: `/authorization/${name}`,
    title: name,
    list: (req) => [{ name: 'capabilities', acl: systemAcl(false), content: { capabilities: list(req) } }],
  });
}

function roleInput(req: PlatformRequest): RoleInput {
  const input: RoleInput = { settings: {} };
  const capabilities = req.args('capabilities').flatMap((text) => text.split(','));
  if (capabilities.length > 0) input.capabilities = named(capabilities);
  const imports = req.args('imported_roles').flatMap((text) => text.split(','));
  if (imports.length > 0) input.imports = named(imports);
  for (const [key, usual] of Object.entries(NEW_ROLE_SETTINGS)) {
    const values = req.args(key);
    if (values.length === 0) continue;
    input.settings[key] = Array.isArray(usual)
      ? values.flatMap((text) => text.split(';')).filter((text) => text !== '')
      : setting(key, values[0] ?? '');
  }
  return input;
}

/** A single empty value means an empty list in a form. */
function named(texts: string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

function roleEntry(identity: Identity, req: PlatformRequest, name: string): EaiEntry | undefined {
  const role = identity.roles.get(name);
  if (role === undefined) return undefined;
  const canWrite = req.caller?.system === true || req.caller?.capabilities.has('edit_roles') === true;
  const parents = role.imports.flatMap((parent) => identity.roles.get(parent) ?? []);
  return {
    name,
    acl: { ...systemAcl(canWrite, canWrite) },
    content: {
      ...role.settings,
      ...UNUSED_SETTINGS,
      capabilities: role.capabilities,
      grantable_roles: [],
      imported_capabilities: [...identity.roles.capabilities(role.imports)].sort(),
      imported_roles: role.imports,
      ...importedSettings(parents.map(({ settings }) => ({ ...UNUSED_SETTINGS, ...settings }))),
    },
  };
}

const OPERATIONS = ['create', 'delete', 'update'];
const denyLists = (kind: string): Record<string, string[]> =>
  Object.fromEntries(OPERATIONS.map((operation) => [`kvstore_${operation}.${kind}`, []]));

/** Settings that no role has here, since nothing would heed them: they are shown, and refused as arguments. */
const UNUSED_SETTINGS: RoleDefinition['settings'] = {
  deleteIndexesAllowed: [],
  federatedProviders: [],
  queuedSearchQuota: -1,
  srchFederatedProvidersAllowed: ['*'],
  srchFederatedProvidersDefault: [''],
  ...denyLists('deny_list'),
  ...denyLists('implicit_deny_list'),
};

/** Settings that a role has from those it imports: of lists the union, of numbers the largest. */
const IMPORTED = [
  ...OPERATIONS.map((operation) => `kvstore_${operation}.implicit_deny_list`),
  'queuedSearchQuota',
  'rtSrchJobsQuota',
  'srchDiskQuota',
  'srchFederatedProvidersAllowed',
  'srchFederatedProvidersDefault',
  'srchFilter',
  'srchIndexesAllowed',
  'srchIndexesDefault',
  'srchIndexesDisallowed',
  'srchJobsQuota',
  'srchTimeEarliest',
  'srchTimeWin',
];

function importedSettings(parents: readonly RoleDefinition['settings'][]): RoleDefinition['settings'] {
  const usual: RoleDefinition['settings'] = { ...UNUSED_SETTINGS, ...NEW_ROLE_SETTINGS };
  const merged = (key: string): number | string | string[] => {
    const values = parents.map((settings) => settings[key] ?? '');
    if (Array.isArray(usual[key])) return [...new Set(values.flatMap((value) => value as string[]))];
    const numbers = values.filter((value) => typeof value === 'number');
    return typeof usual[key] === 'number' ? Math.max(...numbers, /Time|queued/.test(key) ? -1 : 0) : '';
  };
  return Object.fromEntries(IMPORTED.map((key) => [`imported_${key}`, merged(key)]));
}
