import { expect } from 'chai';
import { route } from '../../src/rest/router.ts';
import { faultOf } from '../support/fault.ts';
import { compiled } from './rows.ts';

const rows = compiled(
  { id: 'list', method: 'GET', path: '/ml/thing' },
  { id: 'create', method: 'POST', path: '/ml/thing' },
  { id: 'read', method: 'GET', path: '/ml/thing/{name}' },
  { id: 'remove', method: 'DELETE', path: '/ml/thing/{name}' },
  { id: 'test', method: 'POST', path: '/ml/thing/test' },
  { id: 'model', method: 'GET', path: '/ml/llm/{service}/{model...}' },
);
/** The same rows the other way round: the order of a table decides nothing. */
const shadowed = [
  { id: 'param', method: 'GET' as const, path: '/ml/item/{name}' as const },
  { id: 'literal', method: 'GET' as const, path: '/ml/item/test' as const },
  { id: 'rest', method: 'GET' as const, path: '/ml/item/{all...}' as const },
];
const found = (method: string, path: string) => {
  const { row, params } = route(rows, method, path);
  return [row.id, { ...params }];
};

describe('router', () => {
  it('finds literals and parameters', () => {
    expect(found('GET', '/ml/thing')).to.deep.equal(['list', {}]);
    expect(found('POST', '/ml/thing')).to.deep.equal(['create', {}]);
    expect(found('GET', '/ml/thing/a')).to.deep.equal(['read', { name: 'a' }]);
  });

  it('the literal wins for its own method only; its name stays a legal one', () => {
    expect(found('POST', '/ml/thing/test')).to.deep.equal(['test', {}]);
    expect(found('GET', '/ml/thing/test')).to.deep.equal(['read', { name: 'test' }]);
    expect(found('DELETE', '/ml/thing/test')).to.deep.equal(['remove', { name: 'test' }]);
  });

  it('the literal wins whatever the order of the rows', () => {
    for (const order of [shadowed, shadowed.toReversed()]) {
      expect(route(compiled(...order), 'GET', '/ml/item/test').row.id).to.equal('literal');
    }
  });

  it('takes segments encoded and decoded', () => {
    expect(found('GET', '/ml/thing/a b')).to.deep.equal(['read', { name: 'a b' }]);
    expect(found('GET', '/ml/thing/a%20b%2Bc')).to.deep.equal(['read', { name: 'a b+c' }]);
    expect(found('GET', '/ml/thing/a+b')).to.deep.equal(['read', { name: 'a+b' }]);
    expect(found('GET', '/ml/thing/%zz')).to.deep.equal(['read', { name: '%zz' }]);
    expect(found('POST', '/ml/thing/t%65st')).to.deep.equal(['test', {}]);
  });

  it('the rest of a path may hold slashes, and must not be empty', async () => {
    expect(found('GET', '/ml/llm/s/org/model-1')).to.deep.equal(['model', { service: 's', model: 'org/model-1' }]);
    expect(found('GET', '/ml/llm/s/org%2Fmodel')).to.deep.equal(['model', { service: 's', model: 'org/model' }]);
    expect((await faultOf(() => found('GET', '/ml/llm/s'))).status).to.equal(404);
    expect((await faultOf(() => found('GET', '/ml/llm/s/'))).status).to.equal(404);
  });

  it('another method is 405 with those of all matching rows', async () => {
    const onTest = await faultOf(() => found('PUT', '/ml/thing/test'));
    expect([onTest.status, onTest.code]).to.deep.equal([405, 'method_not_allowed']);
    expect(onTest.headers.Allow?.split(', ').sort()).to.deep.equal(['DELETE', 'GET', 'POST']);
    const onName = await faultOf(() => found('POST', '/ml/thing/a'));
    expect(onName.headers.Allow?.split(', ').sort()).to.deep.equal(['DELETE', 'GET']);
    for (const method of ['OPTIONS', 'PATCH', 'get']) {
      expect((await faultOf(() => found(method, '/ml/thing'))).status).to.equal(405);
    }
  });

  it('names that every object has are ordinary segments', async () => {
    expect(found('GET', '/ml/thing/__proto__')).to.deep.equal(['read', { name: '__proto__' }]);
    expect((await faultOf(() => found('GET', '/ml/constructor'))).status).to.equal(404);
  });
});
