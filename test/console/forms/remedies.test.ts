import { expect } from 'chai';

type Record = { family: string; name: string };
type RemedyLink = (code: string | undefined, record?: Record) => { label: string; to: string } | undefined;

const VIEWS = '/en-US/app/ml_extension/';
const placed = (to: string): string => new URL(to, `http://localhost${VIEWS}`).href.slice('http://localhost'.length);
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
    ['missing_capability', DESK, 'Open the roles of the platform', '../../manager/system/authorization/roles'],
    ['missing_capability', undefined, 'Open the roles of the platform', '../../manager/system/authorization/roles'],
    ['acl_denied', DESK, 'See who may use Desk', 'connections?name=Desk'],
    ['acl_denied', { family: 'runs', name: 'x' }],
    ['acl_denied', undefined],
    ['internal_error', DESK],
    [undefined, DESK],
  ];
  for (const [code, record, label, to] of cases) {
    it(`${code} of ${record?.family ?? 'no record'}: ${label ?? 'none'}`, () => {
      const found = remedyLink(code, record);
      expect(found?.label).to.equal(label);
      expect(found?.to).to.equal(to && placed(to));
    });
  }
});
