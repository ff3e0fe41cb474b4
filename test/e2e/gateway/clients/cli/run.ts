import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expectStatus, type TestPlatform } from '../../../../support/e2e/platform.ts';
import { gatewayPlatform, MOUNT } from '../../gatewayPlatform.ts';
import { type MockProvider, startMockProvider } from '../upstreams/mockProvider.ts';
import type { Answer, Question } from '../upstreams/question.ts';
import { CLI_CLIENTS, type CliClient, type Place } from './cliClients.ts';

/**
 * `npm run clients:cli`: Codex and Claude Code, each with a session through the gateway in which a scripted model of another maker
 * edits a file by their own tools. They are installed into a temporary folder; nothing else leaves this machine.
 */

const TURNS = 20;
/** The turn in which the model looks at a picture. */
const LOOKING = 5;
const PROMPT = 'Write the lines into notes.txt.';
const DONE = 'All lines are written.';
const PATIENCE_MS = 120_000;
/** How Gemini and Bedrock are sent one. */
const PICTURE = /"mimeType":"image\/|"image":\{"format"/;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The model: writes a line in each turn, but looks at the picture in one. */
function modelOf({ tool, write, look }: CliClient, work: string): (question: Question) => Answer {
  return ({ messages, tools }) => {
    if (!tools.some(({ name }) => name === tool)) return { text: 'Notes' };
    const turn = messages.filter(({ role }) => role === 'tool').length;
    if (turn >= TURNS) return { text: DONE };
    const line = turn > LOOKING ? turn - 1 : turn;
    return { calls: [turn === LOOKING ? look(join(work, 'picture.png')) : write(join(work, 'notes.txt'), line)] };
  };
}

const LINES = Array.from({ length: TURNS - 1 }, (_, line) => `line ${line}\n`).join('');

/** @returns what is wrong; empty when the session went well */
async function check(client: CliClient, platform: TestPlatform, folder: string): Promise<string[]> {
  const [home, work] = ['home', 'work'].map((name) => join(folder, `${client.connection}-${name}`)) as [string, string];
  for (const made of [home, work]) mkdirSync(made);
  writeFileSync(join(work, 'picture.png'), Buffer.from(PIXEL, 'base64'));
  const provider = await startMockProvider(client.format, modelOf(client, work));
  try {
    const { service, settings, model } = client.format;
    const fields = Object.entries({ ...settings, endpoint: provider.url });
    const servicesettings = Object.fromEntries(fields.map(([field, value]) => [field, { value }]));
    const body = { service, connection_name: client.connection, model, servicesettings };
    expectStatus(await platform.ml('anna', 'POST', '/aicommander', body), 200, client.connection);
    const { code, output } = await run(client, {
      packages: folder,
      home,
      work,
      url: `${platform.url}${MOUNT}`,
      key: await platform.sessionKey('anna'),
      model: `${client.connection}/${model}`,
    });
    const problems = problemsOf(provider, code, output, join(work, 'notes.txt'));
    return problems.length > 0 ? [...problems, output] : [];
  } finally {
    await provider.close();
  }
}

function problemsOf({ chats, problems }: MockProvider, code: number | null, output: string, file: string): string[] {
  const notes = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return [
    ...problems.map((problem) => `the provider refused ${problem}`),
    ...(code === 0 ? [] : [`it ended with ${code}`]),
    ...(notes === LINES ? [] : [`the file has ${JSON.stringify(notes)}`]),
    ...(output.includes(DONE) ? [] : ['its last words are not those of the model']),
    ...(chats.length > TURNS ? [] : [`the model was asked ${chats.length} times`]),
    ...(PICTURE.test(JSON.stringify(chats)) ? [] : ['no picture reached the model']),
  ];
}

async function run(client: CliClient, place: Place): Promise<{ code: number | null; output: string }> {
  const { program, args, env } = client.prepare(place, PROMPT);
  const child = spawn(program, args, {
    cwd: place.work,
    env: { PATH: process.env.PATH, HOME: place.home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'clients-cli-'));
  let platform: TestPlatform | undefined;
  let failed = 0;
  try {
    const packages = CLI_CLIENTS.map((client) => client.package);
    console.log(`Installing ${packages.join(' and ')} …`);
    const how = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', ['install', ...how, ...packages], { cwd: folder });
    platform = await gatewayPlatform({ ML_TLS: '0' });
    for (const client of CLI_CLIENTS) {
      const began = performance.now();
      const problems = await check(client, platform, folder);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`${problems.length === 0 ? 'passed' : 'FAILED'} ${client.package}, ${TURNS} turns in ${seconds} s`);
      for (const problem of problems) console.log(`  ${problem}`);
      if (problems.length > 0) failed += 1;
    }
  } finally {
    await platform?.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${CLI_CLIENTS.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exit(await main());
