import { hostname } from 'node:os';
import { expect } from 'chai';
import { type StartOptions, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { Front, type Meddling } from '../front.ts';
import { type Ended, mlx } from './mlx.ts';

export interface Finding {
  check: string;
  state: 'holds' | 'fails' | 'not_asked';
  says: string;
  cause?: string;
  remedy?: string;
}

interface Examined extends Ended {
  checks: Finding[];
  left_behind: string[];
  of(check: string): Finding;
  failing: string[];
}

/** A site, a proxy in front of it that can meddle, and the doctor. */
export class Examination {
  readonly platform: TestPlatform;
  readonly front: Front;

  private constructor(platform: TestPlatform, front: Front) {
    this.platform = platform;
    this.front = front;
  }

  /** @param env variables of the embedded platform @param home its data folder, by default an empty one */
  static async start(env: StartOptions['env'] = {}, home?: string): Promise<Examination> {
    const options = { env: { ML_WEB_PORT: '0', ...env }, movableClock: true };
    const platform = await startPlatform(home === undefined ? options : { ...options, home });
    return new Examination(platform, await Front.before(platform));
  }

  async end(): Promise<void> {
    await this.front.close();
    await this.platform.dispose();
  }

  /** No run shows a secret or a name. */
  async run(url = this.front.url, args: string[] = [], user = 'admin', password = this.platform.passwordOf(user)) {
    const ended = await mlx(['doctor', '--url', url, '--user', user, '--json', ...args], { ML_PASSWORD: password });
    const output = ended.stdout + ended.stderr;
    expect([hostname(), password, '127.0.0.1'].filter((one) => output.includes(one))).to.deep.equal([]);
    expect(ended.stdout, ended.stderr).to.match(/^{/);
    const { result } = JSON.parse(ended.stdout) as { result: Pick<Examined, 'checks' | 'left_behind'> };
    const of = (check: string) => result.checks.find((one) => one.check === check) as Finding;
    const failing = result.checks.filter(({ state }) => state === 'fails').map(({ check }) => check);
    return { ...ended, ...result, of, failing } satisfies Examined;
  }

  /** A run past a proxy that meddles. */
  async runPast(meddle: Meddling): Promise<Examined> {
    this.front.meddle = meddle;
    try {
      return await this.run();
    } finally {
      this.front.meddle = async () => undefined;
    }
  }

  async expectNothingLeft(): Promise<void> {
    for (const collection of ['ml_mcp_connections', 'ml_doctor']) {
      expect(await this.platform.documents(collection), collection).to.deep.equal([]);
    }
    expect(await this.platform.secretNames()).to.deep.equal([]);
  }
}

export function onlyFailing(found: Examined, check: string): Finding {
  expect([found.code, found.failing], found.stdout).to.deep.equal([1, [check]]);
  return found.of(check);
}
