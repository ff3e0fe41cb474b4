import { expect } from 'chai';
import { PROVIDER_NAMES } from '../../src/families/llm-providers/names.ts';
import { startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { AWS_SECRET, blobOf, KEY } from '../support/llmBlob.ts';
import { makeCertificate } from '../support/peers/certificates.ts';
import { freePort, startHttp } from '../support/peers/listen.ts';
import {
  type Asked,
  EXPECTED,
  faultOf,
  MODEL,
  type ProviderFault,
  type Script,
  startCutting,
  startProvider,
  WELL,
} from '../support/peers/llm.ts';

const METADATA = '/aicommander_metadata';

describe('LLM providers: every service against scripted providers', () => {
  let platform: TestPlatform;
  const test = (body: object) => platform.ml('admin', 'POST', METADATA, body);

  before(async () => {
    platform = await startPlatform();
  });
  after(async () => {
    expect(platform.filesWith([KEY, AWS_SECRET]), 'keys of inline tests are nowhere on disk').to.deep.equal([]);
    await platform.dispose();
  });

  async function withProvider<T>(script: Script, run: (url: string, asked: readonly Asked[]) => Promise<T>) {
    const provider = await startProvider(script);
    try {
      return await run(provider.url, provider.asked);
    } finally {
      await provider.close();
    }
  }

  for (const service of PROVIDER_NAMES) {
    describe(service, () => {
      it('chats', async () => {
        await withProvider(WELL[service], async (url, asked) => {
          const reply = await test(blobOf(service, url));
          expect(reply.status, reply.text).to.equal(200);
          expect(reply.json).to.include({
            status: 'success',
            success: true,
            provider: service.toLowerCase(),
            service,
            model: MODEL[service],
            http_status_code: 200,
            response_content: 'ok',
          });
          expect(reply.json.response_time).to.be.a('number').and.greaterThan(0);
          expect(reply.json).to.not.have.any.keys('error_code', 'models', 'count');
          for (const one of asked) expect(one.path).to.not.contain(KEY);
          expect(JSON.stringify(asked.map(({ body }) => body))).to.not.match(/temperature|top_p|response_variability/);
        });
      });

      it('lists, and keeps the list for forms', async () => {
        await withProvider(WELL[service], async (url) => {
          const listed = await test({ ...blobOf(service, url), probe: 'list' });
          expect(listed.json, listed.text).to.include({ status: 'success', success: true, http_status_code: 200 });
          expect(listed.json).to.not.have.property('response_content');
          const { model: _, ...blob } = blobOf(service, url);
          const refreshed = await test({ ...blob, action: 'refresh_models' });
          expect(refreshed.json, refreshed.text).to.include({ status: 'success', success: true, service });
          expect(refreshed.json.count).to.equal(refreshed.json.models.length).and.greaterThan(0);
          const shown = await platform.ml('admin', 'GET', METADATA);
          const { models } = shown.json.config.services[service];
          for (const id of refreshed.json.models) expect(models).to.deep.include({ id, source: 'provider' });
        });
      });

      for (const fault of Object.keys(EXPECTED) as ProviderFault[]) {
        const answer = faultOf(service, fault, KEY);
        if (!answer) continue;
        it(`${fault}: ${EXPECTED[fault]}`, async () => {
          const isList = ({ method }: { method: string }) => method === 'GET';
          const script: Script = (asked) =>
            answer.only === 'list' && !isList(asked)
              ? WELL[service](asked)
              : service === 'Platform_Hosted_Models' && isList(asked)
                ? { status: 404, body: {} }
                : answer;
          await withProvider(script, async (url) => {
            const reply = await test(blobOf(service, url));
            expect(reply.status).to.equal(200);
            expect(reply.json, reply.text).to.include({ status: 'fail', success: false, error_code: EXPECTED[fault] });
            expect(reply.json.http_status_code).to.equal(answer.status);
            expect(reply.json.message).to.be.a('string').and.not.equal('');
            if (fault === 'rate_limited') expect(reply.json.retry_after, reply.text).to.equal(7);
            expect(reply.text).to.not.contain(KEY).and.not.contain(AWS_SECRET);
          });
        });
      }

      it('network: DNS, refused, reset, timeout, TLS on a plain port', async () => {
        const silent = await startHttp(() => {});
        const cutting = await startCutting();
        const plain = await startProvider(WELL[service]);
        const cases: [string, string][] = [
          ['http://no-such-host.invalid', 'dns_failed'],
          [`http://127.0.0.1:${await freePort()}`, 'connection_refused'],
          [cutting.url, 'connection_reset'],
          [plain.url.replace('http:', 'https:'), 'tls_protocol'],
          [silent.url, 'timeout'],
          ['http://169.254.169.254', 'blocked_by_policy'],
        ];
        try {
          for (const [url, code] of cases) {
            const blob = blobOf(service, url, code === 'timeout' ? { request_timeout: { value: 1 } } : {});
            const reply = await test(blob);
            expect(reply.json.error_code, `${url}: ${reply.text}`).to.equal(code);
            expect(reply.json.http_status_code).to.equal(null);
            expect(reply.json.status).to.equal('fail');
            expect(reply.text).to.not.contain(KEY);
          }
        } finally {
          await Promise.all([silent.close(), cutting.close(), plain.close()]);
        }
      });

      it('TLS: untrusted, wrong name, expired; trusted with the CA, and without verification', async () => {
        const ca = makeCertificate({ ca: true });
        const good = makeCertificate({ issuer: ca });
        const cases: [ReturnType<typeof makeCertificate>, Record<string, unknown>, string | undefined][] = [
          [good, {}, 'tls_untrusted'],
          [good, { ca_certificate: { value: ca.cert } }, undefined],
          [good, { verify_tls: { value: false } }, undefined],
          [
            makeCertificate({ issuer: ca, names: ['other.example'] }),
            { ca_certificate: { value: ca.cert } },
            'tls_hostname_mismatch',
          ],
          [
            makeCertificate({ issuer: ca, notAfter: new Date(Date.now() - 3_600_000) }),
            { ca_certificate: { value: ca.cert } },
            'tls_expired',
          ],
        ];
        for (const [certificate, settings, code] of cases) {
          const provider = await startProvider(WELL[service], certificate);
          try {
            const reply = await test(blobOf(service, provider.url, settings));
            expect(reply.json.error_code, reply.text).to.equal(code);
            expect(provider.asked.length > 0, 'something was sent').to.equal(code === undefined);
          } finally {
            await provider.close();
          }
        }
      });

      it('answers that are none: a page, broken JSON, another shape, a redirect, 500', async () => {
        const answers: [Script, string][] = [
          [
            () => ({
              status: 200,
              body: '<html><body>Sign in</body></html>',
              headers: { 'content-type': 'text/html' },
            }),
            '200',
          ],
          [() => ({ status: 200, body: '{"choices": [', headers: { 'content-type': 'application/json' } }), '200'],
          [() => ({ status: 200, body: { error: { message: 'not today' } } }), '200'],
          [() => ({ status: 302, body: '', headers: { location: 'https://login.example/' } }), '302'],
          [() => ({ status: 500, body: { message: 'boom' } }), '500'],
        ];
        for (const [script, status] of answers) {
          await withProvider(script, async (url) => {
            const reply = await test(blobOf(service, url));
            expect(reply.json.error_code, `${status} ${reply.text}`).to.equal('upstream_error');
            expect(String(reply.json.http_status_code), reply.text).to.equal(status);
          });
        }
      });

      it('an answer of more than 8 MiB, a redirect to a metadata address', async () => {
        const huge: Script = () => ({ status: 200, body: { filler: 'x'.repeat(9 * 1024 * 1024) } });
        const astray: Script = () => ({
          status: 307,
          body: '',
          headers: { location: 'http://169.254.169.254/latest' },
        });
        for (const [script, code] of [
          [huge, 'upstream_error'],
          [astray, 'blocked_by_policy'],
        ] as const) {
          await withProvider(script, async (url) => {
            const reply = await test(blobOf(service, url));
            expect(reply.json.error_code, reply.text).to.equal(code);
          });
        }
      });

      it('needs its key (or says that it needs none) without any network', async () => {
        await withProvider(WELL[service], async (url, asked) => {
          const blob = blobOf(service, url);
          const {
            access_token: _,
            cloud_access_token: __,
            ...servicesettings
          } = blob.servicesettings as Record<string, unknown>;
          const reply = await test({ ...blob, servicesettings });
          if (service === 'Local_Runtime') {
            expect(reply.json.success, reply.text).to.equal(true);
          } else {
            expect(reply.json.error_code, reply.text).to.equal('configuration_invalid');
            expect(reply.json.message).to.match(/servicesettings\.(access_token|cloud_access_token)\.value/);
            expect(reply.json.http_status_code).to.equal(null);
            expect(asked).to.deep.equal([]);
          }
        });
      });
    });
  }
});
