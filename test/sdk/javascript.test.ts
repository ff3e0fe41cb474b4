import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  ADMIN_PASSWORD,
  startTestPlatform,
  type TestPlatform,
  temporaryFolder,
} from '../../platform/test/support/platform.ts';

/**
 * The integration suites that the platform's public JavaScript SDK ships with its npm package, run as they are against
 * the embedded platform. Left out are the suites about things this app has no use for (indexes, data models, pivot...).
 */
interface Service {
  port: number;
  prefix: string;
  sessionKey: string | null;
  login(): Promise<boolean>;
}

const load = createRequire(import.meta.url);

const SUITES: Record<string, string> = {
  app: 'service_tests/app.js',
  configuration: 'service_tests/configuration.js',
  properties: 'service_tests/properties.js',
  serverinfo: 'service_tests/serverinfo.js',
  storagepasswords: 'service_tests/storagepasswords.js',
  user: 'service_tests/user.js',
  entity: 'service_tests/entity.js',
  collection: 'service_tests/collection.js',
  endpoint: 'service_tests/endpoint.js',
  context: 'test_context.js',
  job: 'service_tests/job.js',
  parser: 'service_tests/parser.js',
};

/** Tests within these suites that need more than the embedded platform has: events counted by time. */
const MORE_THAN_HERE = new Set(['Search timeline']);

/** Tests that read the clear text of a password in the answer to its creation, where splunkd 10.6 has none. */
const READ_CLEAR_TEXT = new Set([
  'Create',
  'Create with backslashes',
  'Create with slashes',
  'Create without realm',
  'Create with colons',
  'Create crazy',
  'Create with unicode chars',
  'Create Or Replace StoragePassword',
  'Read',
  'Read with slashes',
  'Delete',
]);

function leaveOut(suite: Mocha.Suite, titles: ReadonlySet<string>): void {
  suite.tests = suite.tests.filter((test) => !titles.has(test.title));
  for (const inner of suite.suites) leaveOut(inner, titles);
}

describe('public JavaScript SDK', () => {
  const sdk = load('splunk-sdk') as {
    Service: new (options: object) => Service;
    Logger: { setLevel(level: string): void };
  };
  const service = (password: string) =>
    new sdk.Service({ scheme: 'https', host: '127.0.0.1', port: 1, username: 'admin', password, version: 'default' });
  // The suites capture their services when they are declared, before the port is known.
  const services = { valid: service(ADMIN_PASSWORD), invalid: service(`${ADMIN_PASSWORD}wrong`) };
  const home = temporaryFolder();
  let platform: TestPlatform | undefined;

  before(async () => {
    platform = await startTestPlatform({ home, tls: true });
    for (const one of Object.values(services)) {
      one.port = platform.port;
      one.prefix = platform.url;
    }
    sdk.Logger.setLevel('NONE');
    // The suite expects existing jobs.
    await platform.call('POST', '/services/search/jobs', { form: { search: '| makeresults' } });
  });
  beforeEach(async () => {
    // Some suites log out at their end.
    if (!services.valid.sessionKey) await services.valid.login();
  });

  after(async () => {
    await platform?.close();
    rmSync(home, { recursive: true, force: true });
  });

  // Two suites parse the command line when they are declared, and exit the process if they cannot.
  const { argv } = process;
  process.argv = [...argv.slice(0, 2), '--username', 'admin'];
  for (const [name, file] of Object.entries(SUITES)) {
    describe(name, function () {
      (load(`splunk-sdk/tests/${file}`) as { setup(one: Service, other: Service): void }).setup(
        services.valid,
        services.invalid,
      );
      leaveOut(this, name === 'storagepasswords' ? READ_CLEAR_TEXT : MORE_THAN_HERE);
    });
  }
  process.argv = argv;
});
