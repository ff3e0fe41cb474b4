import { expect } from 'chai';
import { OutboundError } from '../../../../src/contract/codes/outbound.ts';
import { rejection } from '../../../support/fault.ts';
import { documentOf, SavedStore } from './saved.ts';
import { ScriptedIndex } from './scriptedIndex.ts';

const vectors = (count: number) => Array.from({ length: count }, (_, index) => [1, index, 0, 0]);
/** The spans of passages stay. */
const padded = (name: string) => name.padEnd('runbook'.length, '-');
const version = (name: string, count: number) => {
  const document = documentOf('runbook', vectors(count), { name });
  return { ...document, text: document.text.replaceAll('runbook', padded(name)) };
};
const textsOf = (name: string, count: number) =>
  Object.fromEntries(vectors(count).map((_, index) => [`runbook#${index}`, `${padded(name)} part ${index}. `]));

const BUSY = { status: 429, reason: 'the queue is full' };
const WRONG = { status: 400, reason: 'this passage is not liked' };

describe('documents of which an index refuses a part', function () {
  this.timeout(30_000);
  let index: ScriptedIndex;
  let store: SavedStore;
  beforeEach(async () => {
    index = await new ScriptedIndex().start();
    store = await SavedStore.of(index, 'docs');
  });
  afterEach(() => index.close());

  const refuse = (error: typeof BUSY, ...keys: string[]) => {
    const from = index.bulks;
    return (until: number) => {
      index.judge = (key, bulk) => (keys.includes(key) && bulk - from <= until ? error : undefined);
    };
  };

  it('are written when the index takes at another time what it refused', async () => {
    await store.write([version('v1', 3)]);
    refuse(BUSY, 'runbook#1', 'runbook#2')(2);
    expect(await store.write([version('v2', 4)])).to.deep.equal([undefined]);
    expect(index.texts).to.deep.equal(textsOf('v2', 4));
    const [, again] = index.asked.filter(({ path }) => path.includes('_bulk')).slice(1);
    expect(again?.body).to.not.include('runbook#0');
  });

  it('are what they were when the index refuses a passage for good', async () => {
    await store.write([version('v1', 3)]);
    const before = structuredClone([...index.entries].sort());
    refuse(WRONG, 'runbook#3')(1);
    const [failure, other] = await store.write([version('v2', 5), documentOf('second', vectors(1))]);
    expect(failure?.code).to.equal('bad_request');
    expect(failure?.message).to.match(/stays as it was: this passage is not liked$/);
    expect(other).to.equal(undefined);
    index.entries.delete('second#0');
    expect([...index.entries].sort()).to.deep.equal(before);
    expect(index.bulks).to.equal(4);
  });

  it('are what they were when a former passage could not be deleted', async () => {
    await store.write([version('v1', 3)]);
    refuse(WRONG, 'runbook#2')(1);
    expect((await store.write([version('v2', 1)]))[0]?.code).to.equal('bad_request');
    expect(index.texts).to.deep.equal(textsOf('v1', 3));
  });

  it('are gone when they were new, and are not in the list', async () => {
    refuse(WRONG, 'runbook#1')(1);
    expect((await store.write([version('v1', 3)]))[0]?.code).to.equal('bad_request');
    expect(index.texts).to.deep.equal({});
    expect(await store.remove('all')).to.equal(0);
    index.entries.set('runbook#0', { body: 'theirs' });
    expect((await store.write([version('v1', 1)]))[0]?.code).to.equal('already_exists');
  });

  it('are what they were when the index stays busy', async () => {
    await store.write([version('v1', 2)]);
    refuse(BUSY, 'runbook#0')(5);
    expect((await store.write([version('v2', 2)]))[0]?.code).to.equal('rate_limited');
    expect(index.texts).to.deep.equal(textsOf('v1', 2));
    expect(await store.write([version('v3', 1)])).to.deep.equal([undefined]);
    expect(index.texts).to.deep.equal(textsOf('v3', 1));
  });

  it('say so when they could not be made whole, and the next write replaces all', async () => {
    await store.write([version('v1', 2)]);
    index.judge = (key, bulk) => (key === 'runbook#1' && bulk > 1 ? WRONG : undefined);
    index.hidden = ['embedding'];
    const [failure] = await store.write([version('v2', 3)]);
    expect(failure?.message).to.match(/may have others of the document.*Write it again$/);
    index.judge = () => undefined;
    expect(await store.write([version('v3', 1)])).to.deep.equal([undefined]);
    expect(index.texts).to.deep.equal(textsOf('v3', 1));
  });

  it('are written when the server ended in the middle and came back', async () => {
    await store.write([version('v1', 3)]);
    index.endsAfter = (bulk) => (bulk === 2 ? 1 : Number.POSITIVE_INFINITY);
    expect(await store.write([version('v2', 2)])).to.deep.equal([undefined]);
    expect(index.texts).to.deep.equal(textsOf('v2', 2));
  });

  it('stay known when the server does not come back, and the next write replaces all', async () => {
    index.endsAfter = (bulk) => (bulk === 1 ? Number.POSITIVE_INFINITY : 1);
    const failed = store.write([documentOf('first', vectors(1)), version('v1', 3)]);
    expect((await rejection(failed, OutboundError)).code).to.equal('connection_reset');
    expect(Object.keys(index.texts)).to.deep.equal(['first#0', 'runbook#0']);
    index.endsAfter = () => Number.POSITIVE_INFINITY;
    expect(await store.write([version('v2', 2)])).to.deep.equal([undefined]);
    expect(await store.remove('all')).to.equal(2);
    expect(index.texts).to.deep.equal({});
  });

  it('fail together when the index takes nothing', async () => {
    index.judge = () => ({ status: 403, reason: 'read-only' });
    const error = await rejection(store.write([version('v1', 2)]), OutboundError);
    expect([error.code, error.message]).to.deep.equal([
      'permission_denied',
      'The index did not take a passage: read-only',
    ]);
  });
});
