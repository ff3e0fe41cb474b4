import { expect } from 'chai';
import { ModelListing, type NamedModel, type UploadedModels } from '../../../src/families/model-files/public.ts';
import type { LookupFiles } from '../../../src/ports/stores/lookupFiles.ts';
import type { RecordStore } from '../../../src/ports/stores/recordStore.ts';
import { faultOf } from '../../support/fault.ts';

describe('the file of an uploaded model', () => {
  let content: string | undefined;
  let changedAt: number;

  beforeEach(() => {
    content = 'first';
    changedAt = 1;
  });

  async function open() {
    const lookups = {
      stat: async () => (content === undefined ? undefined : { size: content.length, changedAt }),
      head: async (_: unknown, bytes: number) => content && Buffer.from(content).subarray(0, bytes),
    } as unknown as LookupFiles;
    const uploads = { contentsOf: async () => new Map() } as unknown as UploadedModels;
    const file = { app: 'ml_extension', owner: 'nobody', sharing: 'app' };
    return new ModelListing({} as RecordStore, lookups, uploads).openFile({ name: 'm', file } as NamedModel);
  }

  it('is read as it was when the model was looked up', async () => {
    const { read } = await open();
    expect(String(await read())).to.equal('first');
  });

  it('is refused if it was replaced since: its features are those of the other one', async () => {
    for (const other of ['longer than the first', 'tiny', 'other']) {
      content = 'first';
      const { read } = await open();
      [content, changedAt] = [other, changedAt + 1];
      expect((await faultOf(read())).code, other).to.equal('store_unavailable');
    }
  });

  it('is not found if it was deleted since', async () => {
    const { read } = await open();
    content = undefined;
    expect((await faultOf(read())).code).to.equal('not_found');
  });
});
