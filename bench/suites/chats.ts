import { Agent, request } from 'node:http';
import * as https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { completionOf } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../test/support/peers/listen.ts';
import { timed } from '../measure.ts';

/** Asks a model once. */
export type Chat = () => Promise<unknown>;

/** Slots of the machine; one user may hold half of them, so that sixteen clients of one wait for the CPU alone. */
export const MAX_CONCURRENT = 64;
const GATEWAY_SETTINGS = '/servicesNS/nobody/ml_extension/configs/conf-ml_extension/gateway';
/** After so long, drivers have read changed settings. */
const SETTINGS_MS = 5500;
/** After so long the model `slow` answers. */
export const SLOW_MS = 100;

/** Raises the number of slots to `MAX_CONCURRENT`, and waits until all drivers know. */
export async function raiseSlots(platform: TestPlatform): Promise<void> {
  const reply = await platform.admin('POST', GATEWAY_SETTINGS, { max_concurrent: String(MAX_CONCURRENT) });
  expectStatus(reply, 200, 'slots');
  await pause(SETTINGS_MS);
}

/** So many chats by so many clients, each of which asks again when it has its answer. */
export async function many(chat: Chat, clients: number, count: number) {
  const times: number[] = [];
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      times.push(await timed(chat));
    }
  };
  const took = await timed(() => Promise.all(Array.from({ length: clients }, client)));
  return { times, aSecond: (count * 1000) / took };
}

export interface Upstream extends Peer {
  /** Chats that wait for `release`. */
  held(): number;
  release(): void;
}

/** Answers at once, after `SLOW_MS`, or when released, by the model. */
export async function startUpstream(): Promise<Upstream> {
  let waiting: (() => void)[] = [];
  const peer = await startHttp(async (incoming, response) => {
    const text = await readBody(incoming).catch(() => '');
    // LiteLLM looks at the address itself.
    if (text === '') return sendJson(response, 404, {});
    const { model } = JSON.parse(text);
    const answer = () => sendJson(response, 200, completionOf('An answer of a few words.'));
    if (model === 'slow') setTimeout(answer, SLOW_MS);
    else if (model === 'held') waiting.push(answer);
    else answer();
  });
  return {
    ...peer,
    held: () => waiting.length,
    release() {
      for (const answer of waiting) answer();
      waiting = [];
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
/** The embedded platform signs its certificate itself. */
const tlsAgent = new https.Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false });

export function chatAt(url: string, authorization: string, model: string): Chat {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'A question of a few words?' }] });
  const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const isTls = url.startsWith('https:');
  const send = isTls ? https.request : request;
  const options = { agent: isTls ? tlsAgent : agent, method: 'POST', headers };
  return () =>
    new Promise<void>((resolve, reject) => {
      const sent = send(`${url}/chat/completions`, options, (response) => {
        const done = response.statusCode === 200 ? resolve : () => reject(new Error(`HTTP ${response.statusCode}`));
        response.on('data', () => {}).on('end', done);
      });
      sent.on('error', reject);
      sent.end(body);
    });
}
