import { expect } from 'chai';
import { fixture, modelOf } from '../support/models/onnx.ts';
import { FORM, multipart } from '../support/multipart.ts';
import type { Answer, OpenWorld } from '../support/worlds/world.ts';

type Json = Record<string, unknown>;
type Part = readonly [string, string | Buffer, string?];

const FILE = '__mlspl_churn.onnx';
const LINEAR = fixture('linear');
const fields = ({ json }: Answer) => json.errors.map((error: { field: string }) => error.field);

/** Models that users upload, in any world. */
export function modelSuite(open: OpenWorld): void {
  const world = open({
    users: { ann: ['user', 'uploader'], ben: ['user', 'uploader'], eve: ['user'], root: ['admin'] },
    roles: { uploader: ['upload_ml_models'] },
    collections: ['ml_uploaded_models'],
  });

  const body = (more: Json = {}): Json => ({
    model_name: 'churn',
    features: ['a', 'b', 'c'],
    targets: ['y'],
    model_file: LINEAR.toString('base64'),
    ...more,
  });
  const upload = (more: Json = {}, user = 'ann') => world.call(user, 'POST', '/upload_model', body(more));
  const send = (bytes: Buffer, headers: Record<string, string> = FORM) =>
    world.call('ann', 'POST', '/upload_model', bytes, headers);
  const parts = (file: Buffer): Part[] => [
    ['model_name', 'churn'],
    ['features', 'a, b ,c'],
    ['targets', 'y'],
    ['model_file', file, 'churn.onnx'],
  ];
  const list = async (user: string) => (await world.call(user, 'GET', '/list_models')).json.result;
  const names = async (user: string) => (await list(user)).map(({ name }: Json) => name);

  describe('upload', () => {
    it('are stored unchanged, with fields and structure', async () => {
      const earliest = Math.floor(world.now());
      const { status, json } = await upload({ file_name: 'my churn.onnx' });
      expect(status).to.equal(200);
      const { updated_at, ...config } = json.config;
      expect({ ...json, config }).to.deep.equal({
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
          size_bytes: LINEAR.length,
          file_name: 'my churn.onnx',
          ir_version: 8,
          opset_version: 17,
          inputs: [{ name: 'X', type: 'float32', shape: [null, 3] }],
          outputs: [{ name: 'Y', type: 'float32', shape: [null, 1] }],
        },
      });
      expect(updated_at).to.be.within(earliest, world.now());
      expect(world.lookups.models()).to.deep.equal([`ann/${FILE}`]);
      expect(world.lookups.read('ann', FILE)?.equals(LINEAR)).to.equal(true);
    });

    it('are accepted as a form', async () => {
      const { status, json } = await send(multipart(parts(LINEAR)));
      expect(status, JSON.stringify(json)).to.equal(200);
      expect(json.config).to.deep.include({
        features: ['a', 'b', 'c'],
        targets: ['y'],
        size_bytes: LINEAR.length,
      });
      expect(world.lookups.read('ann', FILE)?.equals(LINEAR)).to.equal(true);
      const again = await send(multipart([...parts(LINEAR), ['overwrite', 'true'], ['sharing', 'user']]));
      expect(again.status).to.equal(200);
      const bare: Part[] = [
        ['model_name', 'bare'],
        ['features', '["a","b","c"]'],
        ['targets', 'y'],
        ['targets', 'z'],
        ['model_file', LINEAR],
      ];
      const unnamed = await send(multipart(bare));
      expect(unnamed.json.config).to.deep.include({ features: ['a', 'b', 'c'], targets: ['y', 'z'] });
    });

    it('take names as a list or joined, and base64 with line breaks or escaped slashes', async () => {
      expect((await upload({ features: ' a,b , c', targets: '' })).json.config).to.deep.include({
        features: ['a', 'b', 'c'],
        targets: [],
      });
      const wrapped = LINEAR.toString('base64').replace(/(.{40})/g, '$1\r\n');
      expect((await upload({ model_name: 'wrapped', model_file: wrapped })).status).to.equal(200);
      const large = modelOf(200_000);
      const lines = large.toString('base64').replace(/(.{76})/g, '$1\n');
      expect((await upload({ model_name: 'lines', model_file: lines })).status).to.equal(200);
      const slashed = JSON.stringify(body({ model_name: 'slashed', model_file: large.toString('base64') })).replaceAll(
        '/',
        '\\/',
      );
      expect((await world.call('ann', 'POST', '/upload_model', slashed)).status).to.equal(200);
      for (const name of ['lines', 'slashed']) {
        expect(world.lookups.read('ann', `__mlspl_${name}.onnx`)?.equals(large), name).to.equal(true);
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
        const reply = await upload(more);
        expect(reply.status, JSON.stringify(more)).to.equal(400);
        expect(fields(reply), JSON.stringify(more)).to.include(field);
      }
      const all = await upload({ model_name: '', features: 'a,a', targets: 3, model_file: '!', sharing: 'all' });
      expect(fields(all)).to.include.members(['model_name', 'targets', 'sharing', 'model_file']);
      const form: Part[] = [
        ['model_name', 'x'],
        ['other', 'y', 'other.bin'],
      ];
      expect(fields(await send(multipart(form)))).to.include.members(['features', 'targets', 'model_file', 'other']);
      expect(world.lookups.models()).to.deep.equal([]);
    });

    it('refuse bodies that are neither JSON nor a form', async () => {
      const good = multipart(parts(LINEAR));
      for (const [bytes, type] of [
        [good.subarray(0, good.length - 20), FORM['Content-Type']],
        [good, 'multipart/form-data'],
        [good, 'multipart/form-data; boundary=other'],
        [good, 'application/octet-stream'],
        [Buffer.from('{"model_name":'), 'application/json'],
        [Buffer.from('[]'), 'application/json'],
        [Buffer.alloc(0), FORM['Content-Type']],
      ] as const) {
        const { status, json } = await send(bytes, { 'Content-Type': type });
        expect(status, `${type}: ${JSON.stringify(json)}`).to.equal(400);
      }
      const twice = await send(multipart([...parts(LINEAR), ['model_file', LINEAR, 'b.onnx']]));
      expect(fields(twice)).to.include('model_file');
      const many = multipart(Array.from({ length: 300 }, (_, index): Part => [`f${index}`, 'x']));
      expect((await send(many)).status).to.equal(400);
    });

    it('are refused when the rest of the body is too large', async () => {
      const padded = JSON.stringify(body({ pad: Array(300_000).fill('pad') }));
      const reply = await world.call('ann', 'POST', '/upload_model', padded);
      expect(reply.json.error_code).to.equal('payload_too_large');
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
      ];
      for (const [name, count, expected] of tries) {
        const features = Array.from({ length: count }, (_, index) => `f${index}`);
        const model_file = fixture(name).toString('base64');
        const reply = await upload({ model_name: `${name}_${count}`, features, model_file });
        expect(reply.status, `${name} ${count}`).to.equal(expected);
        if (expected === 400) expect(fields(reply)[0]).to.equal('features');
      }
    });

    it('need inputs that fields can fill', async () => {
      const reply = await upload({ model_file: fixture('sequence').toString('base64') });
      expect([reply.status, fields(reply)]).to.deep.equal([400, ['model_file']]);
      expect(reply.json.message).to.include('its input S is not a tensor');
    });

    it('do not replace existing models unless overwrite is set', async () => {
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
      expect(world.lookups.models()).to.have.length(1);
      // Another user's private one is none of theirs.
      expect((await upload({}, 'ben')).status).to.equal(200);
      expect((await list('ann'))[0].features).to.deep.equal(['x', 'y', 'z']);
      expect((await list('ben'))[0].features).to.deep.equal(['a', 'b', 'c']);
    });

    it('one of two uploads at once gets the name', async () => {
      const replies = await Promise.all([upload(), upload(), upload()]);
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
    });

    it('need the capability', async () => {
      expect((await upload({}, 'eve')).json.error_code).to.equal('missing_capability');
      expect((await world.call('eve', 'DELETE', '/list_models/churn')).json.error_code).to.equal('missing_capability');
      expect(await list('eve')).to.deep.equal([]);
    });
  });

  describe('sharing', () => {
    it('with the app requires the right of the platform', async () => {
      expect((await upload({ sharing: 'app' })).json.error_code).to.equal('acl_denied');
      expect((await upload({ sharing: 'app' }, 'root')).json.config).to.include({ sharing: 'app', owner: 'nobody' });
      for (const user of ['ann', 'eve']) expect(await names(user), user).to.deep.equal(['churn']);
      expect((await list('eve'))[0]).to.deep.include({
        ...{ type: 'onnx', features: ['a', 'b', 'c'], targets: ['y'], sharing: 'app', app: 'ml_extension' },
      });
      // It would hide the shared one from its owner's searches.
      expect((await upload()).json.error_code).to.equal('already_exists');
      expect((await upload({ overwrite: true })).json.config).to.include({ sharing: 'user', owner: 'ann' });
      expect(world.lookups.models()).to.deep.equal([`ann/${FILE}`, `nobody/${FILE}`]);
      expect((await upload({ sharing: 'app', overwrite: true })).json.error_code).to.equal('acl_denied');
    });
  });

  describe('deletion', () => {
    it('takes the own one first, then that of the app; fields go too', async () => {
      await upload({ sharing: 'app' }, 'root');
      await upload({ overwrite: true });
      const remove = (user: string, query = '') => world.call(user, 'DELETE', `/list_models/churn${query}`);
      expect((await remove('ben')).json.error_code).to.equal('acl_denied');
      expect((await remove('ann')).json).to.deep.include({ model_name: 'churn', owner: 'ann', sharing: 'user' });
      expect((await world.records('ml_uploaded_models')).map(({ place }) => place)).to.deep.equal(['nobody']);
      expect((await remove('ann')).json.error_code).to.equal('acl_denied');
      expect((await remove('root', '?sharing=user')).json.error_code).to.equal('not_found');
      expect((await remove('root', '?sharing=app')).json).to.include({ sharing: 'app' });
      expect((await remove('root')).status).to.equal(404);
      expect(world.lookups.models()).to.deep.equal([]);
      expect(await world.records('ml_uploaded_models')).to.deep.equal([]);
    });

    it('takes the one of the owner and the sharing that are named', async () => {
      const remove = (user: string, query: string) => world.call(user, 'DELETE', `/list_models/churn${query}`);
      await upload({ sharing: 'app' }, 'root');
      for (const user of ['ann', 'ben']) await upload({ overwrite: true }, user);
      await upload({ overwrite: true }, 'root');
      expect((await remove('ann', '?owner=ben')).json.error_code).to.equal('not_found');
      expect((await remove('root', '?owner=ben')).json).to.include({ owner: 'ben', sharing: 'user' });
      expect((await remove('root', '?owner=ben&sharing=app')).json.error_code).to.equal('not_found');
      expect((await remove('root', '?sharing=app')).json).to.include({ owner: 'nobody', sharing: 'app' });
      expect((await remove('ann', '?owner=ann&sharing=user')).json).to.include({ owner: 'ann' });
      expect(world.lookups.models()).to.deep.equal([`root/${FILE}`]);
    });

    it('leaves other models alone', async () => {
      world.lookups.put('ann', '__mlspl_churn.mlmodel', '');
      world.lookups.put('ann', '__mlspl_churn2.onnx', '');
      world.lookups.put('ann', FILE, 'x', 'search');
      world.lookups.put('ben', FILE, 'x');
      expect((await world.call('ann', 'DELETE', '/list_models/churn')).status).to.equal(404);
      expect(world.lookups.models()).to.have.length(4);
    });
  });
}
