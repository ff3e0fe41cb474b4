import { expect } from 'chai';
import { PROVIDER_NAMES } from '../../../src/contract/families/llmProviders.ts';
import { type MadeCertificate, makeCertificate } from '../../support/peers/certificates.ts';
import { freePort, startHttp } from '../../support/peers/listen.ts';
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
} from '../../support/peers/llm.ts';
import { AWS_SECRET, blobOf, KEY } from '../../support/records/llmBlob.ts';
import type { Answer, OpenWorld } from '../../support/worlds/world.ts';
import { LlmKit, METADATA, textOf } from './kit.ts';

/** Every service against a provider that a test server plays, in any world. */
export function providerSuite(open: OpenWorld): void {
  const world = open({ users: { editor: ['ml_admin'] }, collections: [], servers: true });
  const { test } = new LlmKit(world);

  const ca = makeCertificate({ ca: true });
  const good = makeCertificate({ issuer: ca });
  const elsewhere = makeCertificate({ issuer: ca, names: ['other.example'] });
  const expired = makeCertificate({ issuer: ca, notAfter: new Date(Date.now() - 3_600_000) });

  async function withProvider<T>(script: Script, run: (url: string, asked: readonly Asked[]) => Promise<T>) {
    const provider = await startProvider(script);
    try {
      return await run(provider.url, provider.asked);
    } finally {
      await provider.close();
    }
  }

  const expectUnreached = (reply: Answer, code: string) => {
    expect(reply.json, textOf(reply)).to.include({ status: 'fail', error_code: code, http_status_code: null });
    expect(textOf(reply)).to.not.contain(KEY);
  };

  it('each waits for a silent provider as long as it is told to', async () => {
    const silent = await startHttp(() => {});
    try {
      const blobs = PROVIDER_NAMES.map((service) => blobOf(service, silent.url, { request_timeout: { value: 1 } }));
      for (const reply of await Promise.all(blobs.map(test))) expectUnreached(reply, 'timeout');
    } finally {
      await silent.close();
    }
  });

  for (const service of PROVIDER_NAMES) {
    describe(service, () => {
      after(async () => {
        expect(await world.leaks(KEY, AWS_SECRET), 'keys of inline tests are kept nowhere').to.deep.equal([]);
      });

      it('chats', async () => {
        await withProvider(WELL[service], async (url, asked) => {
          const reply = await test(blobOf(service, url));
          expect(reply.status, textOf(reply)).to.equal(200);
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
          const list = await test({ ...blobOf(service, url), probe: 'list' });
          expect(list.json, textOf(list)).to.include({ status: 'success', success: true, http_status_code: 200 });
          expect(list.json).to.not.have.property('response_content');
          const { model: _, ...blob } = blobOf(service, url);
          const refreshed = await test({ ...blob, action: 'refresh_models' });
          expect(refreshed.json, textOf(refreshed)).to.include({ status: 'success', success: true, service });
          expect(refreshed.json.count).to.equal(refreshed.json.models.length).and.greaterThan(0);
          const metadata = await world.call('editor', 'GET', METADATA);
          const { models } = metadata.json.config.services[service];
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
            expect(reply.json, textOf(reply)).to.include({
              status: 'fail',
              success: false,
              error_code: EXPECTED[fault],
            });
            expect(reply.json.http_status_code).to.equal(answer.status);
            expect(reply.json.message).to.be.a('string').and.not.equal('');
            if (fault === 'rate_limited') expect(reply.json.retry_after, textOf(reply)).to.equal(7);
            expect(textOf(reply)).to.not.contain(KEY).and.not.contain(AWS_SECRET);
          });
        });
      }

      it('network: DNS, refused, reset, TLS on a plain port', async () => {
        const cutting = await startCutting();
        const plain = await startProvider(WELL[service]);
        const cases: [string, string][] = [
          ['http://no-such-host.invalid', 'dns_failed'],
          [`http://127.0.0.1:${await freePort()}`, 'connection_refused'],
          [cutting.url, 'connection_reset'],
          [plain.url.replace('http:', 'https:'), 'tls_protocol'],
          ['http://169.254.169.254', 'blocked_by_policy'],
        ];
        try {
          for (const [url, code] of cases) {
            expectUnreached(await test(blobOf(service, url)), code);
          }
        } finally {
          await Promise.all([cutting.close(), plain.close()]);
        }
      });

      it('TLS: untrusted, wrong name, expired; trusted with the CA, and without verification', async () => {
        const trusting = { ca_certificate: { value: ca.cert } };
        const cases: [MadeCertificate, Record<string, unknown>, string | undefined][] = [
          [good, {}, 'tls_untrusted'],
          [good, trusting, undefined],
          [good, { verify_tls: { value: false } }, undefined],
          [elsewhere, trusting, 'tls_hostname_mismatch'],
          [expired, trusting, 'tls_expired'],
        ];
        for (const [certificate, settings, code] of cases) {
          const provider = await startProvider(WELL[service], certificate);
          try {
            const reply = await test(blobOf(service, provider.url, settings));
            expect(reply.json.error_code, textOf(reply)).to.equal(code);
            expect(provider.asked.length > 0, 'something was sent').to.equal(code === undefined);
          } finally {
            await provider.close();
          }
        }
      });

      it('answers that are none: a page, broken JSON, another shape, a redirect, 500', async () => {
        const replies: [Script, string][] = [
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
        for (const [script, status] of replies) {
          await withProvider(script, async (url) => {
            const reply = await test(blobOf(service, url));
            expect(reply.json.error_code, `${status} ${textOf(reply)}`).to.equal('upstream_error');
            expect(String(reply.json.http_status_code), textOf(reply)).to.equal(status);
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
            expect(reply.json.error_code, textOf(reply)).to.equal(code);
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
          if (['Local_Runtime', 'General_Chat', 'Fast_Inference'].includes(service)) {
            expect(reply.json.success, textOf(reply)).to.equal(true);
            for (const { headers } of asked) expect(headers).to.not.have.property('authorization');
          } else {
            expect(reply.json.error_code, textOf(reply)).to.equal('configuration_invalid');
            expect(reply.json.message).to.match(/servicesettings\.(access_token|cloud_access_token)\.value/);
            expect(reply.json.http_status_code).to.equal(null);
            expect(asked).to.deep.equal([]);
          }
        });
      });
    });
  }
}
