import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { connection, documentOf } from '../../suites/configuration/kit.ts';
import { ADMIN_PASSWORD, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { needs } from '../../support/programs/part.ts';
import { MLX } from './mlx.ts';

const run = promisify(execFile);
const RED = '\u001b[31m';

describe('mlx at a terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mlx-terminal-'));
  const document = join(folder, 'site.json');
  let platform: TestPlatform;
  before(async function () {
    const isThere = await run('python3', ['--version']).then(
      () => true,
      () => false,
    );
    needs(this, isThere, 'python3');
    platform = await startPlatform();
    writeFileSync(document, JSON.stringify(documentOf(connection('a'))));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await platform?.dispose();
  });

  async function typed(
    args: string[],
    answers: [question: string, answer: string][],
    more: Record<string, string> = {},
  ): Promise<{ output: string; code: number }> {
    const env = { PATH: process.env.PATH, TERM: 'xterm', PYTHONDONTWRITEBYTECODE: '1', ...more };
    const connection = ['--url', platform.url, '--user', 'admin', '--insecure'];
    const command = [process.execPath, MLX, ...args, ...connection];
    const script = join(import.meta.dirname, 'at_terminal.py');
    const { stdout } = await run('python3', [script, JSON.stringify(answers), ...command], { env });
    return JSON.parse(stdout);
  }
  const password: [string, string] = ['Password of admin: ', `${ADMIN_PASSWORD}x\u007f\r`];

  it('asks for password and confirmation without echoing the password', async () => {
    const no = await typed(['apply', '-f', document], [password, ['[y/N]', 'n\r']]);
    expect(no.code).to.equal(1);
    expect(no.output).to.contain('Apply this change? [y/N]').and.to.contain('Nothing was changed');
    expect(no.output).to.not.contain(ADMIN_PASSWORD.slice(-9));
    expect(await platform.documents('ml_mcp_connections')).to.deep.equal([]);
    const yes = await typed(['apply', '-f', document], [password, ['[y/N]', 'y\r']]);
    expect(yes.code, yes.output).to.equal(0);
    expect(await platform.documents('ml_mcp_connections')).to.have.length(1);
  });

  it('prints colours unless NO_COLOR is set', async () => {
    writeFileSync(document, JSON.stringify(documentOf(connection('b', { type: 'NONE' }))));
    const env = { ML_PASSWORD: ADMIN_PASSWORD };
    const plain = await typed(['plan', '-f', document], [], { ...env, NO_COLOR: '1' });
    expect([plain.code, plain.output.includes('\u001b')]).to.deep.equal([1, false]);
    const coloured = await typed(['plan', '-f', document], [], env);
    expect(coloured.output).to.contain(`${RED}! mcp-connections/b`);
  });
});
