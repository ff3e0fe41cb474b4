import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { TestPlatform } from '../../../../support/e2e/platform.ts';
import { nodeClient } from '../../../../support/programs/nodeClients.ts';
import { pythonOf } from '../../../../support/programs/python.ts';
import { gatewayPlatform, MOUNT } from '../../gatewayPlatform.ts';
import { type Dialects, FORMATS, startDialects } from '../upstreams/dialects.ts';
import { DONE, PICTURE_STEP, PROMPTS } from '../upstreams/session.ts';

const run = promisify(execFile);
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const MODELS = {
  openai: 'openai/m',
  ...Object.fromEntries(Object.entries(FORMATS).map(([name, { model }]) => [name, `${name}/${model}`])),
};
type Dialect = 'openai' | keyof typeof FORMATS;
const DIALECTS = Object.keys(MODELS) as Dialect[];
/** Dialects whose providers take pictures in results of tools; for the others a note stands in the text. */
const SEEING = ['anthropic', 'bedrock', 'gemini'] as const;

type Outcomes = Record<Dialect, Record<string, unknown>>;

/** A platform with a model of each dialect, and clients that have a session with each. */
export class SessionWorld {
  readonly #platform: TestPlatform;
  readonly #dialects: Dialects;

  private constructor(platform: TestPlatform, dialects: Dialects) {
    this.#platform = platform;
    this.#dialects = dialects;
  }

  static async start(): Promise<SessionWorld> {
    const platform = await gatewayPlatform({ ML_TLS: '0' });
    return new SessionWorld(platform, await startDialects(platform));
  }

  async dispose(): Promise<void> {
    await this.#platform.dispose();
    await this.#dialects.close();
  }

  node = (program: string, ...mode: string[]) => this.#outcomes(process.execPath, [nodeClient(program), ...mode]);
  python = (program: string, ...mode: string[]) =>
    this.#outcomes(pythonOf('openAi'), [join(import.meta.dirname, program), ...mode]);

  async #outcomes(program: string, [script = '', ...mode]: string[]): Promise<Outcomes> {
    const config = JSON.stringify({
      url: `${this.#platform.url}${MOUNT}`,
      key: await this.#platform.sessionKey('anna'),
      models: MODELS,
      prompts: PROMPTS,
      picture: PIXEL,
      pictureStep: PICTURE_STEP,
    });
    const { providers } = this.#dialects;
    const before = Object.fromEntries(SEEING.map((name) => [name, providers[name].chats.length]));
    const env = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', LANGSMITH_TRACING: 'false' };
    const { stdout } = await run(program, [script, config, ...mode], { env, maxBuffer: 50_000_000 });
    expect(this.#dialects.problems(), 'requests that providers would refuse').to.deep.equal([]);
    for (const name of SEEING) {
      const asked = JSON.stringify(providers[name].chats.slice(before[name]));
      expect(asked, `a picture for ${name}`).to.include(PIXEL);
    }
    return JSON.parse(stdout);
  }
}

interface Expected {
  /** The failure by which the client reports an overloaded provider. */
  overload: { failure?: string; status: number };
  /** Parts that end otherwise than for most clients. */
  others?: Record<string, unknown>;
}

export function expectOutcomes(outcomes: Outcomes, expected: (dialect: Dialect) => Expected): void {
  for (const dialect of DIALECTS) {
    const { overload, ...parts } = outcomes[dialect];
    const { overload: failure, others } = expected(dialect);
    // Ollama has no word for a refusal: it is a text.
    const usual = { steps: DONE, object: 3, refusal: dialect !== 'ollama', cut: true };
    expect(parts, dialect).to.deep.equal({ ...usual, ...others });
    expect(overload, `${dialect}: ${JSON.stringify(overload)}`).to.deep.include(failure);
  }
}

/** In the Responses API an overloaded Anthropic is a limit that its clients wait for. */
export const limited = (dialect: Dialect) =>
  dialect === 'anthropic'
    ? { failure: 'RateLimitError', status: 429 }
    : { failure: 'InternalServerError', status: 502 };

/** In Messages it keeps its own status. */
export const overloaded = (dialect: Dialect, [own, other]: readonly [string, string]) =>
  dialect === 'anthropic' ? { failure: own, status: 529 } : { failure: other, status: 502 };
