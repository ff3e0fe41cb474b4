import { setTimeout } from 'node:timers/promises';
import { startPlatform, type TestPlatform } from '../e2e/platform.ts';
import type { OpenWorld } from './world.ts';

const OF_THE_PLATFORM = ['admin', 'power', 'user', 'ml_admin', 'ml_user'];
/** Processes look up every few milliseconds how late it is. */
const SEEN_MS = 20;
const JSON_TEXT = { 'Content-Type': 'application/json' };

/** As it is installed: HTTP, frames, a driver, stores on disk. */
export const overHttp: OpenWorld = ({ users, roles: own = {}, collections, movesTime, processes }) => {
  let platform: TestPlatform;
  let ahead = 0;
  before(async () => {
    platform = await startPlatform({
      ...(movesTime ? { movableClock: true } : {}),
      ...(processes === undefined ? {} : { env: { ML_DRIVERS: String(processes) } }),
    });
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
    secretsOf: async (collection, name) => {
      const ref = (await platform.documents(collection)).find((record) => record.name === name)?.secret_ref;
      return typeof ref === 'string' ? platform.secret(ref) : undefined;
    },
    secretRefs: () => platform.secretRefs(),
    now: () => (Date.now() + ahead) / 1000,
    later: () => setTimeout(5),
    advance: async (ms) => {
      ahead += ms;
      platform.advance(ms);
      await setTimeout(SEEN_MS);
    },
  };
};
