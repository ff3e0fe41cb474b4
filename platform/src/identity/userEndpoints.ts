import { type EaiEntry, systemAcl } from '../eai/entry.ts';
import { eaiRoutes, onlyArguments, requireCapability } from '../eai/routes.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import type { Identity } from './identity.ts';
import { RESERVED_USERS, type User, type UserChange, type UserSettings } from './users.ts';

const MIN_PASSWORD = 8;
const SETTINGS = ['tz', 'lang', 'defaultApp'] as const;
const FIELDS = [
  'defaultApp',
  'email',
  'force-change-pass',
  'lang',
  'locked-out',
  'oldpassword',
  'password',
  'realname',
  'restart_background_jobs',
  'roles',
  'tz',
];

export function userRoutes(identity: Identity): Route[] {
  const entry = (req: PlatformRequest, user: User): EaiEntry => userEntry(identity, req, user);
  return eaiRoutes({
    path: '/authentication/users',
    title: 'users',
    isReloadable: false,
    blank: {
      fields: {
        required: ['name', 'password'],
        optional: FIELDS.filter((field) => field !== 'password'),
        wildcard: [],
      },
      content: {},
    },
    list: (req) => {
      requireCapability(req, 'edit_user', 'list_all_users');
      return identity.users.list().map((user) => entry(req, user));
    },
    find: (req, name) => {
      if (req.caller?.user !== name.toLowerCase()) requireCapability(req, 'edit_user', 'list_all_users');
      const user = identity.users.get(name);
      return user === undefined ? undefined : entry(req, user);
    },
    create: async (req, input) => {
      requireCapability(req, 'edit_user');
      onlyArguments(req, ['name', 'createrole', ...FIELDS]);
      const name = newName(input);
      if (identity.users.get(name)) throw exists(name);
      const change = userChange(identity, req);
      if (change.password === undefined) {
        throw new PlatformError(400, 'The following required arguments are missing: password.');
      }
      if ((change.roles ?? []).length === 0) {
        throw new PlatformError(400, 'The following required arguments are missing: roles.');
      }
      if (!(await identity.users.create(name, change.password, change))) throw exists(name);
      return undefined;
    },
    update: async (req, { name }) => {
      onlyArguments(req, FIELDS);
      const change = userChange(identity, req);
      await mayChange(identity, req, name, change);
      await identity.users.update(name, change);
      if (change.password !== undefined) identity.passwordChanged(name, req.caller?.authtoken);
      return undefined;
    },
    remove: (req, { name }) => {
      requireCapability(req, 'edit_user');
      if (req.caller?.user === name) throw new PlatformError(400, 'You cannot remove the user you are logged in as.');
      identity.removeUser(name);
      return undefined;
    },
    removeUnknown: (name) => new PlatformError(400, `User does not exist: ${name}`),
  });
}

function exists(name: string): PlatformError {
  return new PlatformError(409, `An object with name=${name} already exists`);
}

function newName(input: string): string {
  const name = input.toLowerCase();
  if (!/^[^\s:;/\\%"'<>&\p{Cc}]{1,100}$/u.test(name) || name.startsWith('_') || name === '.' || name === '..') {
    throw new PlatformError(
      400,
      'Invalid value for argument "name": no white space, control characters or any of : ; / \\ % " \' < > &.',
    );
  }
  if (RESERVED_USERS.has(name))
    throw new PlatformError(400, `Invalid value for argument "name": "${name}" is reserved.`);
  return name;
}

async function mayChange(identity: Identity, req: PlatformRequest, name: string, change: UserChange): Promise<void> {
  const isSelf = req.caller?.user === name;
  if (!isSelf || change.roles !== undefined) requireCapability(req, 'edit_user');
  if (change.password === undefined) return;
  if (isSelf) requireCapability(req, 'change_own_password', 'edit_user');
  const old = req.arg('oldpassword');
  if (isSelf && old === undefined) {
    throw new PlatformError(400, 'The following required arguments are missing: oldpassword.');
  }
  if (old !== undefined && !(await identity.verify(name, old))) {
    throw new PlatformError(400, 'Invalid value for argument "oldpassword": it is not the current password.');
  }
}

function userChange(identity: Identity, req: PlatformRequest): UserChange {
  const change: UserChange = {};
  const password = req.arg('password');
  if (password !== undefined) {
    if ([...password].length < MIN_PASSWORD) {
      throw new PlatformError(
        400,
        `Password did not meet complexity requirements. Password must contain at least: * ${MIN_PASSWORD} total printable ASCII character(s).`,
      );
    }
    change.password = password;
  }
  const realname = req.arg('realname');
  if (realname !== undefined) change.realname = realname;
  const email = req.arg('email');
  if (email !== undefined) change.email = email;
  const roles = req
    .args('roles')
    .flatMap((text) => text.split(','))
    .map((role) => role.trim().toLowerCase());
  if (roles.length > 0) {
    for (const role of roles) {
      if (!identity.roles.has(role))
        throw new PlatformError(400, `Invalid value for argument "roles": the role "${role}" does not exist.`);
    }
    change.roles = [...new Set(roles)].sort();
  }
  const settings: Partial<UserSettings> = {};
  for (const key of SETTINGS) {
    const value = req.arg(key);
    if (value !== undefined) settings[key] = value;
  }
  return { ...change, settings };
}

function userEntry(identity: Identity, req: PlatformRequest, user: User): EaiEntry {
  const canWrite = req.caller?.system === true || req.caller?.capabilities.has('edit_user') === true;
  return {
    name: user.name,
    acl: { ...systemAcl(canWrite, canWrite && req.caller?.user !== user.name), perms: { read: ['*'], write: ['*'] } },
    content: {
      ...userContent(user),
      capabilities: [...identity.roles.capabilities(user.roles)].sort(),
      roles: user.roles,
    },
  };
}

/** Also used by current-context. */
export function userContent(user: User): EaiEntry['content'] {
  return {
    defaultApp: user.settings.defaultApp,
    defaultAppIsUserOverride: user.settings.defaultApp !== 'launcher',
    defaultAppSourceRole: 'system',
    display_new_search_banner: null,
    email: user.email,
    lang: user.settings.lang,
    last_successful_login: user.lastLogin === undefined ? 0 : Math.floor(user.lastLogin),
    'locked-out': false,
    olly_org: '',
    password: '********',
    realname: user.realname,
    restart_background_jobs: null,
    search_assistant: 'compact',
    search_auto_format: false,
    search_line_numbers: false,
    search_syntax_highlighting: 'light',
    search_use_advanced_editor: true,
    theme: 'light',
    type: 'Splunk',
    tz: user.settings.tz,
  };
}
