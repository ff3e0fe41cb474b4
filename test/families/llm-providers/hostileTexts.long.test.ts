import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { PROBE, type Target } from '../../../src/families/llm-providers/providers/provider.ts';
import { LLM_PROVIDERS } from '../../../src/families/llm-providers/providers/registry.ts';
import { MemoryApp } from '../../support/memory/app.ts';
import { FakeLlm } from '../../support/memory/llm.ts';
import { patience } from '../../support/time.ts';

/** Of the 8 MiB that an answer may have: enough that a quadratic pattern takes minutes. */
const SIZE = 2 * 1024 * 1024;
const KEY = 'key-canary-0123456789';
/** What patterns like to come back to. */
const UNITS = ['-eyJ', 'eyJaaaaaa.', 'model ', 'Bearer ', ' ', '\n', ':', '/', 'a.', 'x ', KEY, 'sk-', '<html ', '\\"'];
const filled = (unit: string) => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE);

/** Generous, since to write and parse such a text takes its time too: a quadratic pattern takes minutes. */
const MOST_MS = 4000;

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  expect(performance.now() - started, what).to.be.below(patience(MOST_MS));
}

describe('LLM providers: answers of megabytes that are made to be slow', () => {
  const settings = { endpoint: 'https://llm.example/base', verify_tls: true, access_token: KEY };
  const target: Target = { settings, hidden: [KEY] };

  // One of each dialect.
  const dialects = ['General_Chat', 'Enterprise_Cloud_Chat', 'Assistant_Family', 'Search_Vendor_Models'] as const;
  for (const service of [...dialects, 'Local_Runtime'] as const) {
    it(`${service}: reads hostile reasons, codes and lists fast and reports them short and without the key`, async () => {
      for (const unit of UNITS) {
        const text = filled(unit);
        const replies = [
          { status: 404, json: { error: { message: text, code: 'x', status: text } } },
          { status: 400, json: { error: { code: text, type: text, message: 'no' } } },
          { status: 400, json: { error: text } },
          { status: 500, text },
          { status: 404, text: `${text}x` },
        ];
        for (const [index, answer] of replies.entries()) {
          const peers = new FakeLlm();
          peers.answer = () => answer;
          await timed(`${service} ${JSON.stringify(unit)} ${index}`, async () => {
            using deadline = startDeadline(60_000);
            const error = await LLM_PROVIDERS[service]
              .client(target, peers)
              .chat('m', PROBE, unmetered(deadline))
              .catch((reason) => reason);
            expect(error).to.be.instanceOf(OutboundError);
            expect(error.message.length).to.be.below(500);
            expect(error.message).not.to.contain(KEY);
          });
        }
      }
    });
  }

  it('ids of models and cursors of that size are passed over', async () => {
    for (const unit of UNITS) {
      const long = `${filled(unit)}/`;
      const peers = new FakeLlm();
      peers.answer = () => ({
        json: {
          models: [{ name: long }, { name: 'm' }],
          data: [{ id: 'm' }],
          nextPageToken: long.slice(0, 100_000),
          has_more: true,
          last_id: long.slice(0, 100_000),
        },
      });
      for (const service of ['Local_Runtime', 'Search_Vendor_Models', 'Assistant_Family'] as const) {
        await timed(`${service} ${JSON.stringify(unit)}`, async () => {
          using deadline = startDeadline(60_000);
          const { ids } = await LLM_PROVIDERS[service].client(target, peers).list(deadline);
          expect(ids).to.deep.equal(['m']);
          const before = peers.calls.length;
          await LLM_PROVIDERS[service]
            .client(target, peers)
            .chat('m', PROBE, unmetered(deadline))
            .catch(() => undefined);
          expect(peers.calls.length - before).to.be.below(4);
        });
      }
      expect(Math.max(...peers.calls.map(({ url }) => url.length))).to.be.below(1000);
    }
  });

  it('an endpoint of a megabyte is refused at once', async () => {
    const app = new MemoryApp();
    app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    for (const path of [`${'/'.repeat(900_000)}x`, `${'/v1'.repeat(300_000)}x`, `${'/openai/x'.repeat(100_000)}`]) {
      for (const service of ['General_Chat', 'Enterprise_Cloud_Chat', 'Assistant_Family'] as const) {
        const servicesettings = { endpoint: { value: `https://llm.example${path}` } };
        await timed(`${service} ${path.slice(0, 10)}`, async () => {
          const body = { service, connection_name: 'c', model: 'm', servicesettings };
          const { status, json } = await app.call('editor', 'POST', '/aicommander', body);
          expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
          expect(json.errors.map((error: { field: string }) => error.field)).to.include(
            'servicesettings.endpoint.value',
          );
        });
      }
    }
  });
});
