import { setTimeout } from 'node:timers/promises';
import { startPlatform, type TestPlatform } from '../e2e/platform.ts';
import { isNamed, type OpenWorld } from './world.ts';

const OF_THE_PLATFORM = ['admin', 'power', 'user', 'ml_admin', 'ml_user'];
const JSON_TEXT = { 'Content-Type': 'application/json' };

/** As it is installed: HTTP, frames, a driver, stores on disk. */
export const overHttp: OpenWorld = ({ users, roles: own = {}, collections }) => {
  let platform: TestPlatform;
  before(async () => {
    platform = await startPlatform();
    const roles = new Set(Object.values(users).flat());
    for (const role of roles) {
      if (!OF_THE_PLATFORM.includes(role)) await platform.createRole(role, [], [...(own[role] ?? [])]);
    }
    for (const [user, its] of Object.entries(users)) await platform.createUser(user, [...its]);
  });
  beforeEach(async () => {
    for (const collection of collections) await platform.removeDocuments(collection);
  });
  after(() => platform.dispose());
  return {
    call: (user, method, path, body, headers) =>
      platform.ml(user, method, path, body, { ...(typeof body === 'string' ? JSON_TEXT : {}), ...headers }),
    records: (collection) => platform.documents(collection),
    store: (collection, document) => platform.putDocument(collection, document),
    remove: (collection, key) => platform.removeDocument(collection, key),
    secretsOf: async (collection, name) => {
      const ref = (await platform.documents(collection)).find(isNamed(name))?.secret_ref;
      return typeof ref === 'string' ? platform.secret(ref) : undefined;
    },
    secretRefs: () => platform.secretRefs(),
    leaks: async (...texts) => platform.filesWith(texts),
    now: () => Date.now() / 1000,
    later: () => setTimeout(5),
  };
};
