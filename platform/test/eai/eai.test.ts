import { assert } from 'chai';
import { type EaiEntry, systemAcl } from '../../src/eai/entry.ts';
import { eaiReply } from '../../src/eai/feed.ts';
import { messagesReply } from '../../src/eai/replies.ts';
import { xmlText } from '../../src/eai/xml.ts';
import { PlatformError } from '../../src/http/reply.ts';
import type { PlatformRequest } from '../../src/http/request.ts';
import { RouteTable } from '../../src/http/route.ts';
import { requestOf } from '../support/platformRequest.ts';

const request = (query: [string, string][] = [], outputMode = 'json'): PlatformRequest =>
  requestOf({ path: '/things', query, outputMode, headers: { host: 'h:1' } });

const entries: EaiEntry[] = Array.from({ length: 40 }, (_, index) => ({
  name: `n${String(index).padStart(2, '0')}`,
  acl: systemAcl(true, true),
  content: {
    size: index,
    kind: index % 2 === 0 ? 'even' : 'odd',
    tags: ['a', 'b<&>'],
    on: index === 3,
    none: null,
    deep: { x: 1 },
  },
}));

const feed = { title: 'things', base: '/services/things', entries };

function list(...query: [string, string][]): { names: string[]; paging: unknown; entry: { content: object }[] } {
  const body = JSON.parse(String(eaiReply(request(query), feed).body));
  return { names: body.entry.map((entry: EaiEntry) => entry.name), paging: body.paging, entry: body.entry };
}

