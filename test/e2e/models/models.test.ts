import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Reply, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { fixture, hostileFiles, modelOf } from '../../support/models/onnx.ts';
import { FORM, multipart } from '../../support/multipart.ts';

const MAX = 31_457_280;
const MEBI = 1024 * 1024;
/** One that the walk refuses at once, one with the most parts, one read as one value. */
const AT_FULL_SIZE = ['zeroes', 'millions of empty nodes', 'a name of many megabytes'];

describe('models over HTTP', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await startPlatform({ env: { ML_DRIVERS: '1' } });
    await platform.createUser('ann', ['ml_admin']);
    await platform.createUser('ben', ['ml_admin']);
    await platform.createUser('eve', ['ml_user']);
  });
  after(() => platform.dispose());

  const ok = (reply: Reply): Reply => {
    expect(reply.status, reply.text.slice(0, 500)).to.equal(200);
    return reply;
  };
  const upload = (user: string, model_name: string, bytes: Buffer, more: object = {}) =>
    platform.ml(user, 'POST', '/upload_model', {
      model_name,
      features: ['a', 'b', 'c'],
      targets: 'y',
      model_file: bytes.toString('base64'),
      ...more,
    });
  const form = (user: string, model_name: string, bytes: Buffer) => {
    const parts = { model_name, features: 'a,b,c', targets: 'y' };
    const body = multipart([...Object.entries(parts), ['model_file', bytes, 'm.onnx']]);
    return platform.ml(user, 'POST', '/upload_model', body, FORM);
  };
  const names = async (user: string, query = '') =>
    ok(await platform.ml(user, 'GET', `/list_models${query}`)).json.result.map(({ name }: { name: string }) => name);
  const folder = (user: string) => join(platform.home, 'etc/users', user, 'ml_extension/lookups');
  const shared = () => join(platform.home, 'etc/apps/ml_extension/lookups');
  const driver = (): number => {
    const [pid] = platform.drivers();
    if (pid === undefined) throw new Error('no driver');
    return pid;
  };
  const memory = (pid: number, what: 'VmHWM' | 'VmRSS'): number =>
    Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

  it("finds models shared by the platform with their fields; shared models belong to the app's managers", async () => {
    ok(await upload('ann', 'private_model', fixture('linear')));
    ok(await upload('ann', 'app_model', fixture('linear'), { sharing: 'app' }));
    expect(existsSync(join(shared(), '__mlspl_app_model.onnx'))).to.equal(true);
    expect((await upload('ben', 'app_model', fixture('linear'))).json.error_code).to.equal('already_exists');
    ok(await upload('ben', 'private_model', fixture('linear')));

    const acl = '/servicesNS/ann/ml_extension/data/lookup-table-files/__mlspl_private_model.onnx/acl';
    const moved = await platform.admin('POST', acl, {
      owner: 'nobody',
      sharing: 'app',
      'perms.read': 'ml_admin',
      'perms.write': 'admin',
    });
    expect(moved.status, moved.text).to.equal(200);
    expect(await names('eve')).to.deep.equal(['app_model']);
    expect(await names('ann')).to.deep.equal(['app_model', 'private_model']);
    expect(ok(await platform.ml('ann', 'DELETE', '/list_models/app_model')).json).to.include({ sharing: 'app' });
    expect((await platform.ml('ann', 'DELETE', '/list_models/private_model')).json.error_code).to.equal('acl_denied');
    ok(await platform.ml('admin', 'DELETE', '/list_models/private_model?sharing=app'));
    ok(await platform.ml('ben', 'DELETE', '/list_models/private_model'));
    expect(await names('admin')).to.deep.equal([]);
    expect(readdirSync(join(platform.home, 'var/run/splunk/lookup_tmp'))).to.deep.equal([]);
  });

  it('survive a restart and a kill -9, including those of the app', async () => {
    ok(await upload('ann', 'own_kept', fixture('linear')));
    ok(await upload('ann', 'app_kept', fixture('linear'), { sharing: 'app' }));
    const before = ok(await platform.ml('ann', 'GET', '/list_models')).json.result;
    for (const end of ['SIGTERM', 'SIGKILL'] as const) {
      await platform.stop(end);
      await platform.start();
      expect(ok(await platform.ml('ann', 'GET', '/list_models')).json.result, end).to.deep.equal(before);
      expect(await names('eve'), end).to.deep.equal(['app_kept']);
    }
    expect(readFileSync(join(shared(), '__mlspl_app_kept.onnx')).equals(fixture('linear'))).to.equal(true);
    for (const name of ['own_kept', 'app_kept']) ok(await platform.ml('ann', 'DELETE', `/list_models/${name}`));
  });

  it('accepts 30 MB and refuses a byte more, in JSON and as a form, with bounded memory', async () => {
    await platform.ml('ann', 'GET', '/list_models');
    ok(await upload('ann', 'warm', fixture('linear')));
    const pid = driver();
    const before = memory(pid, 'VmRSS');
    const whole = modelOf(MAX);
    const made = ok(await upload('ann', 'large', whole)).json;
    expect(made.config.size_bytes).to.equal(MAX);
    expect(readFileSync(join(folder('ann'), '__mlspl_large.onnx')).equals(whole)).to.equal(true);
    ok(await form('ann', 'large_form', whole));
    expect(readFileSync(join(folder('ann'), '__mlspl_large_form.onnx')).equals(whole)).to.equal(true);
    for (const size of [MAX + 1, 32_505_856]) {
      const larger = modelOf(size);
      for (const reply of [await upload('ann', 'larger', larger), await form('ann', 'larger', larger)]) {
        expect(reply.status, reply.text).to.equal(413);
        expect(reply.json).to.include({ error_code: 'payload_too_large', limit: MAX });
      }
    }
    expect(platform.drivers()).to.deep.equal([pid]);
    const peak = memory(pid, 'VmHWM') - before;
    // Block, body and file are there at one time: 1.8, 1.3 and 1 of the file, and what is not collected yet.
    expect(peak / MAX, `${Math.round(peak / MEBI)} MiB more`).to.be.lessThan(8);
    expect(readdirSync(folder('ann')).sort()).to.deep.equal(
      ['large', 'large_form', 'warm'].map((name) => `__mlspl_${name}.onnx`),
    );
  });

  it('survives hostile files without a crash or much memory', async function () {
    // A minute is too short on a machine that does other things too.
    this.timeout(240_000);
    const pid = driver();
    const before = memory(pid, 'VmHWM');
    // What each does at its full size is tested without HTTP, see test/adapters/onnx.
    const whole = hostileFiles().filter(({ what }) => AT_FULL_SIZE.includes(what));
    expect(whole).to.have.length(AT_FULL_SIZE.length);
    for (const { what, bytes } of [...hostileFiles(5 * MEBI), ...whole]) {
      const reply = await form('ann', 'hostile', bytes());
      expect(reply.status, what).to.equal(400);
      expect(reply.json.errors[0].field, what).to.equal('model_file');
    }
    for (const name of readdirSync(join(import.meta.dirname, '../../fixtures/onnx')).filter((file) =>
      file.startsWith('bad_'),
    )) {
      expect((await upload('ann', 'hostile', fixture(name.replace('.onnx', '')))).status, name).to.equal(400);
    }
    expect(platform.drivers()).to.deep.equal([pid]);
    expect(platform.log()).to.not.match(/"event":"(bug|uncaught|unhandled)"/);
    const jump = memory(pid, 'VmHWM') - before;
    expect(jump / MEBI, `${Math.round(jump / MEBI)} MiB more`).to.be.lessThan(150);
    expect(existsSync(join(folder('ann'), '__mlspl_hostile.onnx'))).to.equal(false);
  });

  it('survives clients that disconnect and drivers that are killed', async () => {
    const whole = modelOf(8 * MEBI);
    const sent = upload('ann', 'killed', whole).catch(() => undefined);
    const pid = driver();
    setTimeout(() => process.kill(pid, 'SIGKILL'), 30);
    const reply = await sent;
    const file = join(folder('ann'), '__mlspl_killed.onnx');
    // It was stored completely, or not at all.
    if (existsSync(file)) expect(readFileSync(file).equals(whole)).to.equal(true);
    if (reply?.status === 200) expect(existsSync(file)).to.equal(true);
    ok(await upload('ann', 'killed', whole, { overwrite: true }));
    expect(readFileSync(file).equals(whole)).to.equal(true);
  });
});
