import type { DatabaseSync } from 'node:sqlite';
import type { HostedApp } from '../apps/hostedApp.ts';
import type { Conf } from '../confs/conf.ts';
import { PlatformError } from '../http/reply.ts';
import { BUILTIN_ROLES, NEW_ROLE_SETTINGS, type RoleDefinition, UNGRANTED } from './builtinRoles.ts';
import { watchChanges } from './database.ts';

/** Changes made through REST. Capabilities are stored as a difference, so that new ones of an app still apply. */
interface RoleChange {
  created: boolean;
  added: string[];
  removed: string[];
  imports?: string[];
  settings: RoleDefinition['settings'];
}

export interface RoleInput {
  capabilities?: string[];
  imports?: string[];
  settings: RoleDefinition['settings'];
}

/** Built-in roles, merged with authorize.conf of every hosted app, then with REST changes. */
export class Roles {
  readonly #db: DatabaseSync;
  readonly #apps: () => readonly HostedApp[];
  readonly #changes = new Map<string, RoleChange>();
  readonly #changedElsewhere: () => boolean;
  #known: { confs: Conf[]; roles: Record<string, RoleDefinition> } | undefined;

  constructor(db: DatabaseSync, apps: () => readonly HostedApp[]) {
    this.#db = db;
    this.#apps = apps;
    this.#changedElsewhere = watchChanges(db);
    this.#load();
  }

  #load(): void {
    this.#changes.clear();
    for (const row of this.#db.prepare('SELECT name, change FROM roles').all()) {
      this.#changes.set(String(row.name), JSON.parse(String(row.change)) as RoleChange);
    }
  }

  names(): string[] {
    const declared = Object.keys(this.#declared());
    const created = [...this.#changes].filter(([, change]) => change.created).map(([name]) => name);
    return [...new Set([...declared, ...created])].sort();
  }

  get(name: string): RoleDefinition | undefined {
    return this.#effective(name, this.#declared());
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  isCreated(name: string): boolean {
    return this.#changes.get(name)?.created === true;
  }

  /** The capabilities of these roles and all imported roles. */
  capabilities(roles: readonly string[]): Set<string> {
    const declared = this.#declared();
    return new Set(
      this.#closure(roles, declared).flatMap((name) => this.#effective(name, declared)?.capabilities ?? []),
    );
  }

  /** These roles and all imported roles. */
  withImports(roles: readonly string[]): string[] {
    return this.#closure(roles, this.#declared());
  }

  /** Ignores unknown roles and cycles. */
  #closure(roles: readonly string[], declared: Record<string, RoleDefinition>): string[] {
    const visited = new Set<string>();
    const visit = (name: string): void => {
      if (visited.has(name)) return;
      visited.add(name);
      for (const imported of this.#effective(name, declared)?.imports ?? []) visit(imported);
    };
    for (const role of roles) visit(role);
    return [...visited];
  }

  allCapabilities(): string[] {
    const declared = this.#declared();
    const capabilities = new Set(UNGRANTED);
    for (const role of Object.values(declared))
      for (const capability of role.capabilities) capabilities.add(capability);
    for (const app of this.#apps()) {
      for (const stanza of Object.keys(app.conf('authorize'))) {
        if (stanza.startsWith('capability::')) capabilities.add(stanza.slice('capability::'.length));
      }
    }
    return [...capabilities].sort();
  }

  create(name: string, input: RoleInput): void {
    if (!/^[a-z0-9._-]{1,100}$/.test(name)) {
      throw new PlatformError(400, `Invalid role name "${name}": lower-case letters, digits, ".", "_" and "-" only.`);
    }
    if (this.has(name)) throw new PlatformError(409, `Role with name=${name} already exists`);
    this.#check(name, input);
    this.#save(name, {
      created: true,
      added: input.capabilities ?? [],
      removed: [],
      imports: input.imports ?? [],
      settings: { ...NEW_ROLE_SETTINGS, ...input.settings },
    });
  }

  update(name: string, input: RoleInput): void {
    const base = this.#declared()[name];
    const before = this.#changes.get(name) ?? { created: false, added: [], removed: [], settings: {} };
    this.#check(name, input);
    const change: RoleChange = { ...before, settings: { ...before.settings, ...input.settings } };
    if (input.imports !== undefined) change.imports = input.imports;
    if (input.capabilities !== undefined) {
      const after = new Set(input.capabilities);
      const before = new Set(base?.capabilities ?? []);
      change.added = [...after].filter((capability) => !before.has(capability));
      change.removed = [...before].filter((capability) => !after.has(capability));
    }
    this.#save(name, change);
  }

  remove(name: string): void {
    if (!this.isCreated(name) || this.#declared()[name] !== undefined) {
      throw new PlatformError(400, `Cannot remove the role "${name}": it is built in or belongs to an app.`);
    }
    this.#db.prepare('DELETE FROM roles WHERE name = ?').run(name);
    this.#changes.delete(name);
  }

  #check(name: string, input: RoleInput): void {
    const allowed = new Set(this.allCapabilities());
    const current = new Set(this.get(name)?.capabilities);
    for (const capability of input.capabilities ?? []) {
      if (!allowed.has(capability) && !current.has(capability)) {
        throw new PlatformError(400, `Argument "capabilities": unknown capability "${capability}".`);
      }
    }
    for (const role of input.imports ?? []) {
      if (role === name || !this.has(role)) {
        throw new PlatformError(400, `Argument "imported_roles": the role "${role}" cannot be imported.`);
      }
    }
  }

  #save(name: string, change: RoleChange): void {
    this.#db.prepare('INSERT OR REPLACE INTO roles (name, change) VALUES (?, ?)').run(name, JSON.stringify(change));
    this.#changes.set(name, change);
  }

  #effective(name: string, declared: Record<string, RoleDefinition>): RoleDefinition | undefined {
    const base = declared[name];
    const change = this.#changes.get(name);
    if (change === undefined) return base;
    if (base === undefined && !change.created) return undefined;
    const removed = new Set(change.removed);
    const remaining = (base?.capabilities ?? []).filter((capability) => !removed.has(capability));
    return {
      imports: change.imports ?? base?.imports ?? [],
      capabilities: [...new Set([...remaining, ...change.added])].sort(),
      settings: { ...(base?.settings ?? NEW_ROLE_SETTINGS), ...change.settings },
    };
  }

  /** Cached by the conf objects, which stay the same while their files do; every call asks for this. */
  #declared(): Record<string, RoleDefinition> {
    if (this.#changedElsewhere()) this.#load();
    const confs = this.#apps().map((app) => app.conf('authorize'));
    const cached = this.#known;
    if (cached && cached.confs.length === confs.length && cached.confs.every((conf, index) => conf === confs[index])) {
      return cached.roles;
    }
    const roles = declaredRoles(confs);
    this.#known = { confs, roles };
    return roles;
  }
}

