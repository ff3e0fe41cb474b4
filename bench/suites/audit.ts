import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtApp } from '../../test/support/e2e/build.ts';
import { expectStatus, TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';
import { fill, READERS, trail } from '../listSeeds.ts';

const RUNS = 150;
const ENTRIES = 100_000;
/** How a row's part in the trail stands in the built app, where rows are JSON. */
const AUDITED = /"audit":(?=\{"family":)/g;

/** What the audit trail costs: a write beside the same of an app whose rows are not recorded, and a page of a long one. */
export async function audit(bench: Bench): Promise<void> {
  await recordedWrites(bench);
  await longTrail(bench);
}

async function longTrail(bench: Bench): Promise<void> {
  const against = 'a raw read of 30 entries';
  const what = 'page of 30 of 100,000, audit';
  const searched = { what: `${what}, search`, against: 'a raw read of the searched fields', aim: 2 };
  const page = { what, against, aim: 2 };
  if (!bench.wants({ ...page, unit: 'ms' }, { ...searched, unit: 'ms' })) return;
  const site = await new TestPlatform().start();
  try {
    await site.createRole(READERS, ['ml_user']);
    await fill(site, trail, ENTRIES);
    const list = (search: string) => async () => {
      const { json, text } = await site.ml('admin', 'GET', `/audit?count=30${search}`);
      if (json?.pagination?.total !== ENTRIES || json.result.length !== 30) throw new Error(text.slice(0, 500));
    };
    const raw = (query: string) => async () => {
      const url = `/servicesNS/nobody/ml_extension/storage/collections/data/ml_audit?${query}`;
      expectStatus(await site.call('admin', 'GET', url), 200, url);
    };
    await bench.times(page, 30, list(''), raw('sort=audit_id:-1&limit=30'));
    const fields = 'fields=_key,audit_id,name,user,action,family,error_code';
    await bench.times(searched, 5, list('&search=copy'), async () => {
      // The platform answers no more than 50,000 at once.
      for (const skip of [0, 50_000]) await raw(`${fields}&limit=0&skip=${skip}`)();
    });
  } finally {
    await site.dispose();
  }
}

async function recordedWrites(bench: Bench): Promise<void> {
  const app = withoutAudit();
  const platform = await new TestPlatform().start();
  const plain = await new TestPlatform({ args: ['--app', app] }).start();
  try {
    for (const [what, body] of Object.entries({
      'change of a description': (index: number) => ({ description: `change ${index}` }),
      'change of a token': (index: number) => ({ details: { token: `token ${index}` } }),
    })) {
      const change = await changes(platform, body);
      const unrecorded = await changes(plain, body);
      const comparison = { what: `${what}, recorded`, against: 'without audit trail', aim: 1.5, keep: 1.7 };
      await bench.times(comparison, RUNS, change, unrecorded);
    }
    const [some, none] = await Promise.all([platform, plain].map((site) => site.documents('ml_audit')));
    if (!some?.length || none?.length !== 0) throw new Error('the yardstick is recorded, or the app is not');
  } finally {
    await platform.dispose();
    await plain.dispose();
    rmSync(join(app, '..'), { recursive: true, force: true });
  }
}

function withoutAudit(): string {
  const app = join(mkdtempSync(join(tmpdir(), 'bench-app-')), 'ml_extension');
  cpSync(builtApp(), app, { recursive: true });
  const lib = join(app, 'bin/lib');
  for (const name of readdirSync(lib).filter((file) => file.endsWith('.mjs'))) {
    const text = readFileSync(join(lib, name), 'utf8');
    writeFileSync(join(lib, name), text.replaceAll(AUDITED, '"audit":null,"unrecorded":'));
  }
  return app;
}

async function changes(site: TestPlatform, body: (index: number) => object): Promise<() => Promise<void>> {
  const made = { name: 'audited', type: 'PLATFORM', details: { url: 'https://mcp.example/mcp', token: 'first' } };
  await site.ml('admin', 'DELETE', '/mcp_connection/audited');
  const reply = await site.ml('admin', 'POST', '/mcp_connection', made);
  if (reply.status !== 200) throw new Error(reply.text);
  let index = 0;
  return async () => {
    index += 1;
    const { status, text } = await site.ml('admin', 'PUT', '/mcp_connection', { name: 'audited', ...body(index) });
    if (status !== 200) throw new Error(text);
  };
}