describe('EAI envelopes', () => {
  it('page with 30 by default; 0 and -1 mean all', () => {
    assert.strictEqual(list().names.length, 30);
    assert.deepEqual(list().paging, { total: 40, perPage: 30, offset: 0 });
    assert.strictEqual(list(['count', '0']).names.length, 40);
    assert.strictEqual(list(['count', '-1']).names.length, 40);
    assert.deepEqual(list(['count', '2'], ['offset', '39']).names, ['n39']);
    assert.deepEqual(list(['offset', '99']).names, []);
  });

  it('filter by name, key, free text, with AND, OR, NOT and wildcards', () => {
    assert.deepEqual(list(['search', 'name=n07']).names, ['n07']);
    assert.deepEqual(list(['search', 'size=7']).names, ['n07']);
    assert.deepEqual(list(['search', 'n3* kind=odd']).names, ['n31', 'n33', 'n35', 'n37', 'n39']);
    assert.deepEqual(list(['search', 'name="n01" OR name=n02']).names, ['n01', 'n02']);
    assert.deepEqual(list(['search', 'name=n0* NOT kind=even name!=n01']).names, ['n03', 'n05', 'n07', 'n09']);
    assert.deepEqual(list(['search', 'nowhere']).names, []);
  });

  it('sort and project', () => {
    assert.deepEqual(list(['sort_dir', 'desc'], ['count', '2']).names, ['n39', 'n38']);
    assert.deepEqual(list(['sort_key', 'size'], ['sort_dir', 'desc'], ['count', '1']).names, ['n39']);
    assert.hasAllKeys(list(['f', 'si*'], ['f', 'kind']).entry[0]?.content ?? {}, ['size', 'kind', 'eai:acl']);
  });

  it('name the bad argument', () => {
    for (const [name, value, words] of [
      ['count', 'x', '"count"'],
      ['count', '-2', '"count"'],
      ['offset', '-1', '"offset"'],
      ['sort_dir', 'up', 'Unknown sort order "up".'],
    ] as [string, string, string][]) {
      assert.throws(() => list([name, value]), PlatformError, words);
    }
  });

  it('have the documented keys in JSON', () => {
    const body = JSON.parse(String(eaiReply(request(), { ...feed, entries: entries.slice(0, 1), single: true }).body));
    assert.hasAllKeys(body, ['links', 'origin', 'updated', 'generator', 'entry', 'paging', 'messages']);
    assert.strictEqual(body.origin, 'https://h:1/services/things');
    const [entry] = body.entry;
    assert.strictEqual(entry.id, 'https://h:1/services/things/n00');
    assert.hasAllKeys(entry.links, ['alternate', 'list', '_reload', 'edit', 'remove']);
    const keys = 'app can_list can_write modifiable owner perms removable sharing'.split(' ');
    assert.hasAllKeys(entry.acl, keys);
    const ofApp = { ...(entries[0] as EaiEntry), acl: { ...systemAcl(true), app: 'x', sharing: 'app' as const } };
    const { acl } = JSON.parse(String(eaiReply(request(), { ...feed, entries: [ofApp] }).body)).entry[0];
    assert.hasAllKeys(acl, [...keys, 'can_change_perms', 'can_share_app', 'can_share_global', 'can_share_user']);
    assert.isNull(entry.content['eai:acl']);
  });

  it('say the same in Atom', () => {
    const { body } = eaiReply(request([], 'xml'), { ...feed, entries: entries.slice(3, 4) });
    const text = String(body);
    assert.match(text, /<feed xmlns="http:\/\/www.w3.org\/2005\/Atom" xmlns:s="http:\/\/dev.splunk.com\/ns\/rest"/);
    assert.include(text, '<s:key name="on">1</s:key>');
    assert.include(text, '<s:key name="none"></s:key>');
    assert.include(
      text,
      '<s:key name="tags"><s:list><s:item>a</s:item><s:item>b&lt;&amp;&gt;</s:item></s:list></s:key>',
    );
    assert.include(text, '<s:key name="deep"><s:dict><s:key name="x">1</s:key></s:dict></s:key>');
    assert.include(text, '<s:key name="eai:acl"><s:dict><s:key name="app">system</s:key>');
    assert.include(text, '<opensearch:totalResults>1</opensearch:totalResults>');
  });

  it('encode a slash twice in links', () => {
    const [first] = entries;
    assert.isDefined(first);
    const one = { ...(first as EaiEntry), name: 'a/b c' };
    const body = JSON.parse(String(eaiReply(request(), { ...feed, entries: [one] }).body));
    assert.strictEqual(body.entry[0].links.alternate, '/services/things/a%252Fb%20c');
  });

  it('never produce invalid XML', () => {
    assert.strictEqual(
      xmlText('a\u0000b\u001f\ud800\uffff<"\'>\r'),
      'a\ufffdb\ufffd\ufffd\ufffd&lt;&quot;&apos;&gt;&#13;',
    );
  });

  it('write messages in both forms', () => {
    const messages = [{ type: 'WARN' as const, text: 'a < b', code: 'c' }];
    assert.strictEqual(
      messagesReply({ outputMode: 'json' }, 400, messages).body,
      '{"messages":[{"type":"WARN","code":"c","text":"a < b"}]}',
    );
    assert.include(
      String(messagesReply({ outputMode: 'xml' }, 400, messages).body),
      '<msg type="WARN" code="c">a &lt; b</msg>',
    );
  });
});

describe('route table', () => {
  const handle = () => ({ status: 200 });
  const table = new RouteTable([
    { method: 'GET', pattern: '/a/{x}', handle },
    { method: ['GET', 'POST'], pattern: '/a/_new', handle },
    { method: 'DELETE', pattern: '/a/{x}/{rest...}', handle },
  ]);

  it('prefers literals, then single segments, for their own methods', () => {
    const literal = table.match('GET', ['a', '_new']);
    assert.strictEqual(literal?.kind === 'found' && literal.route.pattern, '/a/_new');
    const rest = table.match('DELETE', ['a', 'b', 'c', 'd']);
    assert.deepEqual(rest?.kind === 'found' && rest.params, { x: 'b', rest: 'c/d' });
    assert.isUndefined(table.match('GET', ['b']));
  });

  it('lists the methods of all matching rows', () => {
    assert.deepEqual(table.match('PUT', ['a', '_new']), { kind: 'method', allow: ['GET', 'POST'] });
  });
});
