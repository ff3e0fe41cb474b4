import { expect } from 'chai';
import { timePart } from '../../../src/domain/values/keys.ts';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { slowdown } from '../../support/time.ts';

const MCP = { name: 'one', type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' } };
/** A page of 30 may cost this much more with 100,000 entries than with 100: its total is counted at each request, through an index. */
const RATIO = 5;

describe('a large audit trail', function () {
  this.timeout(600_000);

  it(`a page of 30 of 100,000 entries takes at most ${RATIO} times as long as one of 100`, async () => {
    const small = await startPlatform({ env: { ML_DRIVERS: '1' } });
    const large = await startPlatform({ env: { ML_DRIVERS: '1' } });
    try {
      for (const [site, count] of [
        [small, 100],
        [large, 100_000],
      ] as const)
        await fill(site, count);
      for (const query of ['', 'family=agents', 'user=user7', 'action=update&outcome=fail', 'offset=60']) {
        const look = (site: TestPlatform) => async () => {
          const started = performance.now();
          const reply = await site.ml('admin', 'GET', `/audit?${query}`);
          expect(reply.json.result, query).to.not.have.length(0);
          return performance.now() - started;
        };
        const { ratio, figures } = await slowdown(look(large), look(small), RATIO);
        if (process.env.ML_SHOW_FIGURES) process.stdout.write(`${query}: ${figures}\n`);
        expect(ratio, `${query}: ${figures}`).to.be.below(RATIO);
      }
    } finally {
      await small.dispose();
      await large.dispose();
    }
  });

  async function fill(site: TestPlatform, count: number): Promise<void> {
    await site.ml('admin', 'POST', '/mcp_connection', MCP);
    const [template] = await site.documents('ml_audit');
    const now = Date.now();
    const pick = <T>(list: readonly T[], index: number) => list[index % list.length];
    const docs = Array.from({ length: count - 1 }, (_, index) => {
      const audit_id = timePart(now - index * 1000) + index.toString(16).padStart(20, '0');
      return {
        ...template,
        ...{ _key: audit_id, audit_id, time: (now - index * 1000) / 1000, user: `user${index % 9}` },
        ...{ family: pick(['agents', 'containers', 'experiments'], index), action: pick(['create', 'update'], index) },
        ...{ outcome: pick(['success', 'success', 'success', 'fail'], index), request_id: `r${index}` },
      };
    });
    await site.putDocuments('ml_audit', docs);
  }
});
