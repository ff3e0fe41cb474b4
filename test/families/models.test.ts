import { expect } from 'chai';
import { Fault } from '../../src/contract/faults.ts';
import { type Json, MemoryApp } from '../support/memory/app.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { fixture, hostileFiles, modelOf } from '../support/onnx.ts';

const UPLOADERS = { capabilities: ['upload_ml_models'] };
const MAX = 31_457_280;

describe('uploaded models', function () {
  this.timeout(180_000);
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.user('ann', UPLOADERS);
    app.user('ben', UPLOADERS);
    app.user('root', { roles: ['admin'], capabilities: ['admin_all_objects', 'upload_ml_models'] });
  });

  const body = (more: Json = {}): Json => ({
    model_name: 'churn',
    features: ['a', 'b', 'c'],
    targets: ['y'],
    model_file: fixture('linear').toString('base64'),
    ...more,
  });
  const upload = (more: Json = {}, user = 'ann') => app.call(user, 'POST', '/upload_model', body(more));
  const list = async (user = 'ann', query = '') => (await app.call(user, 'GET', `/list_models${query}`)).json;
  const names = async (user: string, query = '') => (await list(user, query)).result.map(({ name }: Json) => name);

  function multipart(parts: [string, string | Buffer, string?][], boundary = 'fence'): Buffer {
    return Buffer.concat([
      ...parts.flatMap(([name, value, fileName]) => [
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName ? `; filename="${fileName}"\r\nContent-Type: application/octet-stream` : ''}\r\n\r\n`,
        ),
        Buffer.from(value),
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${boundary}--\r\n`),
    ]);
  }
  const send = (bytes: Buffer, type = 'multipart/form-data; boundary=fence') =>
    app.request({
      method: 'POST',
      path: '/ml/upload_model',
      body: bytes,
      headers: [['Content-Type', type]],
      sessionToken: 'ann',
    });
  const parts = (file: Buffer): [string, string | Buffer, string?][] => [
    ['model_name', 'churn'],
    ['features', 'a, b ,c'],
    ['targets', 'y'],
    ['model_file', file, 'churn.onnx'],
  ];

  it('are kept as they came, with fields and structure', async () => {
    const { status, json } = await upload({ file_name: 'my churn.onnx' });
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      status: 'success',
      message: 'Model uploaded',
      model_name: 'churn',
      config: {
        name: 'churn',
        type: 'onnx',
        features: ['a', 'b', 'c'],
        targets: ['y'],
        owner: 'ann',
        app: 'ml_extension',
        sharing: 'user',
        size_bytes: fixture('linear').length,
        updated_at: app.lookups.now,
        file_name: 'my churn.onnx',
        ir_version: 8,
        opset_version: 17,
        inputs: [{ name: 'X', shape: [null, 3] }],
        outputs: [{ name: 'Y', shape: [null, 1] }],
      },
    });
    expect(app.lookups.names()).to.deep.equal(['ann/__mlspl_churn.onnx']);
    expect(Buffer.from(app.lookups.files[0]?.bytes ?? []).equals(fixture('linear'))).to.equal(true);
  });

  it('come as a form just the same', async () => {
    const { status, json } = await send(multipart(parts(fixture('linear'))));
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json.config).to.deep.include({
      features: ['a', 'b', 'c'],
      targets: ['y'],
      size_bytes: fixture('linear').length,
    });
    expect(Buffer.from(app.lookups.files[0]?.bytes ?? []).equals(fixture('linear'))).to.equal(true);
    const again = await send(multipart([...parts(fixture('linear')), ['overwrite', 'true'], ['sharing', 'user']]));
    expect(again.status).to.equal(200);
    const bare: [string, string | Buffer, string?][] = [
      ['model_name', 'bare'],
      ['features', '["a","b","c"]'],
      ['targets', 'y'],
      ['targets', 'z'],
      ['model_file', fixture('linear')],
    ];
    const unnamed = await send(multipart(bare));
    expect(unnamed.json.config).to.deep.include({ features: ['a', 'b', 'c'], targets: ['y', 'z'] });
  });

  it('take names as a list or joined, and base64 with line breaks or escaped slashes', async () => {
    expect((await upload({ features: ' a,b , c', targets: '' })).json.config).to.deep.include({
      features: ['a', 'b', 'c'],
      targets: [],
    });
    const wrapped = fixture('linear')
      .toString('base64')
      .replace(/(.{40})/g, '$1\r\n');
    expect((await upload({ model_name: 'wrapped', model_file: wrapped })).status).to.equal(200);
    const large = modelOf(200_000);
    const lines = large.toString('base64').replace(/(.{76})/g, '$1\n');
    expect((await upload({ model_name: 'lines', model_file: lines })).status).to.equal(200);
    const slashed = JSON.stringify(body({ model_name: 'slashed', model_file: large.toString('base64') })).replaceAll(
      '/',
      '\\/',
    );
    expect((await app.call('ann', 'POST', '/upload_model', slashed)).status).to.equal(200);
    for (const name of ['lines', 'slashed']) {
      const stored = app.lookups.files.find((file) => file.name === `__mlspl_${name}.onnx`);
      expect(Buffer.from(stored?.bytes ?? []).equals(large), name).to.equal(true);
    }
  });

  it('name every problem at once', async () => {
    const bad: [Json, string][] = [
      [{ model_name: '1x' }, 'model_name'],
      [{ model_name: 'a/b' }, 'model_name'],
      [{ model_name: 'x'.repeat(129) }, 'model_name'],
      [{ features: [] }, 'features'],
      [{ features: 'a,,b' }, 'features'],
      [{ features: ['a', 'a', 'b'] }, 'features'],
      [{ targets: ['y', 'y'] }, 'targets'],
      [{ targets: 7 }, 'targets'],
      [{ sharing: 'global' }, 'sharing'],
      [{ overwrite: 'maybe' }, 'overwrite'],
      [{ model_file: 'not base64!' }, 'model_file'],
      [{ model_file: '' }, 'model_file'],
      [{ model_file: 7 }, 'model_file'],
      [{ model_file: null }, 'model_file'],
      [{ model_file: undefined }, 'model_file'],
      [{ model_file: Buffer.from('text').toString('base64') }, 'model_file'],
    ];
    for (const [more, field] of bad) {
      const { status, json } = await upload(more);
      expect(status, JSON.stringify(more)).to.equal(400);
      expect(
        json.errors.map((error: Json) => error.field),
        JSON.stringify(more),
      ).to.include(field);
    }
    const all = await upload({ model_name: '', features: 'a,a', targets: 3, model_file: '!', sharing: 'all' });
    expect(all.json.errors.map((error: Json) => error.field)).to.include.members([
      'model_name',
      'targets',
      'sharing',
      'model_file',
    ]);
    const form = await send(
      multipart([
        ['model_name', 'x'],
        ['other', 'y', 'other.bin'],
      ]),
    );
    expect(form.json.errors.map((error: Json) => error.field)).to.include.members([
      'features',
      'targets',
      'model_file',
      'other',
    ]);
    expect(app.lookups.names()).to.deep.equal([]);
  });

  it('refuse bodies that are neither JSON nor a form', async () => {
    const good = multipart(parts(fixture('linear')));
    for (const [bytes, type] of [
      [good.subarray(0, good.length - 20), undefined],
      [good, 'multipart/form-data'],
      [good, 'multipart/form-data; boundary=other'],
      [good, 'application/octet-stream'],
      [Buffer.from('{"model_name":'), 'application/json'],
      [Buffer.from('[]'), 'application/json'],
      [Buffer.alloc(0), undefined],
    ] as const) {
      const { status, json } = await send(bytes, type);
      expect(status, `${type}: ${JSON.stringify(json)}`).to.equal(400);
    }
    const twice = await send(multipart([...parts(fixture('linear')), ['model_file', fixture('linear'), 'b.onnx']]));
    expect(twice.json.errors.map((error: Json) => error.field)).to.include('model_file');
    const many = multipart(Array.from({ length: 300 }, (_, index): [string, string] => [`f${index}`, 'x']));
    expect((await send(many)).status).to.equal(400);
  });

  it('have at most 31,457,280 bytes, in JSON and as a form', async () => {
    for (const size of [MAX, MAX + 1]) {
      const model = modelOf(size);
      const name = `m${size}`;
      const replies = [
        await upload({ model_name: name, model_file: model.toString('base64') }),
        await send(multipart([...parts(model), ['overwrite', '1']])),
      ];
      for (const { status, json } of replies) {
        expect(status, JSON.stringify(json).slice(0, 300)).to.equal(size > MAX ? 413 : 200);
        if (size > MAX) expect(json).to.deep.include({ error_code: 'payload_too_large', limit: MAX });
      }
    }
    const padded = JSON.stringify(body({ pad: Array(300_000).fill('pad') }));
    expect((await app.call('ann', 'POST', '/upload_model', padded)).json.error_code).to.equal('payload_too_large');
  });

  it('need one feature for each value of a static first input', async () => {
    const tries: [string, number, number][] = [
      ['linear', 3, 200],
      ['linear', 2, 400],
      ['dynamic', 7, 200],
      ['old', 3, 200],
      ['old', 4, 400],
      ['columns', 3, 200],
      ['columns', 2, 400],
      ['operators_of_ml', 2, 200],
      ['sequence', 5, 200],
    ];
    for (const [name, count, expected] of tries) {
      const features = Array.from({ length: count }, (_, index) => `f${index}`);
      const model_file = fixture(name).toString('base64');
      const { status, json } = await upload({ model_name: `${name}_${count}`, features, model_file });
      expect(status, `${name} ${count}`).to.equal(expected);
      if (expected === 400) expect(json.errors[0].field).to.equal('features');
    }
  });

  it('refuse hostile files', async () => {
    for (const { what, bytes } of hostileFiles(6_000_000)) {
      const { status, json } = await upload({ model_file: bytes.toString('base64') });
      expect(status, what).to.equal(400);
      expect(json.errors[0].field, what).to.equal('model_file');
    }
    expect(app.lookups.names()).to.deep.equal([]);
    expect(app.site.log.text()).to.not.contain('"bug"');
  });

  it('are not taken for those that are there, unless told to', async () => {
    await upload();
    const again = await upload({ features: ['x', 'y', 'z'] });
    expect(again.status).to.equal(409);
    expect(again.json.error_code).to.equal('already_exists');
    const over = await upload({
      features: ['x', 'y', 'z'],
      overwrite: true,
      model_file: fixture('dynamic').toString('base64'),
    });
    expect(over.json.config).to.deep.include({ features: ['x', 'y', 'z'], size_bytes: fixture('dynamic').length });
    expect(app.lookups.names()).to.have.length(1);
    // Another user's private one is none of theirs.
    expect((await upload({}, 'ben')).status).to.equal(200);
    expect((await list('ann')).result[0].features).to.deep.equal(['x', 'y', 'z']);
    expect((await list('ben')).result[0].features).to.deep.equal(['a', 'b', 'c']);
  });

  it('are shared by the app where the platform lets the caller', async () => {
    expect((await upload({ sharing: 'app' })).json.error_code).to.equal('acl_denied');
    expect((await upload({ sharing: 'app' }, 'root')).json.config).to.include({ sharing: 'app', owner: 'nobody' });
    expect(await names('ann')).to.deep.equal(['churn']);
    // It would hide the shared one from its owner's searches.
    expect((await upload()).json.error_code).to.equal('already_exists');
    expect((await upload({ overwrite: true })).json.config).to.include({ sharing: 'user', owner: 'ann' });
    expect(app.lookups.names()).to.deep.equal(['ann/__mlspl_churn.onnx', 'nobody/__mlspl_churn.onnx']);
    expect((await upload({ sharing: 'app', overwrite: true })).json.error_code).to.equal('acl_denied');
  });

  it('one of two uploads at once gets the name', async () => {
    const replies = await Promise.all([upload(), upload(), upload()]);
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
  });

  it('leave nothing behind when their fields cannot be saved', async () => {
    const request = (faults: FaultPlan) =>
      app.request(
        { method: 'POST', path: '/ml/upload_model', body: Buffer.from(JSON.stringify(body())), sessionToken: 'ann' },
        faults,
      );
    const whole = new FaultPlan();
    await request(whole);
    await app.call('ann', 'DELETE', '/list_models/churn');
    const written = whole.trace.indexOf('create lookup') + 1;
    for (let call = 1; call < written; call += 1) {
      const reply = await request(new FaultPlan(call, 'refused'));
      expect(reply.json.error_code, whole.trace[call - 1]).to.equal('store_unavailable');
      expect(app.lookups.names()).to.deep.equal([]);
      expect(app.site.records.all('ml_uploaded_models')).to.deep.equal([]);
    }
  });

  it('need the capability and the flag', async () => {
    app.user('eve');
    expect((await upload({}, 'eve')).json.error_code).to.equal('missing_capability');
    expect((await app.call('eve', 'DELETE', '/list_models/churn')).json.error_code).to.equal('missing_capability');
    app.settings.stanzas = { feature_flags: { model_upload: 'off' } };
    expect((await upload()).json.error_code).to.equal('feature_disabled');
    expect((await app.call('eve', 'GET', '/list_models')).status).to.equal(200);
  });

  describe('deletion', () => {
    it('takes the own one first, then that of the app; fields go too', async () => {
      await upload({ sharing: 'app' }, 'root');
      await upload({ overwrite: true });
      const remove = (user: string, query = '') => app.call(user, 'DELETE', `/list_models/churn${query}`);
      expect((await remove('ben')).json.error_code).to.equal('acl_denied');
      expect((await remove('ann')).json).to.deep.include({ model_name: 'churn', owner: 'ann', sharing: 'user' });
      expect(app.site.records.all('ml_uploaded_models').map(({ place }) => place)).to.deep.equal(['nobody']);
      expect((await remove('ann')).json.error_code).to.equal('acl_denied');
      expect((await remove('root', '?sharing=user')).json.error_code).to.equal('not_found');
      expect((await remove('root')).json).to.include({ sharing: 'app' });
      expect((await remove('root')).status).to.equal(404);
      expect(app.lookups.names()).to.deep.equal([]);
      expect(app.site.records.all('ml_uploaded_models')).to.deep.equal([]);
    });

    it('leaves other models alone', async () => {
      app.lookups.put('ann', '__mlspl_churn.mlmodel');
      app.lookups.put('ann', '__mlspl_churn2.onnx');
      app.lookups.put('ann', '__mlspl_churn.onnx', 'x', 'search');
      expect((await app.call('ann', 'DELETE', '/list_models/churn')).status).to.equal(404);
      expect(app.lookups.names()).to.have.length(3);
    });
  });

  describe('list', () => {
    beforeEach(async () => {
      app.lookups.put('ann', '__mlspl_forecast.mlmodel', 'algo,model,options\nStateSpaceForecast,"x","{}"\n');
      app.lookups.put('nobody', '__mlspl_Alpha.csv', '"algo","model"\n"PCA","x"\n', 'search');
      app.lookups.put('ben', '__mlspl_hidden.mlmodel');
      app.lookups.put('ann', 'plain.csv');
      await upload();
      const acl = (owner: string) => ({ owner, sharing: 'user', perms: { read: [], write: [] } });
      const maps = { input_feature_map: '{"tenure":"$.t","plan":"$.p"}', output_prediction_map: '{"$.s":"score"}' };
      const common = { endpoint_name: 'ep-1', last_updated_at: 5, ...maps };
      const docs = app.site.records.collection('ml_registered_models');
      docs.set('cloudy', JSON.stringify({ _key: 'cloudy', model_name: 'Cloudy', acl: acl('ann'), ...common }));
      docs.set('other', JSON.stringify({ _key: 'other', model_name: 'other', acl: acl('ben'), ...common }));
    });

    it('shows what the caller may see, each kind with what is known of it', async () => {
      const { result, pagination } = await list();
      expect(pagination.total).to.equal(4);
      const now = app.lookups.now;
      expect(result).to.deep.equal([
        {
          name: 'Alpha',
          type: 'lookup',
          algorithm: 'PCA',
          features: [],
          targets: [],
          owner: 'nobody',
          app: 'search',
          sharing: 'app',
          size_bytes: 25,
          updated_at: now,
        },
        {
          name: 'churn',
          type: 'onnx',
          features: ['a', 'b', 'c'],
          targets: ['y'],
          owner: 'ann',
          app: 'ml_extension',
          sharing: 'user',
          size_bytes: 143,
          updated_at: now,
        },
        {
          name: 'Cloudy',
          type: 'cloud',
          features: ['tenure', 'plan'],
          targets: ['score'],
          endpoint_name: 'ep-1',
          owner: 'ann',
          app: 'ml_extension',
          sharing: 'user',
          updated_at: 5,
        },
        {
          name: 'forecast',
          type: 'lookup',
          algorithm: 'StateSpaceForecast',
          features: [],
          targets: [],
          owner: 'ann',
          app: 'ml_extension',
          sharing: 'user',
          size_bytes: 47,
          updated_at: now,
        },
      ]);
      expect(await names('ben')).to.deep.equal(['Alpha', 'hidden', 'other']);
      expect(await names('root')).to.deep.equal(['Alpha', 'churn', 'Cloudy', 'forecast', 'hidden', 'other']);
    });

    it('filters, searches, sorts and pages', async () => {
      expect(await names('ann', '?type=lookup')).to.deep.equal(['Alpha', 'forecast']);
      expect(await names('root', '?owner=ben')).to.deep.equal(['hidden', 'other']);
      expect(await names('ann', '?search=C')).to.deep.equal(['churn', 'Cloudy', 'forecast']);
      expect(await names('ann', '?sort_dir=desc&count=2')).to.deep.equal(['forecast', 'Cloudy']);
      expect((await names('ann', '?sort_key=updated_at'))[0]).to.equal('Cloudy');
      const { pagination } = await list('ann', '?count=1&offset=1');
      expect(pagination).to.deep.equal({ offset: 1, count: 1, total: 4, returned: 1, has_more: true, next_offset: 2 });
      for (const query of ['type=x', 'sort_key=size', 'count=x']) {
        expect((await app.call('ann', 'GET', `/list_models?${query}`)).status, query).to.equal(400);
      }
    });

    it('finds the fields of a model that was shared since', async () => {
      const file = app.lookups.files.find(({ name }) => name === '__mlspl_churn.onnx');
      if (!file) throw new Error('no file');
      file.place = 'nobody';
      const shared = (await list('ben')).result.find(({ name }: Json) => name === 'churn');
      // The platform keeps the owner; this twin does not.
      expect(shared.features).to.deep.equal([]);
    });

    it('a failure of the platform is one of the list', async () => {
      app.lookups.beforeWrite = () => {
        throw new Fault('store_unavailable', 'The platform is not ready (503)');
      };
      expect((await upload({ model_name: 'other_one' })).json.error_code).to.equal('store_unavailable');
      expect(await names('ann')).to.have.length(4);
    });
  });
});
