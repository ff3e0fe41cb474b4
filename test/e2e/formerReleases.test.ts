import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as tar from 'tar';
import { MIGRATIONS } from '../../src/app/dependencies/migrations.ts';
import { isObject } from '../../src/contract/basics.ts';
import { BASE_VERSION } from '../../src/domain/records/storeSchema.ts';
import { expectStatus, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { type Peer, readBody, startHttp } from '../support/peers/listen.ts';

const PASSWORDS = '/servicesNS/nobody/ml_extension/storage/passwords';
const HOMES = join(import.meta.dirname, '../fixtures/homes');

interface Shown {
  /** What a secret is of -> the secret. */
  secrets: Record<string, string>;
  /** User -> path -> what was answered. */
  shown: Record<string, Record<string, { status: number; json: unknown }>>;
}

/** Keys that differ at each call, or whose wording may change. */
const NOT_COMPARED = new Set(['request_id', 'message', 'messages', 'remedy']);

/** Paths where an answer lacks something or differs from the one of the former release. It may have more. */
function* lost(now: unknown, then: unknown, at: string): Generator<string> {
  if (Array.isArray(then)) {
    if (!Array.isArray(now) || now.length !== then.length) yield `${at}: ${JSON.stringify(now)}`;
    else for (const [index, one] of then.entries()) yield* lost(now[index], one, `${at}[${index}]`);
  } else if (isObject(then)) {
    for (const [key, one] of Object.entries(then)) {
      if (!NOT_COMPARED.has(key)) yield* lost(isObject(now) ? now[key] : undefined, one, `${at}.${key}`);
    }
  } else if (at.endsWith('.updated_at')) {
    // The time of a model is its file's, and archives keep whole seconds.
    if (now !== then && now !== Math.floor(Number(then))) yield `${at}: ${JSON.stringify(now)} instead of ${then}`;
  } else if (now !== then) yield `${at}: ${JSON.stringify(now)} instead of ${JSON.stringify(then)}`;
}

/** What was sent out, over a proxy or to the cloud. */
interface Sent {
  url: string;
  headers: string;
  body: string;
}

/** See the README there. */
const VERSIONS = readdirSync(HOMES).flatMap((name) => /^(.+)\.tgz$/.exec(name)?.[1] ?? []);

for (const version of VERSIONS) {
  describe(`a home filled by ${version}`, () => {
    const home = mkdtempSync(join(tmpdir(), 'former-'));
    tar.extract({ file: join(HOMES, `${version}.tgz`), cwd: home, sync: true });
    const { secrets, shown } = JSON.parse(readFileSync(join(home, 'shown.json'), 'utf8')) as Shown;
    const sent: Sent[] = [];
    let platform: TestPlatform;
    let outside: Peer;

    before(async () => {
      outside = await startHttp(async (request, response) => {
        const { url = '', headers } = request;
        sent.push({ url, headers: JSON.stringify(headers), body: await readBody(request) });
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ EndpointName: 'churn-endpoint', EndpointStatus: 'InService' }));
      });
      const { url } = outside;
      platform = await startPlatform({ home, env: { AWS_ENDPOINT_URL: url } });
      await platform.setConf('outbound', { proxy_url: url });
    });
    after(async () => {
      await platform.dispose();
      await outside.close();
    });

    const call = async (method: string, path: string, body?: object) => {
      const reply = await platform.ml('anna', method, path, body);
      expectStatus(reply, 200, `${method} ${path}`);
      return reply.json;
    };

    it('is opened, and shows every user the same records', async () => {
      for (const [user, paths] of Object.entries(shown)) {
        for (const [path, { status, json }] of Object.entries(paths)) {
          const reply = await platform.ml(user, 'GET', path);
          expect(reply.status, `${user} ${path}: ${reply.text}`).to.equal(status);
          expect([...lost(reply.json, json, '')], `${user} ${path}`).to.deep.equal([]);
        }
      }
      expect((await platform.documents('ml_schema')).map(({ version }) => version)).to.deep.equal([
        BASE_VERSION + MIGRATIONS.length,
      ]);
    });

    /** What the app has in the password storage, in the clear: values are base64, cut into entries `<name>.<number>`. */
    async function stored(): Promise<string> {
      const { entry } = (await platform.admin('GET', `${PASSWORDS}?count=0`)).json;
      const parts = (entry as { content: { username: string; clear_password: string } }[])
        .map(({ content: { username, clear_password } }) => ({ part: /^(.*)\.(\d+)$/.exec(username), clear_password }))
        .map(({ part, clear_password }) => ({ ref: part?.[1], at: Number(part?.[2]), clear_password }));
      const values = Object.values(Object.groupBy(parts, ({ ref = '' }) => ref)).map((all = []) =>
        all.sort((one, other) => one.at - other.at).map(({ clear_password }) => clear_password),
      );
      return values.map((value) => Buffer.from(value.join(''), 'base64').toString('utf8')).join('\n');
    }

    it('still has every secret', async () => {
      const text = await stored();
      for (const [of, secret] of Object.entries(secrets)) expect(text, of).to.include(secret);
    });

    it('uses the secrets in calls', async () => {
      const calls: [what: string, host: string, secret: string, call: () => Promise<unknown>][] = [
        ...(['Wiki (main)', 'tracker'] as const).map((name): (typeof calls)[number] => [
          name,
          name === 'tracker' ? 'tracker.example' : 'mcp.example',
          secrets[name === 'tracker' ? 'tracker token' : 'mcp token'] ?? '',
          () => platform.ml('anna', 'POST', '/mcp_connection/test', { name }),
        ]),
        [
          'LLM',
          'llm.example',
          secrets['general chat'] ?? '',
          () =>
            platform.ml('anna', 'POST', '/aicommander_metadata', {
              service: 'General_Chat',
              connection_name: 'Main gateway',
              model: 'gpt-4o',
            }),
        ],
        [
          'vector store',
          '/',
          'AKIAIOSFODNN7EXAMPLE',
          () => platform.ml('anna', 'POST', '/vector_stores/test', { name: 'kb' }),
        ],
      ];
      for (const [what, host, secret, ask] of calls) {
        sent.length = 0;
        const reply = await ask();
        const found = sent.filter(({ url, headers }) => url.includes(host) && headers.includes(secret));
        expect(found, `${what}: ${JSON.stringify({ reply, sent })}`).to.not.have.length(0);
      }
    });

    it('can update every record with its secrets, and remove all without leftovers', async () => {
      const records: [method: string, path: string, change: object, remove: string][] = [
        ['PUT', '/mcp_connection', { name: 'Wiki (main)', description: 'new' }, '/mcp_connection/Wiki%20(main)'],
        ['PUT', '/mcp_connection', { name: 'tracker', description: 'new' }, '/mcp_connection/tracker'],
        ['PUT', '/vector_stores', { name: 'kb', description: 'new' }, '/vector_stores/kb'],
        ['PUT', '/register_model', { model_name: 'churn', batch_size: 9 }, '/register_model?model_name=churn'],
        ...['docker', 'kubernetes'].map((container_type): (typeof records)[number] => [
          'POST',
          '/container_connection',
          { payload: { container_type, connection_name: 'Local', is_edit: 'true', obs_otel_service_name: 'new' } },
          `/container_connection/${container_type}/Local`,
        ]),
      ];
      for (const name of ['helper', 'built_in']) await call('DELETE', `/agents/${name}`);
      await call('PUT', '/model_aliases', { name: 'fast', description: 'new' });
      await call('DELETE', '/model_aliases/fast');
      await call('PUT', '/usage_limits', { name: 'daily', requests: 9 });
      await call('DELETE', '/usage_limits/daily');
      const all = Object.values(secrets).filter((secret) => !/hub|chat/.test(secret));
      for (const [method, path, change] of records) await call(method, path, change);
      const text = await stored();
      for (const secret of all) expect(text).to.include(secret);
      for (const [, , , path] of records) await call('DELETE', path);
      for (const config of (await call('GET', '/aicommander?count=0')).result) {
        const { service, connection_name, model } = config;
        const { servicesettings } = (await call('GET', llmPath(config))).config;
        await call('POST', '/aicommander', { service, connection_name, model, servicesettings });
        await call('DELETE', llmPath(config));
      }
      const ids = (await call('GET', '/experiments?count=0')).result.map(
        (one: { experiment_id: string }) => one.experiment_id,
      );
      for (const id of ids) await call('DELETE', `/experiments/${id}`);
      expect(await platform.secretNames()).to.deep.equal([]);
    });
  });
}

const llmPath = ({ service, connection_name, model }: Record<string, string>): string =>
  `/aicommander/${service}/${encodeURIComponent(connection_name ?? '')}/${model}`;
