import { expect } from 'chai';
import { Type } from 'typebox';
import { CODES } from '../../src/contract/codes/codes.ts';
import { Fault } from '../../src/contract/codes/faults.ts';
import { OutboundError } from '../../src/contract/codes/outbound.ts';
import type { CompiledRow } from '../../src/contract/rows/compiled.ts';
import { Secret, Version } from '../../src/contract/schemas/common.ts';
import { type Json, MemoryApp } from '../support/memory/app.ts';
import { compiled } from './rows.ts';

const Body = Type.Object({
  name: Type.String({ minLength: 1, 'x-trim': true }),
  count: Type.Optional(Type.Integer()),
  token: Type.Optional(Secret({ description: 'A secret' })),
  version: Type.Optional(Version),
});
const query = Type.Object({
  count: Type.Optional(Type.Integer({ minimum: 0 })),
  all: Type.Optional(Type.Boolean()),
});

describe('pipeline', () => {
  let app: MemoryApp;
  let calls: Json[];
  const post = (body: unknown, headers: Json = {}) => app.call('editor', 'POST', '/thing', body, headers);
  const reply = (value: object) => {
    app.handlers.post = async () => value;
  };
  beforeEach(() => {
    app = new MemoryApp();
    calls = [];
    app.rows = compiled(
      {
        id: 'post',
        path: '/ml/thing',
        gate: { all: ['edit_agent_connections'] },
        flag: 'mcp_connections',
        body: Body,
        query,
        conditional: true,
        reply: Type.Object({
          config: Type.Optional(Type.Object({ name: Type.String(), created_by: Type.Optional(Type.String()) })),
        }),
      },
      { id: 'get', method: 'GET', path: '/ml/thing', query },
      { id: 'wrapped', path: '/ml/wrapped', body: Body, wrapped: true },
      { id: 'empty', path: '/ml/empty', body: Type.Object({ a: Type.Optional(Type.String()) }), emptyBody: true },
      { id: 'any', path: '/ml/any', gate: { any: ['edit_agents', 'run_agents'] }, body: Body },
      { id: 'blob', path: '/ml/blob', body: Type.Record(Type.String(), Type.Unknown()), keepsUnknown: true },
      { id: 'big', path: '/ml/big', body: Body, maxBody: 2 * 1024 * 1024 },
    );
    for (const { id } of app.rows) {
      app.handlers[id] = async (call) => {
        calls.push(call as unknown as Json);
        return {};
      };
    }
  });

  it('fails in tests with a code that its row does not declare', async () => {
    const inProduct = new MemoryApp();
    const read = () => inProduct.call('editor', 'GET', '/experiments/0123456789abcdef0123456789abcdef');
    inProduct.handlers.getExperiment = async () => {
      throw new Fault('in_use', 'Somebody uses it');
    };
    const thrown = await read().catch((error: Error) => error.message);
    expect(thrown).to.equal('getExperiment answers in_use, which its faults do not name');
    inProduct.handlers.getExperiment = async () => {
      throw new Fault('not_found', 'There is none');
    };
    expect((await read()).status).to.equal(404);
  });

  it('checks the path once and calls no handler with a bad one', async () => {
    const [row] = compiled({ method: 'GET', path: '/ml/named/{name}', params: Type.Object({ name: Type.String() }) });
    let checked = 0;
    app.rows = [
      {
        ...(row as CompiledRow),
        async checks() {
          const params = (value: unknown) => {
            checked += 1;
            return (value as Json).name === 'bad' ? [{ field: 'name', code: 'pattern', message: 'is bad' }] : [];
          };
          return { params, query: null, body: null };
        },
      },
    ];
    app.handlers.thing = async ({ params }: { params: unknown }) => calls.push(params as Json) && {};
    expect((await app.call('editor', 'GET', '/named/%20good%20')).status).to.equal(200);
    expect([calls, checked]).to.deep.equal([[{ name: 'good' }], 1]);
    expect((await app.call('editor', 'GET', '/named/bad')).status).to.equal(404);
    expect([calls.length, checked]).to.deep.equal([1, 2]);
  });

  it('makes the id of a new record only when the handler reads it', async () => {
    const { randomUUID } = globalThis.crypto;
    let made = 0;
    globalThis.crypto.randomUUID = () => {
      made += 1;
      return randomUUID.call(globalThis.crypto);
    };
    try {
      await app.call('editor', 'GET', '/thing');
      expect(made).to.equal(0);
      const ids: string[] = [];
      app.handlers.post = async ({ created }) => ({ ids: ids.push(created.id, created.id) });
      app.strict = false;
      await post({ name: 'a' });
      expect([made, new Set(ids).size]).to.deep.equal([1, 1]);
      expect(ids[0]).to.match(/^[0-9a-f]{32}$/);
    } finally {
      globalThis.crypto.randomUUID = randomUUID;
    }
  });

  describe('gate and handler', () => {
    it('passes with one of several capabilities where any is enough', async () => {
      const { json } = await app.call('reader', 'POST', '/any', '{');
      expect(json.required).to.deep.equal(['edit_agents', 'run_agents']);
      app.user('runner', { capabilities: ['run_agents'] });
      expect((await app.call('runner', 'POST', '/any', { name: 'a' })).status).to.equal(200);
    });

    it('calls the handler only with a valid body', async () => {
      expect((await post('{')).status).to.equal(400);
      expect(calls).to.deep.equal([]);
      expect((await post({ name: 'a' })).status).to.equal(200);
      expect(calls).to.have.length(1);
      expect(calls[0]?.caller).to.deep.equal({
        user: 'editor',
        roles: ['user'],
        capabilities: ['edit_agent_connections'],
      });
    });
  });

  describe('feature flags', () => {
    it('reads the settings again before it refuses', async () => {
      app.settings.remembered = { feature_flags: { mcp_connections: '0' } };
      expect((await post({ name: 'a' })).status).to.equal(200);
      app.settings.stanzas = { feature_flags: { mcp_connections: '0' } };
      expect((await post({ name: 'a' })).json.error_code).to.equal('feature_disabled');
    });

    it('does not read the settings for an enabled feature', async () => {
      app.settings.remembered = {};
      await post({ name: 'a' });
      expect(app.settings.reads).to.equal(0);
    });
  });

  describe('bodies', () => {
    for (const text of [
      '',
      'null',
      '[]',
      '[{}]',
      '"text"',
      '5',
      'true',
      '{"name":"canary"',
      '{name:1}',
      "{'a':1}",
      'NaN',
    ]) {
      it(`${JSON.stringify(text)} is malformed_json, unquoted`, async () => {
        const { status, json } = await post(text);
        expect([status, json.error_code]).to.deep.equal([400, 'malformed_json']);
        if (text.length > 4) expect(json.message).not.to.include(text);
        expect(JSON.stringify(json)).not.to.include('canary');
      });
    }

    it('refuses a missing body unless the row allows it', async () => {
      expect((await app.call('editor', 'POST', '/thing')).json.error_code).to.equal('malformed_json');
      expect((await app.call('editor', 'POST', '/empty')).status).to.equal(200);
      expect((await app.call('editor', 'POST', '/empty', 'null')).json.error_code).to.equal('malformed_json');
    });

    it('reads the body of container rows from payload', async () => {
      expect((await app.call('editor', 'POST', '/wrapped', { payload: { name: ' a ' } })).status).to.equal(200);
      expect(calls[0]?.body).to.deep.equal({ name: 'a' });
      for (const body of [{ name: 'a' }, { payload: [] }, { payload: null }, { payload: '{"name":"a"}' }]) {
        const { status, json } = await app.call('editor', 'POST', '/wrapped', body);
        expect([status, json.error_code]).to.deep.equal([400, 'malformed_json']);
      }
    });

    it('reports every problem with its field but without its value', async () => {
      const { status, json } = await post({ name: '', count: 'canary-1', token: { canary: 2 } });
      expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
      expect(json.errors.map((error: Json) => error.field).sort()).to.deep.equal(['count', 'name', 'token']);
      expect(json.message).to.include('count').and.to.include('name').and.to.include('token');
      expect(JSON.stringify(json)).not.to.include('canary');
      const absent = await post({});
      expect(absent.json.errors).to.deep.equal([{ field: 'name', message: 'is required' }]);
    });

    it('does not convert types', async () => {
      for (const count of ['5', 5.5, true, [5]]) expect((await post({ name: 'a', count })).status).to.equal(400);
    });

    it('refuses a number beyond the range of a double', async () => {
      const { status, json } = await post('{"name":"a","count":1e999}');
      expect([status, json.errors?.[0]?.field]).to.deep.equal([400, 'count']);
    });

    it('warns about unknown fields but not about read-only fields', async () => {
      const { json } = await post({ name: 'a', odd: 1, created_by: 'x' });
      expect(json.warnings).to.deep.equal(['Unknown field ignored: odd']);
      expect(calls[0]?.body).to.deep.equal({ name: 'a' });
    });

    it('treats inherited keys such as __proto__ as unknown fields', async () => {
      const { status, json } = await post('{"name":"a","__proto__":{"polluted":true},"constructor":{"prototype":1}}');
      expect(status).to.equal(200);
      expect(json.warnings).to.deep.equal(['Unknown field ignored: __proto__', 'Unknown field ignored: constructor']);
      expect(({} as Json).polluted).to.equal(undefined);
      expect((await post('{"__proto__":{"name":"a"}}')).json.error_code).to.equal('validation_failed');
    });

    it('names at most 50 unknown fields', async () => {
      const odd = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`odd${index}`, 1]));
      expect((await post({ name: 'a', ...odd })).json.warnings).to.have.length(51);
      const long = await post({ name: 'a', ['x'.repeat(10_000)]: 1 });
      expect(long.json.warnings[0].length).to.be.lessThan(200);
    });

    it('survives deep nesting', async () => {
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      expect((await post(`{"name":"a","odd":${deep}}`)).status).to.equal(200);
      expect((await post(`{"name":${deep}}`)).status).to.equal(400);
      expect((await app.call('editor', 'POST', '/blob', `{"a":${deep}}`)).status).to.be.lessThan(500);
    });

    it('keeps unknown fields of a free-form body without warnings', async () => {
      const { json } = await app.call('editor', 'POST', '/blob', { a: { b: 1 } });
      expect(json).not.to.have.property('warnings');
      expect(calls[0]?.body).to.deep.equal({ a: { b: 1 } });
    });
  });

  describe('query', () => {
    it('is converted as the schema says', async () => {
      await app.call('editor', 'GET', '/thing?count=5&all=true');
      expect(calls[0]?.query).to.deep.equal({ count: 5, all: true });
    });

    it('refuses a repeated parameter and ignores an unknown one', async () => {
      const { status, json } = await app.call('editor', 'GET', '/thing?count=1&count=1');
      expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
      expect(json.errors[0].field).to.equal('count');
      const { status: fine } = await app.call('editor', 'GET', '/thing?output_mode=json&output_mode=xml&__proto__=x');
      expect(fine).to.equal(200);
      expect(calls[0]?.query).to.deep.equal({});
    });

    it('refuses a bad value without quoting it', async () => {
      for (const value of ['canary', '-1', '1.5', '', 'NaN']) {
        const { status, json } = await app.call('editor', 'GET', `/thing?count=${value}`);
        expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
        expect(JSON.stringify(json)).not.to.include('canary');
      }
    });
  });

  describe('?version=', () => {
    const conditionOf = async (query: string, body: Json = {}, headers: Json = {}) => {
      const { status, json } = await app.call('editor', 'POST', `/thing?${query}`, { name: 'a', ...body }, headers);
      return status === 200 ? calls.at(-1)?.condition : json.errors?.map(({ field }: Json) => field);
    };

    it('is a condition like If-Match', async () => {
      expect(await conditionOf('version=3')).to.equal(3);
      expect(await conditionOf('version=%203%20')).to.equal(3);
      expect(await conditionOf('version=3', {}, { 'If-Match': '*' })).to.equal(3);
      expect(calls.at(-1)?.query).to.deep.equal({});
    });

    it('is refused if it contradicts If-Match or the version of the body', async () => {
      expect(await conditionOf('version=3', { version: 3 }, { 'If-Match': '"3"' })).to.equal(3);
      expect(await conditionOf('version=3', { version: 4 })).to.deep.equal(['version']);
      expect(await conditionOf('version=3', {}, { 'If-Match': '4' })).to.deep.equal(['If-Match']);
      expect(await conditionOf('version=3', { version: 3 }, { 'If-Match': '4' })).to.deep.equal(['If-Match']);
      expect(await conditionOf('version=3&version=3')).to.deep.equal(['version']);
    });

    for (const value of ['', 'x', '-1', '3.0', '1e0', '0x3', '%223%22', '*', 'Infinity', '9'.repeat(30)]) {
      it(`${JSON.stringify(value)} is 400`, async () => {
        expect(await conditionOf(`version=${value}`)).to.deep.equal(['version']);
      });
    }

    it('is ignored by a row without conditions', async () => {
      expect((await app.call('editor', 'GET', '/thing?version=x')).status).to.equal(200);
    });
  });

  describe('If-Match', () => {
    const condition = async (value: string, body: Json = {}, name = 'If-Match') => {
      const { status } = await post({ name: 'a', ...body }, { [name]: value });
      return status === 200 ? calls.at(-1)?.condition : status;
    };

    it('accepts 3 and "3" whatever the case of the header name', async () => {
      expect(await condition('3')).to.equal(3);
      expect(await condition('"3"')).to.equal(3);
      expect(await condition(' "3" ', {}, 'IF-MATCH')).to.equal(3);
      expect(await condition('*')).to.equal(undefined);
    });

    it('equals the version in the body; different values are refused', async () => {
      await post({ name: 'a', version: 4 });
      expect(calls[0]?.condition).to.equal(4);
      expect(await condition('4', { version: 4 })).to.equal(4);
      expect(await condition('5', { version: 4 })).to.equal(400);
    });

    for (const value of ['', 'x', '"', '"3', "'3'", '-1', '3.0', 'W/"3"', '"1", "2"', '9'.repeat(30)]) {
      it(`${JSON.stringify(value)} is 400`, async () => {
        const { status, json } = await post({ name: 'a' }, { 'If-Match': value });
        expect([status, json.error_code, json.errors?.[0]?.field]).to.deep.equal([
          400,
          'validation_failed',
          'If-Match',
        ]);
      });
    }

    it('refuses an invalid version in the body', async () => {
      for (const version of [0, -1, 1.5, '1']) expect((await post({ name: 'a', version })).status).to.equal(400);
    });
  });

  describe('replies', () => {
    it('have the common envelope', async () => {
      reply({ config: { name: 'a' }, message: 'Done' });
      const { status, json, headers } = await post({ name: 'a' });
      expect([status, headers, json]).to.deep.equal([
        200,
        {},
        { status: 'success', message: 'Done', config: { name: 'a' } },
      ]);
    });

    it('an undeclared field is an error where replies are strict', async () => {
      reply({ config: { name: 'a', secret: 'canary' } });
      const { status, json } = await post({ name: 'a' });
      expect([status, json.error_code]).to.deep.equal([500, 'internal_error']);
      expect(JSON.stringify(json)).not.to.include('canary');
      expect(app.leaks('canary')).to.deep.equal([]);
    });

    it('an undeclared field is cut off and logged otherwise', async () => {
      app.strict = false;
      reply({ config: { name: 'a', secret: 'canary' }, other: 'canary' });
      const { status, json } = await post({ name: 'a' });
      expect([status, json]).to.deep.equal([200, { status: 'success', message: 'OK', config: { name: 'a' } }]);
      expect(app.site.log.lines).to.deep.include({
        level: 'warn',
        event: 'undeclared_fields',
        fields: { endpoint: 'post', fields: ['config.secret', 'other'] },
      });
      expect(app.leaks('canary')).to.deep.equal([]);
    });

    it('add a remedy to a failed test only', async () => {
      app.handlers.post = async () => ({
        status: 'fail',
        error_code: 'tls_expired',
        message: 'It expired',
        config: {},
      });
      expect((await post({ name: 'a' })).json).to.deep.include({ status: 'fail', remedy: CODES.tls_expired.remedy });
      app.handlers.post = async () => ({ error_code: 'tls_expired', config: {} });
      expect((await post({ name: 'a' })).json).to.not.have.property('remedy');
    });

    it('give a fault the documented body and log its request id', async () => {
      app.handlers.post = async () => {
        throw new Fault('in_use', 'It is used', { used_by: ['x'] });
      };
      const { status, json } = await post({ name: 'a' });
      expect(status).to.equal(409);
      expect(json).to.deep.equal({
        status: 'fail',
        message: 'It is used',
        error_code: 'in_use',
        remedy: CODES.in_use.remedy,
        request_id: json.request_id,
        messages: [{ type: 'ERROR', text: 'It is used' }],
        used_by: ['x'],
      });
      expect(json.request_id).to.match(/^request-\d+$/);
      expect(app.site.log.text()).to.include(json.request_id);
    });

    it('never pass on the 401, 403 or 404 of an upstream', async () => {
      const codes = { auth_failed: 502, permission_denied: 502, model_not_found: 502, timeout: 504 } as const;
      for (const [code, expected] of Object.entries(codes)) {
        app.handlers.post = async () => {
          throw new OutboundError(code as keyof typeof codes, 'no', { httpStatus: 401 });
        };
        const { status, json } = await post({ name: 'a' });
        expect([status, json.error_code]).to.deep.equal([expected, code]);
      }
      app.handlers.post = async () => {
        throw new OutboundError('rate_limited', 'slow down', { retryAfter: 1.5 });
      };
      const { status, headers, json } = await post({ name: 'a' });
      expect([status, headers['Retry-After'], json.retry_after]).to.deep.equal([429, '2', 1.5]);
    });

    const bugs: Record<string, unknown> = {
      'an error': new TypeError('canary-text'),
      'a text': 'canary-text',
      nothing: undefined,
      'an object like a fault': { status: 200, code: 'canary-text', message: 'canary-text' },
    };
    for (const [what, thrown] of Object.entries(bugs)) {
      it(`${what} thrown is a bug: 500 without its text`, async () => {
        app.handlers.post = async () => {
          throw thrown;
        };
        const { status, json } = await post({ name: 'a' });
        expect([status, json.error_code, json.status]).to.deep.equal([500, 'internal_error', 'fail']);
        expect(JSON.stringify(json)).not.to.include('canary-text');
        expect(app.site.log.text()).not.to.include('canary-text');
        const bug = app.site.log.lines.find((line) => line.event === 'bug');
        expect(bug?.fields).to.include({ request_id: json.request_id, endpoint: 'post' });
      });
    }
  });
});
