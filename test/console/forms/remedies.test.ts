import { expect } from 'chai';

type Record = { family: string; name: string };
type RemedyLink = (code: string | undefined, record?: Record) => { label: string; to: string } | undefined;

const VIEWS = '/en-US/app/ml_extension/';
const DESK: Record = { family: 'mcp-connections', name: 'Desk' };
const STORE: Record = { family: 'vector-stores', name: 'Handbook' };

describe('the console: links to the page that resolves a failure', () => {
  let remedyLink: RemedyLink;
  const globals = globalThis as { window?: unknown };

  before(async () => {
    globals.window = { location: { pathname: `${VIEWS}playground` } };
    // The types of the pages are compiled separately.
    ({ remedyLink } = await import(new URL('../../../console/parts/remedies.ts', import.meta.url).href));
  });
  after(() => {
    delete globals.window;
  });

  const cases: [code: string | undefined, record: Record | undefined, label?: string, to?: string][] = [
    ['feature_disabled', undefined, 'Open the features', 'settings'],
    ['feature_disabled', DESK, 'Open the features', 'settings'],
    ['limit_exceeded', undefined, 'Open the usage limits', 'usage?tab=limits'],
    ['unreadable_record', undefined, 'Open the health of the app', 'overview'],
    ['auth_failed', DESK, 'Edit Desk', 'connections?name=Desk&edit=1'],
    ['auth_failed', STORE, 'Edit Handbook', 'connections?tab=vectors&name=Handbook&edit=1'],
    ['secret_required_for_new_host', DESK, 'Edit Desk', 'connections?name=Desk&edit=1'],
    ['tls_untrusted', DESK, 'Edit Desk', 'connections?name=Desk&edit=1'],
    ['tool_changed', DESK, 'Review the tools of Desk', 'connections?name=Desk'],
    ['auth_failed', undefined],
    ['auth_failed', { family: 'configuration', name: 'x' }],
    ['missing_capability', DESK],
    ['internal_error', DESK],
    [undefined, DESK],
  ];
  for (const [code, record, label, to] of cases) {
    it(`${code} of ${record?.family ?? 'no record'}: ${label ?? 'none'}`, () => {
      expect(remedyLink(code, record)).to.deep.equal(label === undefined ? undefined : { label, to: `${VIEWS}${to}` });
    });
  }
});
