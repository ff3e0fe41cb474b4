import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { writeFiles } from '../support/platform.ts';
import { type SearchFixture, startSearching } from '../support/searchCommand.ts';
import { recordedFacts } from './recorded.ts';

/** JSON types of members: a name, a text in quotes for a value, a list of one type, or members again. */
type Types = { [key: string]: string | string[] | Types };

interface RecordedEntry {
  content: Types;
  links: string[];
  acl?: string[];
  top_links: Record<string, string>;
  absent_while_QUEUED_or_PARSING?: string[];
}

const recorded = recordedFacts<
  Record<string, RecordedEntry> & { lookup_table_file: { 'content_10.4.2': string[]; 'content_10.6': string[] } }
>('entries.json');

const APP = '/servicesNS/nobody/searching';
const JOBS = '/servicesNS/admin/searching/search/jobs';

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function fits(value: unknown, type: Types[string]): boolean {
  if (Array.isArray(type))
    return Array.isArray(value) && value.every((item) => type.length === 0 || fits(item, type[0] ?? ''));
  if (typeof type === 'object') return value !== null && typeof value === 'object';
  if (type.startsWith('"')) return JSON.stringify(value) === type;
  return typeOf(value) === type || (type === 'number' && typeof value === 'number');
}

/** How the members of a content differ from the recorded ones. */
function differences(content: Record<string, unknown>, types: Types, path = ''): string[] {
  return [
    ...Object.keys(content)
      .filter((key) => !(key in types))
      .map((key) => `more: ${path}${key}`),
    ...Object.entries(types).flatMap(([key, type]) => {
      const value = content[key];
      if (value === undefined) return [`none: ${path}${key}`];
      if (!fits(value, type)) return [`${typeOf(value)}: ${path}${key}`];
      const isTree = typeof type === 'object' && !Array.isArray(type);
      return isTree ? differences(value as Record<string, unknown>, type, `${path}${key}.`) : [];
    }),
  ];
}

describe('embedded platform: recorded entries of splunkd', () => {
  let fixture: SearchFixture;
  let sid: string;
  before(async () => {
    fixture = await startSearching();
    const { call, home } = fixture.platform;
    writeFiles(join(home, 'etc/apps/searching'), { 'default/collections.conf': '[things]\n' });
    const form = { search: 'search index=main', exec_mode: 'blocking', output_mode: 'json' };
    sid = (await call('POST', JOBS, { form })).json.sid;
  });
  after(() => fixture.stop());

  const feed = async (path: string) => {
    const { status, json } = await fixture.platform.call(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}output_mode=json`,
    );
    expect(status, path).to.equal(200);
    return json;
  };

  for (const [name, path] of [
    ['current_context', '/services/authentication/current-context?count=1'],
    ['roles', '/services/authorization/roles?count=1'],
    ['users', '/services/authentication/users?count=1'],
    ['kv_config', `${APP}/storage/collections/config?count=1`],
    ['search_jobs', '/services/search/jobs/<sid>'],
    ['kvstore_status', '/services/kvstore/status'],
  ] as const) {
    it(name, async () => {
      const { content, links, acl, top_links } = recorded[name] as RecordedEntry;
      const { entry, links: tops } = await feed(path.replace('<sid>', sid));
      expect(differences(entry[0].content, content)).to.deep.equal([]);
      expect(Object.keys(entry[0].links)).to.have.members(links);
      if (acl) expect(Object.keys(entry[0].acl)).to.have.members(acl);
      expect(entry[0]).not.to.have.property('fields');
      expect(Object.keys(tops)).to.have.members(Object.keys(top_links));
    });
  }

  it('search_jobs before the search runs', async () => {
    const { content, absent_while_QUEUED_or_PARSING: absent = [] } = recorded.search_jobs as RecordedEntry;
    const form = { search: '| mute', output_mode: 'json' };
    const job = (await fixture.platform.call('POST', JOBS, { form })).json.sid;
    const [entry] = (await feed(`/services/search/jobs/${job}`)).entry;
    expect(entry.content.dispatchState).to.equal('PARSING');
    const left = Object.entries(content).filter(([key]) => !absent.includes(key));
    expect(differences(entry.content, Object.fromEntries(left))).to.deep.equal([]);
    await fixture.platform.call('DELETE', `/services/search/jobs/${job}`);
  });

  it('lookup_table_file', async () => {
    const staged = join(fixture.platform.home, 'var/run/splunk/lookup_tmp', 'people.csv');
    mkdirSync(dirname(staged), { recursive: true });
    writeFileSync(staged, 'name\nann\n');
    const form = { name: 'people.csv', 'eai:data': staged };
    expect((await fixture.platform.call('POST', `${APP}/data/lookup-table-files`, { form })).status).to.equal(201);
    const [entry] = (await feed(`${APP}/data/lookup-table-files`)).entry;
    expect(Object.keys(entry.content)).to.have.members(recorded.lookup_table_file['content_10.4.2']);
  });
});
