import { expect } from 'chai';
import fc from 'fast-check';
import { CAPABILITIES } from '../../../src/contract/capabilities.ts';
import { AUDIT } from '../../../src/domain/audit/stored.ts';
import { asApplied, type Document, furnish, type Json, SECRETS } from '../../suites/configuration/site.ts';
import { MemoryApp } from '../../support/memory/app.ts';
import { anyKey, holdsAsync } from '../../support/property.ts';

/** What somebody does to a document: where, counted in its places, and what. */
interface Edit {
  place: number;
  does: 'remove' | 'replace' | 'add';
  key: string;
  value: unknown;
}

const VALUES = [null, true, 0, -1, '', 'x', '***MASKED***', '__proto__', 'a/b/c', 'http://x', '../..', [], {}, [[]]];
const edits = fc.array(
  fc.record<Edit>({
    place: fc.nat(),
    does: fc.constantFrom('remove', 'replace', 'add'),
    key: fc.oneof(
      anyKey,
      fc.constantFrom('version', 'acl', 'name', 'is_edit', 'headers', 'details', 'servicesettings'),
    ),
    value: fc.oneof(fc.constantFrom(...VALUES), fc.dictionary(anyKey, fc.constantFrom(...VALUES), { maxKeys: 2 })),
  }),
  { minLength: 1, maxLength: 4 },
);

type Place = [holder: Json, key: string];
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const properties = Object.keys(value).map((key): Place => [value as Json, key]);
  return properties.flatMap((place) => [place, ...placesIn(place[0][place[1]])]);
}

function edited(document: Document, changes: readonly Edit[]): Document {
  const copy = structuredClone(document);
  for (const { place, does, key, value } of changes) {
    const places = placesIn(copy.records);
    const [holder, at] = places[place % Math.max(1, places.length)] ?? [{}, ''];
    const define = (name: string) =>
      Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
    if (does === 'remove') delete holder[at];
    else define(does === 'add' && !Array.isArray(holder) ? key : at);
  }
  return copy;
}

const without = (results: Json[], ...keys: string[]) =>
  results.map((result) => Object.fromEntries(Object.entries(result).filter(([key]) => !keys.includes(key))));

describe('configuration as a file: a document, however it was edited', () => {
  it('is planned without a trace, applied as planned, and then at rest; what it says is never a bug', async function () {
    this.timeout(300_000);
    await holdsAsync(
      fc.asyncProperty(edits, fc.boolean(), async (changes, hasSecrets) => {
        const app = new MemoryApp();
        app.cloud.newborn = 'READY';
        app.user('keeper', { roles: ['keeper'], capabilities: Object.keys(CAPABILITIES) });
        const call = (method: string, path: string, body?: unknown) => app.call('keeper', method, path, body);
        await furnish(call, 'one.example');
        const { document } = (await call('GET', '/export')).json;
        const secrets = hasSecrets ? SECRETS : {};
        const body = { document: edited(document, changes), secrets, include_agents: true };
        // A plan that carries secrets has an audit entry.
        const state = () =>
          JSON.stringify([...app.site.records.collections].map(([name, docs]) => name !== AUDIT && [...docs]));
        const before = state();
        const plan = await call('POST', '/import', body);
        expect(plan.status, JSON.stringify(plan.json).slice(0, 300)).to.be.oneOf([200, 400]);
        expect(state()).to.equal(before);
        if (plan.status !== 200) return;
        const applied = await call('POST', '/import', { ...body, mode: 'apply' });
        const results = without(applied.json.result, 'outcome');
        expect(asApplied(plan.json.result, results)).to.deep.equal(results);
        const replies = JSON.stringify([plan.json, applied.json]);
        expect(['internal_error', 'canary-7c41d0'].filter((text) => replies.includes(text))).to.deep.equal([]);
        expect(applied.json.summary.failed, replies).to.equal(0);
        const again = (await call('POST', '/import', { ...body, mode: 'apply' })).json;
        expect(again.summary, JSON.stringify(again.result)).to.include({ create: 0, update: 0 });
        expect(again.summary.blocked).to.equal(plan.json.summary.blocked);
      }),
    );
  });
});
