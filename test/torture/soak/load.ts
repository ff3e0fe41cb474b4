import type { Random } from '../../support/random.ts';
import { type Call, isAnswer } from '../site/client.ts';
import type { RecordingHost } from '../site/hosts.ts';
import { MOUNT, type Site } from '../site/site.ts';

const RECORDS = 20;

export interface Sample {
  at: number;
  ms: number;
  /** The platform's own endpoint, called the same way: what it takes is the machine's doing, not the app's. */
  isControl: boolean;
}

/** Requests of every kind at a steady rate; what they took, and what went wrong. */
export class Load {
  readonly samples: Sample[] = [];
  readonly errors: string[] = [];
  skipped = 0;
  readonly #site: Site;
  readonly #random: Random;
  readonly #host: RecordingHost;
  readonly #busy = new Set<Promise<void>>();
  #serial = 0;

  constructor(site: Site, random: Random, host: RecordingHost) {
    this.#site = site;
    this.#random = random;
    this.#host = host;
  }

  /** Calls under way. */
  get busy(): number {
    return this.#busy.size;
  }

  async prepare(): Promise<void> {
    for (let index = 0; index < RECORDS; index++) {
      for (const call of [this.#mcp('POST', index), this.#llm(index)]) {
        const reply = await this.#site.call(0, 'admin', call);
        if (!isAnswer(reply) || reply.status !== 200)
          throw new Error(`the soak has no records: ${JSON.stringify(reply)}`);
      }
    }
  }

  /** For so long; a request that finds `most` others under way is left out, since a queue would be measured instead. */
  async run(rate: number, ms: number, most: number): Promise<void> {
    const started = performance.now();
    for (let due = started; due < started + ms; due += 1000 / rate) {
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (this.#busy.size >= most) {
        this.skipped += 1;
        continue;
      }
      const one = this.#one(this.#random.chance(0.1)).finally(() => this.#busy.delete(one));
      this.#busy.add(one);
    }
    await Promise.all(this.#busy);
  }

  async #one(isControl: boolean): Promise<void> {
    const call = isControl ? { method: 'GET', path: '/services/server/info?output_mode=json' } : this.#next();
    const at = performance.now();
    const reply = await this.#site.call(0, 'admin', call);
    this.samples.push({ at, ms: performance.now() - at, isControl });
    const isWell = isAnswer(reply) && reply.status === 200 && reply.json?.success !== false;
    if (isWell || this.errors.length > 20) return;
    const text = isAnswer(reply) ? `${reply.status} ${reply.text.slice(0, 200)}` : reply.because;
    this.errors.push(`${call.method} ${call.path}: ${text}`);
  }

  #next(): Call {
    const index = this.#random.below(RECORDS);
    const roll = this.#random.next();
    if (roll < 0.4) return this.#ml('GET', `/mcp_connection/soak-${index}`);
    if (roll < 0.5) return this.#ml('GET', '/mcp_connection?count=10');
    if (roll < 0.6) return this.#ml('GET', `/aicommander/General_Chat/soak-${index}/m`);
    if (roll < 0.7) return this.#mcp('PUT', index);
    if (roll < 0.8) return this.#llm(index);
    if (roll < 0.9) return this.#ml('POST', '/mcp_connection/test', { name: `soak-${index}` });
    return this.#ml('POST', '/aicommander_metadata', {
      service: 'General_Chat',
      connection_name: `soak-${index}`,
      model: 'm',
    });
  }

  #ml(method: string, path: string, body?: object): Call {
    return { method, path: `${MOUNT}${path}`, ...(body ? { body } : {}) };
  }

  #mcp(method: 'POST' | 'PUT', index: number): Call {
    this.#serial += 1;
    const details = { url: `${this.#host.url}/mcp`, token: `key-for-${this.#host.name}-${this.#serial}` };
    const type = method === 'POST' ? { type: 'PLATFORM' } : {};
    return this.#ml(method, '/mcp_connection', { name: `soak-${index}`, ...type, details });
  }

  #llm(index: number): Call {
    this.#serial += 1;
    const servicesettings = {
      endpoint: { value: `${this.#host.url}/v1` },
      access_token: { value: `key-for-${this.#host.name}-${this.#serial}` },
    };
    const identity = { service: 'General_Chat', connection_name: `soak-${index}`, model: 'm' };
    return this.#ml('POST', '/aicommander', { ...identity, servicesettings });
  }
}
