import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, type Site } from '../../support/programs/browser.ts';

interface Listed {
  id: string;
  passages: number;
  metadata: object;
  updated_at: number;
}
interface Sent {
  documents: { id: string; text: string }[];
}

const PAGE = 'connections?tab=vectors&documents=Runbooks';
const LIST = /\/ai_gateway\/index(\?|$)/;
const DELETION = /\/ai_gateway\/index\/delete(\?|$)/;

describe('the console: documents of a store, in a browser', function () {
  this.timeout(120_000);
  let site: Site;
  let platform: TestPlatform;
  let walk: Walk;
  let documents: Listed[] = [];
  const sent: Sent[] = [];
  /** Replies of the app in place of a list or a write. */
  let refusal: { status: number; json: object } | undefined;

  const fault = (status: number, error_code: string, message: string) => ({
    status,
    json: { status: 'fail', message, error_code, remedy: 'Do something else.', request_id: 'r-1', messages: [] },
  });

  /** Answers like the app, without an embedding model. */
  async function answer(route: Route): Promise<void> {
    const request = route.request();
    if (refusal) return route.fulfill(refusal);
    if (request.method() === 'GET') {
      const { searchParams: query } = new URL(request.url());
      const found = documents
        .filter(({ id }) => id.includes(query.get('search') ?? ''))
        .sort((a, b) => (query.get('sort_dir') === 'desc' ? -1 : 1) * (a.id < b.id ? -1 : 1));
      const offset = Number(query.get('offset') ?? 0);
      const count = Number(query.get('count') ?? 30);
      const result = found.slice(offset, offset + count);
      const pagination = {
        offset,
        count,
        total: found.length,
        returned: result.length,
        has_more: false,
        next_offset: null,
      };
      return route.fulfill({ json: { status: 'success', message: 'OK', result, pagination } });
    }
    const body = request.postDataJSON() as Sent;
    sent.push(body);
    const failed = body.documents
      .filter(({ text }) => text.includes('poison'))
      .map(({ id }) => ({ id, error_code: 'content_refused', message: 'It holds a password' }));
    const written = body.documents.filter(({ id }) => !failed.some((failure) => failure.id === id));
    const ids = new Set(written.map(({ id }) => id));
    documents = [
      ...documents.filter(({ id }) => !ids.has(id)),
      ...written.map(({ id }) => ({ id, passages: 2, metadata: {}, updated_at: 1_790_000_000 })),
    ];
    const usage = { prompt_tokens: 1, total_tokens: 1 };
    await route.fulfill({
      json: {
        status: 'success',
        message: 'OK',
        indexed: written.length,
        passages: 2 * written.length,
        failed,
        usage,
        ml: {},
      },
    });
  }

  async function remove(route: Route): Promise<void> {
    const body = route.request().postDataJSON() as { ids?: string[]; all?: true };
    const gone = documents.filter(({ id }) => body.all || body.ids?.includes(id));
    documents = documents.filter((document) => !gone.includes(document));
    await route.fulfill({ json: { status: 'success', message: 'OK', deleted: gone.length } });
  }

  before(async function () {
    site = await openSite(this);
    ({ platform } = site);
    walk = walkOf(site.admin, platform);
    await callAdmin(platform, 'POST', '/aicommander', {
      ...{ service: 'General_Chat', connection_name: 'Ops', model: 'words' },
      servicesettings: { endpoint: { value: 'http://127.0.0.1:9/v1' } },
    });
    const { page } = walk;
    await page.route(LIST, answer);
    await page.route(DELETION, remove);
  });

  after(() => site?.dispose());

  const files = (...given: { name: string; text: string | Buffer }[]) =>
    given.map(({ name, text }) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(text) }));
  const table = () => walk.page.getByRole('table', { name: 'documents' });
  const names = () => table().getByRole('link').allInnerTexts();

  it('makes a store in the platform, whose model is chosen, and leads to its documents', async () => {
    const form = await walk.openForm('connections?tab=vectors', 'vector store');
    await walk.fill(form, { Name: 'Runbooks' });
    await walk.press('Save', form);
    await walk.see(form, 'Embedding model is required');
    await walk.choose(form, 'details.embedding_model', /^words/);
    await expectAccessible(site.admin, 'the form of a store in the platform');
    await walk.press('Save', form);
    const panel = walk.dialog('Runbooks');
    await walk.see(panel, 'In the platform', 'Ops/words');
    const { config } = await callAdmin(platform, 'GET', '/vector_stores/Runbooks');
    expect(config.type).to.equal('BUILT_IN');
    expect(config.details).to.deep.equal({ embedding_model: 'Ops/words', chunk_tokens: 400, overlap_tokens: 50 });
    await walk.press('Documents', panel);
    await walk.see(walk.page, 'Documents of Runbooks', 'No documents yet');
    await expectAccessible(site.admin, 'a store without documents');
  });

  it('uploads several files, in requests of a size that the proxy can wait for, and says what failed', async () => {
    await walk.press('Upload files');
    const dialog = walk.dialog('Upload files to Runbooks');
    const big = 'A long line of text. '.repeat(5000);
    await dialog
      .getByLabel('Files')
      .setInputFiles(
        files(
          { name: 'disk.md', text: '# Disk full\nEmpty the spool.' },
          { name: 'a.md', text: big },
          { name: 'b.md', text: big },
          { name: 'bad.md', text: 'poison' },
          { name: 'empty.txt', text: ' ' },
          { name: 'latin.txt', text: Buffer.from([0x66, 0xfc, 0x72]) },
          { name: 'huge.txt', text: 'x'.repeat(1_000_001) },
        ),
      );
    await walk.see(
      dialog,
      '4 files to upload',
      'empty.txt: The file is empty',
      'latin.txt: The file is no text in UTF-8',
    );
    await walk.see(dialog, 'huge.txt: The text has more than 1,000,000 characters: divide the file');
    await walk.press('Upload', dialog);
    await walk.see(dialog, '3 documents with 6 passages indexed.', 'bad.md: It holds a password');
    await expectAccessible(site.admin, 'an upload with failures');
    expect(sent.map((request) => request.documents.map(({ id }) => id))).to.deep.equal([
      ['disk.md', 'a.md'],
      ['b.md', 'bad.md'],
    ]);
    await walk.press('Close', dialog);
    await walk.see(table(), 'disk.md');
    expect(await names()).to.deep.equal(['a.md', 'b.md', 'disk.md']);
  });

  it('sends the rest after a failure of a request', async () => {
    await walk.press('Upload files');
    const dialog = walk.dialog('Upload files to Runbooks');
    refusal = fault(400, 'store_full', 'The vector store would have more than 100,000 passages');
    await dialog.getByLabel('Files').setInputFiles(files({ name: 'late.md', text: 'late' }));
    await walk.press('Upload', dialog);
    await walk.see(dialog, 'more than 100,000 passages', 'Do something else.', '1 document was not written.');
    refusal = undefined;
    await walk.press('Upload the others', dialog);
    await walk.see(dialog, '1 document with 2 passages indexed.');
    await walk.press('Close', dialog);
  });

  it('writes a pasted text under an id', async () => {
    await walk.press('Paste a text');
    const form = walk.dialog('New document of Runbooks');
    await walk.press('Index', form);
    await walk.see(form, 'Id is required', 'Text is required');
    await walk.fill(form, { Id: 'pasted', Text: 'poison' });
    await walk.press('Index', form);
    await walk.see(form, 'It holds a password');
    await walk.fill(form, { Text: 'Restart the spooler.' });
    await walk.press('Index', form);
    await walk.see(walk.page, '1 document with 2 passages indexed.');
    expect(sent.at(-1)?.documents).to.deep.equal([{ id: 'pasted', text: 'Restart the spooler.' }]);
  });

  it('finds, sorts and pages them, and keeps that in the address', async () => {
    const { page } = walk;
    documents = Array.from({ length: 65 }, (_, at) => ({
      ...{ id: `page-${String(at).padStart(2, '0')}.md`, passages: at, updated_at: 1_790_000_000 + at },
      metadata: { team: 'storage' },
    }));
    await walk.open(`${PAGE}&page=2`);
    await walk.see(page, '31–60 of 65', 'team: storage');
    await page.getByLabel('Search documents').fill('page-6');
    await walk.see(page, '1–5 of 5');
    await page.getByRole('button', { name: /^Document/ }).click();
    await page.waitForURL(/dir=desc|sort=id/);
    await page.reload();
    await walk.see(page, '1–5 of 5');
    await page.getByLabel('Search documents').fill('nowhere');
    await walk.see(page, 'No documents match');
    await walk.open(`${PAGE}&name=page-07.md`);
    const panel = walk.dialog('page-07.md');
    await walk.see(panel, 'storage');
    await expectAccessible(site.admin, 'the panel of a document');
    await walk.press('Delete', panel);
    await walk.press('Delete', walk.dialog('Delete page-07.md?'));
    await walk.see(page, '1–30 of 64');
  });

  it('deletes those that are selected, and all of them, after a question', async () => {
    const { page } = walk;
    await walk.open(PAGE);
    await page.getByLabel('Select page-00.md').click();
    await page.getByLabel('Select page-02.md').click();
    await walk.press('Delete selected (2)');
    await walk.press('Delete', walk.dialog('Delete 2 documents?'));
    await walk.see(page, '2 documents were deleted.', '1–30 of 62');
    await walk.press('Delete documents');
    const question = walk.dialog('Delete all documents of Runbooks?');
    await walk.see(question, 'This cannot be undone.');
    await walk.press('Cancel', question);
    await walk.press('Delete documents');
    await walk.press('Delete', question);
    await walk.see(page, '62 documents were deleted.', 'No documents yet');
  });

  it('says why the list cannot be read, and why nothing can be written', async () => {
    const { page } = walk;
    refusal = fault(502, 'connection_refused', 'The database refused the connection');
    await walk.open(PAGE);
    await walk.see(page, 'The database refused the connection', 'Do something else.');
    refusal = undefined;
    await walk.press('Retry');
    await walk.see(page, 'No documents yet');
    await platform.setConf('feature_flags', { vector_stores: '0' });
    await walk.open(PAGE);
    await walk.see(page, /vector_stores/);
    await page.getByRole('button', { name: 'Upload files' }).first().hover();
    await walk.see(page, 'The feature vector_stores is switched off');
    await platform.setConf('feature_flags', { vector_stores: '1' });
    await walk.open('connections?tab=vectors&documents=Nothing');
    await walk.see(page, 'No vector store of this name');
  });

  it('leads to the playground with the store', async () => {
    await walk.open(PAGE);
    await walk.page.getByRole('link', { name: 'Try a query' }).click();
    await walk.page.waitForURL(/playground\?tab=retrieve&store=Runbooks/);
    await walk.see(walk.page, 'Passages at most');
    expectNoComplaints(site.admin);
  });
});