function declaredRoles(confs: readonly Conf[]): Record<string, RoleDefinition> {
  // No prototype: names come from URLs and files and may be called `constructor`.
  const roles: Record<string, RoleDefinition> = Object.assign(Object.create(null), structuredClone(BUILTIN_ROLES));
  for (const conf of confs) {
    for (const [stanza, keys] of Object.entries(conf)) {
      if (!stanza.startsWith('role_')) continue;
      const name = stanza.slice('role_'.length);
      roles[name] ??= { imports: [], capabilities: [], settings: { ...NEW_ROLE_SETTINGS } };
      mergeStanza(roles[name], keys);
    }
  }
  return roles;
}

function mergeStanza(role: RoleDefinition, keys: Record<string, string>): void {
  const capabilities = new Set(role.capabilities);
  for (const [key, value] of Object.entries(keys)) {
    if (key === 'importRoles') role.imports = [...new Set([...role.imports, ...list(value)])];
    else if (Object.hasOwn(NEW_ROLE_SETTINGS, key)) role.settings[key] = settingOfFile(key, value, role);
    // Only `enabled` grants; `disabled` removes a capability of a built-in role.
    else if (value.trim() === 'enabled') capabilities.add(key);
    else if (value.trim() === 'disabled') capabilities.delete(key);
  }
  role.capabilities = [...capabilities].sort();
}

/** Ignores invalid values, since every call reads these files. */
function settingOfFile(key: string, value: string, role: RoleDefinition): number | string | string[] {
  try {
    return setting(key, value);
  } catch {
    return role.settings[key] ?? '';
  }
}

function list(value: string): string[] {
  return value.split(';').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}

export function setting(key: string, value: string): number | string | string[] {
  const usual = NEW_ROLE_SETTINGS[key];
  if (Array.isArray(usual)) return list(value);
  if (typeof usual !== 'number') return value;
  const number = Number(value);
  if (!Number.isInteger(number) || value.trim() === '') {
    throw new PlatformError(400, `Invalid value for argument "${key}": must be an integer.`);
  }
  return number;
}
