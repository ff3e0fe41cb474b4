import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ARM64, X64 } from '../../src/codegen/package/runtimes.ts';
import { makeVariant } from '../../src/codegen/package/variants.ts';
import { frames, packet } from '../driver/peer.ts';
import { builtApp, project } from '../support/e2e/build.ts';
import { needs } from '../support/programs/part.ts';
import { patience } from '../support/time.ts';

const QEMU = '/usr/bin/qemu-aarch64';
/** Debian's `libc6-arm64-cross` and `libstdc++6-arm64-cross`. */
const SYSTEM = '/usr/aarch64-linux-gnu';

describe('the package on an ARM machine, which qemu plays', function () {
  this.timeout(patience(300_000));
  const folder = mkdtempSync(join(tmpdir(), 'ml-aarch64-'));
  const app = join(folder, 'ml_extension');
  const tools = join(folder, 'tools');

  before(async function () {
    const isThere = process.platform === 'linux' && existsSync(QEMU) && existsSync(join(SYSTEM, 'lib/libstdc++.so.6'));
    needs(this as unknown as Mocha.Context, isThere, 'qemu-user and the libraries of an ARM Debian');
    await makeVariant(project, builtApp(), app, [X64, ARM64]);
    const node = join(app, 'bin/runtime/linux_aarch64/node');
    renameSync(node, `${node}.real`);
    program(node, `#!/bin/sh\nexec ${QEMU} -L ${SYSTEM} ${node}.real "$@"\n`);
    mkdirSync(tools);
    program(join(tools, 'uname'), '#!/bin/sh\necho aarch64\n');
    // That one of x86-64 would be taken shows at once.
    const other = join(app, 'bin/runtime/linux_x86_64/node');
    rmSync(other);
    program(other, '#!/bin/sh\nexit 1\n');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function program(path: string, text: string): void {
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  }

  it('chooses its runtime, says that it is loaded, and answers a request', async () => {
    // No other node is in the PATH.
    const child = spawn(join(app, 'bin/ml_rest.sh'), { cwd: '/', env: { PATH: `${tools}:/bin:/usr/sbin` } });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (bytes) => out.push(bytes));
    child.stderr.on('data', (bytes) => err.push(bytes));
    const found = () => {
      try {
        return frames(Buffer.concat(out));
      } catch {
        return [];
      }
    };
    const until = async (count: number) => {
      while (found().length < count && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    try {
      child.stdin.write(packet(0x01));
      await until(1);
      expect(found(), Buffer.concat(err).toString()).to.deep.equal(['']);
      child.stdin.write(
        packet(0x06, {
          method: 'GET',
          path_info: 'no/such/endpoint',
          rest_path: '/ml/no/such/endpoint',
          session: { user: 'admin', authtoken: 'x' },
          system_authtoken: 'x',
          server: { rest_uri: 'https://127.0.0.1:9', guid: 'G' },
          query: [],
          headers: [],
        }),
      );
      await until(2);
      const { status, payload } = JSON.parse(found()[1] ?? '{}');
      expect([status, payload?.error_code], Buffer.concat(err).toString()).to.deep.equal([404, 'unknown_endpoint']);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
