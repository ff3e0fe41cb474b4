import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { rejection } from '../../support/fault.ts';
import { CloudModel, json, type Maps, type Rows, specOf } from './cloudModel.ts';

const open = specOf({ 'application/json': { schema: {} } });
const withTypes = (properties: object) => specOf({ 'application/json': { schema: { type: 'object', properties } } });
const canary = () => ({}) as Record<string, unknown>;

describe('places of features in a request', () => {
  let model: CloudModel;
  beforeEach(() => {
    model = new CloudModel();
  });
  afterEach(() => {
    for (const key of ['polluted', 'x']) {
      Reflect.deleteProperty(Object.prototype, key);
      Reflect.deleteProperty(Array.prototype, key);
      Reflect.deleteProperty(Array, key);
    }
  });
  const refusal = (rows: Rows, maps: Maps) =>
    rejection(
      model.predict(rows, maps, () => json([1])),
      OutboundError,
    );

  it('never lead to what all objects share', async () => {
    for (const [inputs, spec, named] of [
      [{ a: 'rows[*].a', b: 'rows.__proto__.polluted' }, undefined, 'b'],
      [{ a: 'rows[*].a', b: 'rows.constructor.polluted' }, undefined, 'b'],
      [{ a: 'rows[*].a', b: 'rows.constructor.prototype.polluted' }, undefined, 'b'],
      [{ a: 'rows[*].a', b: '__proto__.polluted' }, open, 'b'],
      [{ a: '__proto__.polluted', b: '$__proto__.polluted' }, undefined, 'a'],
      [{ a: 'data', b: 'data.constructor.polluted' }, withTypes({ data: { type: 'object' } }), 'b'],
      [{ a: 'data[*]', b: 'data[0].constructor.polluted' }, withTypes({}), 'b'],
    ] as const) {
      const { code, message } = await refusal([{ a: '{"x":1}', b: 'yes' }], { inputs, spec });
      expect([code, message.startsWith(`input_feature_map.${named} `)], message).to.deep.equal([
        'configuration_invalid',
        true,
      ]);
      for (const one of [canary(), [], Array]) expect(one).not.to.have.property('polluted');
    }
    expect(model.sent).to.deep.equal([]);
  });

  it('lead through a property that the specification calls __proto__ as through any other', async () => {
    const properties = JSON.parse('{"__proto__": {"type": "object", "properties": {"x": {"type": "number"}}}}');
    await model.predict([{ a: 7 }], { inputs: { a: 'x' }, spec: withTypes(properties) }, () => json([1]));
    expect(model.sent[0]?.body).to.equal('{"__proto__":{"x":7}}');
    expect(canary().x).to.equal(undefined);
  });

  it('exclude each other where one lies within the other, or in another kind of container', async () => {
    for (const [a, b] of [
      ['rows[*].x', 'rows[*].x'],
      ['rows[*].x', 'rows[*].x.y'],
      ['rows[*].x.y', 'rows[*].x'],
      ['rows[*]', 'rows[*].x'],
      ['rows[*].x[0]', 'rows[*].x.y'],
      ['rows[*].x[*]', 'rows[*].x[1]'],
      ['rows[*].x', 'rows.x'],
      ['rows[*].x', 'rows[0].x'],
      ['', 'x.y'],
    ] as const) {
      const { code, message } = await refusal([{ a: 1, b: 2 }], { inputs: { a, b }, spec: open });
      expect([code, message], `${a} ${b}`).to.deep.equal([
        'configuration_invalid',
        'input_feature_map.b has a place that excludes that of a',
      ]);
    }
  });

  it('leave the values of rows as they are', async () => {
    const data = Object.freeze({ x: Object.freeze([1]) });
    const spec = withTypes({ data: { type: 'object' }, n: {} });
    await model.predict([{ data, n: 1 }], { inputs: { data: 'data', n: 'n' }, spec }, () => json([1]));
    expect(model.bodies()).to.deep.equal([{ data: { x: [1] }, n: 1 }]);
  });

  it('with large indices make requests of fewer rows, and are refused where one row is too large', async () => {
    const rows = Array.from({ length: 300 }, () => ({ a: 1, b: 2 }));
    const answer = ({ body }: { body: string }) => json(JSON.parse(body).instances.map(() => 1));
    const far = { a: 'instances[*][0]', b: 'instances[*][9999]' };
    await model.predict(rows, { inputs: far, batch: 10_000 }, answer);
    expect(model.sent.length).to.be.above(3);
    for (const { body } of model.sent) expect(body.length).to.be.below(4.1 * 1024 * 1024);
    expect(JSON.parse(model.sent[0]?.body ?? '').instances[0]).to.have.length(10_000);

    model.sent = [];
    const dense = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${at}`, `instances[*][${at}]`]));
    const row = Object.fromEntries(Object.keys(dense).map((name) => [name, 1]));
    await model.predict(Array(300).fill(row), { inputs: dense, batch: 10_000 }, answer);
    expect(model.sent).to.have.length(1);

    model.sent = [];
    const huge = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, `x${at}${'[9999]'.repeat(60)}`]));
    const { code, message } = await refusal([Object.fromEntries(Object.keys(huge).map((name) => [name, 1]))], {
      inputs: huge,
      spec: open,
    });
    expect([code, message]).to.deep.equal([
      'configuration_invalid',
      'input_feature_map makes requests of more than 4 MB: use smaller indices or shorter names',
    ]);
    expect(model.sent).to.deep.equal([]);
  });
});
