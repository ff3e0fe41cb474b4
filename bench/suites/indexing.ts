import { setTimeout as sleep } from 'node:timers/promises';
import { parallel } from '../../src/domain/async/parallel.ts';
import { searched } from '../../test/e2e/agents/agentSupport.ts';
import { configure, gatewayPlatform } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import { readBody, sendJson, startHttp } from '../../test/support/peers/listen.ts';
import type { Bench } from '../bench.ts';
import { timed } from '../measure.ts';

const ROWS = 10_000;
/** How many calls the command makes at a time. */
const PARALLEL = 8;
/** A small embedding model on a few cores. */
const MS_FOR_TEXT = 5;
const DIMENSIONS = 384;
const VECTOR = Array.from({ length: DIMENSIONS }, (_, index) => Math.sin(index));

/** Rows of a search that go into a store in the platform, beside the calls that embed them. */
export async function indexing(bench: Bench): Promise<void> {
  const bodies: string[] = [];
  const upstream = await startHttp(async (incoming, response) => {
    const body = await readBody(incoming);
    bodies.push(body);
    const { input } = JSON.parse(body) as { input: string[] };
    await sleep(input.length * MS_FOR_TEXT);
    const data = input.map((_, index) => ({ index, embedding: VECTOR }));
    sendJson(response, 200, { object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
  });
  const platform = await gatewayPlatform({ ML_TLS: '0' });
  try {
    await configure(platform, 'up', upstream.url, { model: 'embed' });
    const store = { name: 'Bench', type: 'BUILT_IN', details: { embedding_model: 'up/embed' } };
    expectStatus(await platform.ml('anna', 'POST', '/vector_stores', store), 200, 'a store');
    const what = `mlindex, ${ROWS} rows into a store in the platform`;
    const against = `their embedding calls alone, ${PARALLEL} at a time`;
    await bench.row({ what, against, unit: 'ms', aim: 1.2 }, 1, async (runs) => {
      const pairs = { ours: [] as number[], base: [] as number[] };
      // The platform starts its processes once, and not for each search.
      await fill(platform, 'first', ROWS / 5);
      for (let run = 0; run < runs; run++) {
        bodies.length = 0;
        pairs.ours.push(await timed(() => fill(platform, String(run), ROWS)));
        const calls = [...bodies];
        const url = `${upstream.url}/v1/embeddings`;
        pairs.base.push(
          await timed(() =>
            parallel(calls, PARALLEL, async (body) => (await fetch(url, { method: 'POST', body })).arrayBuffer()),
          ),
        );
      }
      return pairs;
    });
  } finally {
    await platform.dispose();
    await upstream.close();
  }
}

async function fill(platform: TestPlatform, run: string, count: number): Promise<void> {
  const rows = `| makeresults count=${count} | streamstats count as n`;
  const text = `${rows} | mlindex store="Bench" id="${run}-{n}" text="Runbook {n}: restart the service and look at its log" parallel=${PARALLEL} timeout=300`;
  const { rows: written, job } = await searched(platform, 'anna', text);
  const failed = written.find(({ index_error: code }) => code !== '');
  if (written.length !== count || failed) throw new Error(JSON.stringify([job, failed]));
}
