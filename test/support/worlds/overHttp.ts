import { setTimeout } from 'node:timers/promises';
import { connectCloud } from '../e2e/agentCloud.ts';
import { LookupFolders } from '../e2e/lookupFolders.ts';
import { startPlatform, type TestPlatform } from '../e2e/platform.ts';
import { startModelEndpoints } from '../peers/aws/modelEndpoints.ts';
import type { Peer } from '../peers/listen.ts';
import { isNamed, type OpenWorld } from './world.ts';

const OF_THE_PLATFORM = ['admin', 'power', 'user', 'ml_admin', 'ml_user'];
/** Processes look up every few milliseconds how late it is. */
const SEEN_MS = 20;
const JSON_TEXT = { 'Content-Type': 'application/json' };

/** As it is installed: HTTP, frames, a driver, stores on disk. */
export const overHttp: OpenWorld = (setting) => {
  const {
    users,
    roles: grantedRoles = {},
    imports = {},
    collections,
    agentCloud,
    aws,
    modelEndpoints,
    movesTime,
    processes,
  } = setting;
  let platform: TestPlatform;
  let cloud: Peer | undefined;
  let ahead = 0;
  const lookups = () => new LookupFolders(platform.home);
  before(async () => {
    cloud = modelEndpoints ? await startModelEndpoints() : undefined;
    platform = await startPlatform({
      ...(movesTime ? { movableClock: true } : {}),
      env: {
        ...(processes === undefined ? {} : { ML_DRIVERS: String(processes) }),
        ...(cloud ? { AWS_ENDPOINT_URL: cloud.url } : {}),
        ...(aws ? { AWS_ENDPOINT_URL: aws() } : {}),
      },
    });
    const roles = new Set([...Object.keys(imports), ...Object.values(users).flat()]);
    for (const role of roles) {
      if (OF_THE_PLATFORM.includes(role)) continue;
      await platform.createRole(role, [...(imports[role] ?? [])], [...(grantedRoles[role] ?? [])]);
    }
    for (const [user, its] of Object.entries(users)) await platform.createUser(user, [...its]);
    if (agentCloud) await connectCloud(platform, agentCloud());
  });
  beforeEach(async () => {
    for (const collection of collections) await platform.removeDocuments(collection);
    lookups().removeModels();
  });
  after(async () => {
    await platform.dispose();
    await cloud?.close();
  });
  return {
    call: (user, method, path, body, headers) =>
      platform.ml(user, method, path, body, { ...(typeof body === 'string' ? JSON_TEXT : {}), ...headers }),
    records: (collection) => platform.documents(collection),
    store: (collection, document) => platform.putDocument(collection, document),
    get lookups() {
      return lookups();
    },
    remove: (collection, key) => platform.removeDocument(collection, key),
    secretsOf: async (collection, name) => {
      const ref = (await platform.documents(collection)).find(isNamed(name))?.secret_ref;
      return typeof ref === 'string' ? platform.secret(ref) : undefined;
    },
    secretRefs: () => platform.secretRefs(),
    leaks: async (...texts) => platform.filesWith(texts),
    now: () => (Date.now() + ahead) / 1000,
    later: () => setTimeout(5),
    advance: async (ms) => {
      ahead += ms;
      platform.advance(ms);
      await setTimeout(SEEN_MS);
    },
  };
};
