import { expect } from 'chai';
import { required } from '../../src/contract/capabilities.ts';
import { remedyOf } from '../../src/contract/codes/codes.ts';
import { operations } from '../support/e2e/document.ts';
import { type Body, type Reply, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import {
  belowMount,
  label,
  methodsAt,
  needsQuery,
  pathOf,
  type Row,
  rows,
  rowsWithBody,
  wrapped,
} from '../support/e2e/rows.ts';
import { eventually } from '../support/time.ts';

const CANARY = 'canary-1f0e7c55d2';

/** Contract 1.3: exactly these keys, and those that a code brings along. */
const FAILURE_KEYS = ['error_code', 'message', 'messages', 'remedy', 'request_id', 'status'];

/** Rows of one manner have their bodies read by the same code: what does not depend on the row is tried in full with the first. */
const mannerOf = ({ path, body, wrapped: isWrapped, emptyBody, file, maxBody }: Row) =>
  JSON.stringify([path.split('/')[1], body !== undefined, isWrapped, emptyBody, file, maxBody]);
const firsts = new Set(new Map(rows.toReversed().map((row) => [mannerOf(row), row])).values());
const forRow = <T>(row: Row, all: readonly T[], few: readonly T[]) => (firsts.has(row) ? all : few);

describe('rules for every endpoint', () => {
  let platform: TestPlatform;
  /** Ids of refused requests. */
  const failed: string[] = [];

  before(async () => {
    platform = await startPlatform({ movableClock: true });
    await platform.createUser('editor', ['ml_admin']);
    await platform.createUser('bystander', ['user']);
    await platform.createUser('newcomer', ['user']);
  });
  afterEach('every refusal is in the log', async () => {
    for (const id of failed.splice(0)) await platform.logged(id);
  });
  after(() => platform.dispose());

  function expectFailure(reply: Reply, status: number, code: string, ...more: string[]): void {
    expect(reply.status, reply.text).to.equal(status);
    expect(reply.headers['content-type']).to.equal('application/json; charset=UTF-8');
    // The failure once more, for clients of OpenAI, or of Anthropic, who know no code.
    const { error, type, ...json } = reply.json;
    if (error) expect(error).to.include({ message: json.message, ...(type === 'error' ? {} : { code }) });
    expect(Object.keys(json).sort(), reply.text).to.deep.equal([...FAILURE_KEYS, ...more].sort());
    expect(reply.json.status).to.equal('fail');
    expect(reply.json.error_code).to.equal(code);
    expect(reply.json.remedy).to.equal(remedyOf(code));
    expect(reply.json.message).to.be.a('string').and.not.equal('');
    expect(reply.json.messages).to.deep.equal([{ type: 'ERROR', text: reply.json.message }]);
    failed.push(reply.json.request_id);
  }

  it('documents every row and no other', () => {
    const documented = operations().map(({ method, path }) => `${method} ${path}`);
    const declared = rows.map((row) => `${row.method} ${row.path.replace('...}', '}')}`);
    expect(documented.sort()).to.deep.equal(declared.sort());
  });

  describe('session', () => {
    it('answers an anonymous call 401 with the body of the platform', async () => {
      for (const row of rows) {
        const path = `/services${belowMount(pathOf(row))}`;
        const reply = await platform.raw(row.method, `${path}?output_mode=json`, '{broken', {});
        expect(reply.status, label(row)).to.equal(401);
        expect(reply.json, label(row)).to.deep.equal({ messages: [{ type: 'ERROR', text: 'Unauthorized' }] });
        expect(reply.headers['www-authenticate']).to.equal('Basic realm="/splunk"');
      }
    });

    it('answers a bad session key 401 with the body of the platform', async () => {
      for (const row of rows) {
        const headers = { Authorization: 'Splunk no-such-session-key' };
        const reply = await platform.raw(
          row.method,
          `/services${belowMount(pathOf(row))}?output_mode=json`,
          undefined,
          headers,
        );
        expect(reply.status, label(row)).to.equal(401);
        expect(reply.json).to.deep.equal({ messages: [{ type: 'WARN', text: 'call not properly authenticated' }] });
        expect(reply.headers).to.not.have.property('www-authenticate');
      }
    });

    it('checks the session before the path', async () => {
      for (const path of ['/services/ml/nothing/here', '/servicesNS/nobody/ml_extension/ml']) {
        expect((await platform.raw('GET', path, undefined, {})).status).to.equal(401);
      }
    });

    it('accepts Basic, session key and bearer', async () => {
      const key = await platform.sessionKey('bystander');
      for (const Authorization of [platform.basic('bystander'), `Splunk ${key}`, `Bearer ${key}`]) {
        const reply = await platform.raw('GET', '/services/ml/mcp_connection', undefined, { Authorization });
        expect(reply.status, Authorization.split(' ')[0]).to.equal(200);
      }
    });

    it('ends with the session', async () => {
      await platform.createUser('leaver', ['ml_admin']);
      expect((await platform.ml('leaver', 'GET', '/mcp_connection')).status).to.equal(200);
      const key = await platform.sessionKey('leaver');
      const ended = await platform.admin('DELETE', `/services/authentication/httpauth-tokens/${key}`);
      expect(ended.status).to.equal(200);
      expect((await platform.ml('leaver', 'GET', '/mcp_connection')).status).to.equal(401);
    });
  });

  describe('route', () => {
    it('answers unknown paths 404 unknown_endpoint', async () => {
      const paths = ['', '/', '/nothing', '/mcp_connection/a/b', '/mcp_connections', '/MCP_CONNECTION', '/health/x'];
      for (const path of [...paths, '/__proto__', '/constructor', '/mcp_connection/%2e%2e/health']) {
        for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
          const reply = await platform.call('bystander', method, `/services/ml${path}`, '{broken');
          expectFailure(reply, 404, 'unknown_endpoint');
        }
      }
    });

    it('answers a wrong method 405 with every method of the path in Allow', async () => {
      for (const path of new Set(rows.map((row) => pathOf(row)))) {
        const allowed = methodsAt(path);
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter((m) => !allowed.includes(m))) {
          const reply = await platform.ml('bystander', method, path, '{broken');
          expectFailure(reply, 405, 'method_not_allowed');
          expect(String(reply.headers.allow).split(', ').sort(), `${method} ${path}`).to.deep.equal(allowed);
        }
      }
    });

    it('accepts a trailing slash', async () => {
      expect((await platform.ml('bystander', 'GET', '/mcp_connection/')).status).to.equal(200);
    });
  });

  describe('capability', () => {
    for (const row of rows.filter(({ gate }) => gate !== 'session')) {
      it(`${label(row)}: 403 missing_capability before the body is read`, async () => {
        const bodies = ['{broken', '', 'null', Buffer.from([0xff, 0xfe]), '{}', Buffer.alloc(1_100_000, 32)];
        for (const body of forRow(row, bodies, ['{broken'])) {
          const reply = await platform.ml('bystander', row.method, `${pathOf(row, '%20')}?count=-1`, body);
          expectFailure(reply, 403, 'missing_capability', 'required');
          expect(reply.json.required).to.deep.equal(required(row.gate));
          expect(reply.json).to.not.have.property('errors');
        }
      });

      it(`${label(row)}: passes the gate only while the caller has its capability`, async () => {
        const role = `only_${row.id.toLowerCase()}`;
        await platform.createRole(role, ['user'], [...required(row.gate)]);
        const become = async (roles: string) => {
          const reply = await platform.admin('POST', '/services/authentication/users/newcomer', { roles });
          expect(reply.status, reply.text).to.equal(200);
        };
        const call = () => platform.ml('newcomer', row.method, pathOf(row), '{}');
        await become(role);
        expect((await call()).status, 'with it').to.not.equal(403);
        await become('user');
        expectFailure(await call(), 403, 'missing_capability', 'required');
      });
    }

    it('requires no capability for reads', async () => {
      for (const row of rows.filter(({ gate }) => gate === 'session')) {
        const reply = await platform.ml('bystander', row.method, pathOf(row));
        expect(reply.status, label(row)).to.be.oneOf([200, 404, 400]);
        if (reply.status === 404) expect(reply.json.error_code).to.equal('not_found');
      }
    });
  });

  describe('feature flag', () => {
    const flags = [...new Set(rows.flatMap((row) => (row.flag ? [row.flag] : [])))];
    for (const flag of flags) {
      it(`${flag}: off and on again within 5 s, without a restart`, async () => {
        const flagged = rows.filter((row) => row.flag === flag);
        const isOff = async (row: Row) => {
          const reply = await platform.ml('editor', row.method, pathOf(row), '{}');
          return reply.json?.error_code === 'feature_disabled';
        };
        const drivers = platform.drivers();
        const first = flagged[0] as Row;
        expect(await isOff(first)).to.equal(false);
        await platform.setFlag(flag, '0');
        // Nothing to wait for but the contract's five seconds.
        platform.advance(5000);
        await eventually(() => isOff(first), 5000, `${flag} to be off`);
        await eventually(() => isOff(first), 5000, `${flag} to stay off`);
        const shown = await platform.ml('editor', 'GET', '/ml_feature_flags');
        await eventually(
          async () => (await platform.ml('editor', 'GET', '/ml_feature_flags')).json.flags[flag] === false,
          5000,
          'the flag to be shown',
        );
        expect(shown.status).to.equal(200);
        for (const row of flagged) {
          for (const body of ['{broken', '', '{}']) {
            const reply = await platform.ml('editor', row.method, pathOf(row), body);
            expectFailure(reply, 403, 'feature_disabled');
          }
          const refused = await platform.ml('bystander', row.method, pathOf(row), '{broken');
          if (row.gate === 'session') expectFailure(refused, 403, 'feature_disabled');
          else expectFailure(refused, 403, 'missing_capability', 'required');
        }
        for (const row of rows.filter((other) => other.family === first.family && !other.flag)) {
          expect((await platform.ml('editor', row.method, pathOf(row))).status, label(row)).to.not.equal(403);
        }
        await platform.setFlag(flag, '1');
        platform.advance(5000);
        await eventually(async () => !(await isOff(first)), 5000, `${flag} to be on again`);
        await eventually(
          async () => (await platform.ml('editor', 'GET', '/ml_feature_flags')).json.source[flag] === 'conf',
          5000,
          'the source of the flag to be conf',
        );
        expect(platform.drivers()).to.include.members(drivers);
      });
    }
  });

  describe('body', () => {
    const BAD: [string, Body][] = [
      ['nothing', undefined],
      ['an empty text', ''],
      ['white space', '  \n'],
      ['null', 'null'],
      ['an array', `["${CANARY}"]`],
      ['a number', '3'],
      ['a text', `"${CANARY}"`],
      ['true', 'true'],
      ['broken JSON', `{"token": "${CANARY}`],
      ['a trailing comma', `{"token": "${CANARY}",}`],
      ['two objects', `{"token": "${CANARY}"}{}`],
      ['single quotes', `{'token': '${CANARY}'}`],
      ['a form', `token=${CANARY}&name=x`],
      [
        'invalid UTF-8',
        Buffer.concat([Buffer.from(`{"token":"${CANARY}`), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('"}')]),
      ],
      ['UTF-16', Buffer.from(`{"token":"${CANARY}"}`, 'utf16le')],
      ['nested without end', `{"a":${'['.repeat(200_000)}`],
      ['XML', `<token>${CANARY}</token>`],
      ['NUL', `{"token":"${CANARY}\u0000"`],
    ];
    /** One of each way to be none: no object, no JSON, no text. */
    const FEW = BAD.filter(([what]) => ['nothing', 'an array', 'broken JSON', 'invalid UTF-8'].includes(what));

    it('POST /ai_gateway/mcp: 400 with an error of the protocol for anything but a message, never quoted', async () => {
      for (const [what, body] of BAD) {
        const { status, text, json } = await platform.ml('editor', 'POST', '/ai_gateway/mcp', body);
        expect([status, json?.jsonrpc], `${what}: ${text}`).to.deep.equal([400, '2.0']);
        expect(json?.error.code, what).to.be.oneOf([-32700, -32600]);
        expect(text).to.not.contain(CANARY);
      }
      const over = await platform.ml('editor', 'POST', '/ai_gateway/mcp', `"${'x'.repeat(1_048_576)}"`);
      expectFailure(over, 413, 'payload_too_large', 'limit');
    });

    for (const row of rowsWithBody) {
      it(`${label(row)}: 400 malformed_json for anything but a JSON object, never quoted`, async () => {
        for (const [what, body] of forRow(row, BAD, FEW)) {
          const empty = body === undefined || body === '';
          if (empty && row.emptyBody) continue;
          const reply = await platform.ml('editor', row.method, pathOf(row), body);
          expect(reply.json?.error_code, `${what}: ${reply.text}`).to.equal('malformed_json');
          expectFailure(reply, 400, 'malformed_json');
          expect(reply.text).to.not.contain(CANARY);
          expect(reply.text).to.not.contain('token');
        }
        expect(platform.log()).to.not.contain(CANARY);
      });

      it(`${label(row)}: 413 above its limit${firsts.has(row) ? ', 400 at it' : ''}`, async () => {
        const limit = row.maxBody ?? 1_048_576;
        const frame = wrapped(row, '{"pad":""}');
        const at = frame.replace('""', `"${'x'.repeat(limit - frame.length)}"`);
        expect(Buffer.byteLength(at)).to.equal(limit);
        if (firsts.has(row)) {
          const whole = await platform.ml('editor', row.method, pathOf(row), at);
          const refusals = ['payload_too_large', 'malformed_json'];
          expect(whole.json.error_code, whole.text.slice(0, 300)).to.not.be.oneOf(refusals);
        }
        const over = await platform.ml('editor', row.method, pathOf(row), `${at} `);
        expectFailure(over, 413, 'payload_too_large', 'limit');
      });

      it(`${label(row)}: reads the body as JSON whatever its Content-Type`, async () => {
        const types = [
          'application/json',
          'text/plain',
          'application/x-www-form-urlencoded',
          'application/xml',
          'x',
          '',
        ];
        for (const type of forRow(row, types, ['application/xml'])) {
          const headers = type === '' ? {} : { 'Content-Type': type };
          const body = wrapped(row, '{"name":" ","type":7}');
          const reply = await platform.ml('editor', row.method, pathOf(row), body, headers);
          expect(reply.json.error_code, type).to.not.equal('malformed_json');
          if (row.family === 'mcp-connections') expect(reply.json.error_code).to.equal('validation_failed');
        }
      });
    }
  });

  describe('mounts and output', () => {
    const mounts = [
      '/services',
      '/servicesNS/nobody/ml_extension',
      '/servicesNS/admin/ml_extension',
      '/servicesNS/editor/ml_extension',
      '/servicesNS/-/ml_extension',
      '/servicesNS/-/-',
    ];

    for (const [index, mount] of mounts.entries()) {
      it(`${mount}: the caller is the owner of the token`, async () => {
        const name = `mount ${index}`;
        const body = { name, type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' } };
        const made = await platform.mounted(mount, 'editor', 'POST', '/mcp_connection', body);
        expect(made.status, made.text).to.equal(200);
        expect(made.json.config.created_by).to.equal('editor');
        expect(made.json.config.acl).to.deep.equal({
          owner: 'editor',
          sharing: 'user',
          perms: { read: [], write: [] },
        });
        // An owner in the URL grants nothing: only the editor may read the record.
        const path = `/mcp_connection/mount%20${index}`;
        expect((await platform.mounted(mount, 'bystander', 'GET', path)).status).to.equal(404);
        expect((await platform.mounted(mount, 'editor', 'GET', path)).json.config.name).to.equal(name);
      });
    }

    it('answers JSON whatever output_mode says', async () => {
      for (const mode of ['json', 'xml', 'csv', 'raw', 'nonsense', '']) {
        const reply = await platform.ml('editor', 'GET', `/ml_feature_flags?output_mode=${mode}`);
        expect(reply.status, mode).to.equal(200);
        expect(reply.json.status, mode).to.equal('success');
        expect(reply.headers['content-type']).to.equal('application/json; charset=UTF-8');
      }
    });

    it('accepts encoded and decoded path segments', async () => {
      const name = 'A (b)@c+d';
      const body = { name, type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' } };
      expect((await platform.ml('editor', 'POST', '/mcp_connection', body)).status).to.equal(200);
      for (const form of ['A%20(b)@c+d', 'A%20%28b%29%40c%2Bd', '%41%20%28%62%29@c%2bd', 'a%20(B)@C+D']) {
        const reply = await platform.ml('editor', 'GET', `/mcp_connection/${form}`);
        expect(reply.status, form).to.equal(200);
        expect(reply.json.config.name).to.equal(name);
      }
    });
  });

  describe('success', () => {
    it('carries status and message', async () => {
      for (const row of rows.filter((one) => one.method === 'GET' && !one.params && !one.bare && !needsQuery(one))) {
        const reply = await platform.ml('editor', 'GET', pathOf(row));
        expect(reply.status, label(row)).to.equal(200);
        expect(reply.json.status).to.equal('success');
        expect(reply.json.message).to.be.a('string');
      }
    });

    it('shows the feature flags, the agent flag, health and the document', async () => {
      const flags = await platform.ml('bystander', 'GET', '/ml_feature_flags');
      const names = ['agent_builder', 'ctsm', 'vector_stores', 'mcp_connections', 'containers', 'experiments'];
      names.push('llm_providers', 'model_upload', 'model_registration', 'search_tools');
      expect(flags.json.flags).to.have.all.keys(names);
      expect(flags.json.source).to.have.all.keys(names);
      const agent = await platform.ml('bystander', 'GET', '/agent_feature_flag');
      expect(agent.json.agent_builder_feature_enabled).to.equal(true);
      const health = await platform.ml('bystander', 'GET', '/health');
      expect(health.json).to.include({ status: 'success', store: 'ready', secrets: 'ready' });
      expect(health.json.drivers[0].pid).to.be.oneOf(platform.drivers());
      const document = await platform.ml('bystander', 'GET', '/openapi');
      expect(document.json.openapi).to.equal('3.1.0');
      expect(document.json.info.version).to.equal(health.json.version);
    });
  });
});
