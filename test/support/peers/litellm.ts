import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPrepared, preparePython, pythonPrograms } from '../programs/python.ts';
import { eventually } from '../time.ts';
import { freePort, type Peer } from './listen.ts';

export const MASTER_KEY = 'sk-litellm-master-0123456789';

/** Installs it where that was asked for. Answers why it cannot be had, undefined when it is there. */
export async function prepareLitellm(): Promise<string | undefined> {
  const isWanted = process.env.CI === 'true' || process.env.ML_TEST_INSTALL === '1';
  if (isWanted || isPrepared('litellm')) return preparePython('litellm');
  return 'ML_TEST_INSTALL=1 installs it in .venv/litellm (740 MB)';
}

const CONFIG = {
  model_list: [
    {
      model_name: 'mock-model',
      litellm_params: { model: 'openai/mock', api_key: 'none', mock_response: 'ok from litellm' },
    },
    {
      model_name: 'group/limited:free',
      litellm_params: { model: 'openai/limited', api_key: 'none', mock_response: 'litellm.RateLimitError' },
    },
  ],
  litellm_settings: { num_retries: 0, use_chat_completions_url_for_anthropic_messages: true },
  router_settings: { num_retries: 0 },
  general_settings: { master_key: MASTER_KEY },
};

interface Model {
  model_name: string;
  litellm_params: object;
}

interface Litellm extends Peer {
  pid: number;
}

/**
 * LiteLLM's proxy with models that need no network: a real server of several wire formats (OpenAI, Azure deployments,
 * Anthropic messages, Gemini), written by others.
 */
export async function startLitellm(models: readonly Model[] = CONFIG.model_list): Promise<Litellm> {
  const folder = mkdtempSync(join(tmpdir(), 'litellm-'));
  // JSON is YAML.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify({ ...CONFIG, model_list: models }));
  const port = await freePort();
  const child: ChildProcess = spawn(
    join(pythonPrograms('litellm'), 'litellm'),
    ['--config', join(folder, 'config.yaml'), '--host', '127.0.0.1', '--port', String(port)],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True' } },
  );
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000);
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const isUp = async () => (await fetch(`${url}/health/liveliness`).catch(() => undefined))?.ok ?? false;
    await eventually(async () => child.exitCode !== null || (await isUp()), 90_000, 'LiteLLM to be up');
    if (child.exitCode !== null) throw new Error(`LiteLLM ended: ${output}`);
    return { url, close, pid: child.pid ?? 0 };
  } catch (error) {
    await close();
    throw error;
  }
}
