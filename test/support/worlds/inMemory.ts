import { CAPABILITIES } from '../../../src/contract/capabilities.ts';
import { MemoryApp } from '../memory/app.ts';
import { isNamed, type OpenWorld } from './world.ts';

const ALL = Object.keys(CAPABILITIES);
const OF_ROLES: Readonly<Record<string, readonly string[]>> = {
  ml_user: Object.entries(CAPABILITIES).flatMap(([name, { user }]) => (user ? [name] : [])),
  ml_admin: ALL,
  admin: [...ALL, 'admin_all_objects'],
};

/** Roles that are always there, and what they import. */
const IMPORTS = { user: [], power: ['user'], ml_user: ['user'], ml_admin: ['ml_user'], admin: ['power'] };

/** From the pipeline to stores in memory, at a clock that stands still. */
export const inMemory: OpenWorld = ({ users, roles: grantedRoles = {}, imports = {}, agentCloud, aws, servers }) => {
  let app = new MemoryApp();
  beforeEach(() => {
    app = new MemoryApp();
    if (agentCloud) app.callCloud(agentCloud());
    if (servers) app.callServers();
    if (aws) app.callAws(aws());
    app.roles.define(Object.values(users).flat(), { ...IMPORTS, ...imports });
    for (const [user, roles] of Object.entries(users)) {
      app.user(user, {
        roles: [...roles],
        capabilities: roles.flatMap((role) => OF_ROLES[role] ?? grantedRoles[role] ?? []),
      });
    }
  });
  return {
    call: (...call) => app.call(...call),
    records: async (collection) => app.site.records.all(collection),
    store: async (collection, document) => {
      app.site.records.collection(collection).set(document._key, JSON.stringify(document));
    },
    lookups: {
      put: (...file) => app.lookups.put(...file),
      read: (owner, name) => app.lookups.bytes(owner, name),
      models: () => app.lookups.names().filter((name) => name.includes('/__mlspl_')),
    },
    remove: async (collection, key) => void app.site.records.collection(collection).delete(key),
    secretsOf: async (collection, name) => {
      const ref = app.site.records.all(collection).find(isNamed(name))?.secret_ref;
      return typeof ref === 'string' ? JSON.parse(app.site.secrets.values.get(ref) ?? '') : undefined;
    },
    secretRefs: async () => [...app.site.secrets.values.keys()].sort(),
    leaks: async (...texts) => app.leaks(...texts),
    now: () => app.site.clock.seconds(),
    later: async () => app.site.clock.advance(1000),
    advance: async (ms) => app.site.clock.advance(ms),
  };
};
