import { nodeFetch } from '../../client/src/cli/nodeFetch.ts';
import { isFailure, MlExtension } from '../../client/src/index.ts';

/** Where the app's own tree is below a platform. */
export const MOUNT = '/servicesNS/nobody/ml_extension';

// The certificate is that of the platform in this process, which signs its own.
const fetch = nodeFetch({ isVerified: false });

/** The demo's platform, called by its administrator as anybody else would call it. */
export class Site {
  /** The operations of the app. */
  readonly app: MlExtension;
  readonly #url: string;
  readonly #authorization: string;
  /** Where the administrator's own searches are. */
  readonly #own: string;

  constructor(url: string, username: string, password: string) {
    this.#url = url;
    this.#own = `/servicesNS/${encodeURIComponent(username)}/search`;
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    this.app = new MlExtension({ baseUrl: url, auth: { username, password }, fetch });
  }

  /** Calls the platform, by default below the app's namespace. @param body a form, a text, or something to send as JSON */
  async send(
    path: string,
    body: URLSearchParams | object | string,
    mount = MOUNT,
  ): Promise<{ status: number; text: string }> {
    const [type, text] = contentOf(body);
    const headers = { Authorization: this.#authorization, 'Content-Type': type };
    const url = new URL(`${this.#url}${mount}${path}`);
    const reply = await fetch(url, { method: 'POST', headers, body: text });
    return { status: reply.status, text: await reply.text() };
  }

  /** The same. @throws Error unless it succeeds */
  async post(path: string, body: URLSearchParams | object | string): Promise<void> {
    const { status, text } = await this.send(path, body);
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`);
  }

  /** Sets keys of a stanza, which is made if it is missing. */
  async configure(conf: string, stanza: string, settings: Record<string, string>): Promise<void> {
    const stanzas = `/configs/conf-${conf}`;
    const path = `${stanzas}/${encodeURIComponent(stanza)}`;
    const { status, text } = await this.send(path, new URLSearchParams(settings));
    if (status === 404) await this.post(stanzas, new URLSearchParams({ name: stanza, ...settings }));
    else if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`);
  }

  /** Makes an index, unless it is there. */
  async makeIndex(name: string): Promise<void> {
    const { status, text } = await this.send('/data/indexes', new URLSearchParams({ name }));
    if (status >= 300 && status !== 409) throw new Error(`The index ${name} was not made: ${status} ${text}`);
  }

  /** Sends one event. */
  receive(place: { index: string; host: string; sourcetype: string }, event: string): Promise<void> {
    return this.post(`/receivers/simple?${new URLSearchParams({ ...place, source: 'demo' })}`, event);
  }

  /** Makes a saved search of the administrator in the app search, unless it is there. */
  async saveSearch(name: string, settings: Record<string, string>): Promise<void> {
    const form = new URLSearchParams({ name, ...settings });
    const { status, text } = await this.send('/saved/searches', form, this.#own);
    if (status >= 300 && status !== 409) throw new Error(`The saved search ${name} was not made: ${status} ${text}`);
  }

  /** Runs a saved search of the administrator now, with its actions. */
  async dispatch(name: string): Promise<void> {
    const path = `/saved/searches/${encodeURIComponent(name)}/dispatch`;
    const { status, text } = await this.send(path, new URLSearchParams({ trigger_actions: '1' }), this.#own);
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`);
  }

  /** Asks a model as clients of OpenAI do. */
  ask(model: string, content: string): Promise<{ status: number; text: string }> {
    return this.send('/ai_gateway/v1/chat/completions', { model, messages: [{ role: 'user', content }] });
  }

  /** Runs a search to its end. */
  search(search: string): Promise<void> {
    return this.post('/search/jobs', new URLSearchParams({ search, exec_mode: 'oneshot' }));
  }
}

function contentOf(body: URLSearchParams | object | string): [type: string, text: string] {
  if (body instanceof URLSearchParams) return ['application/x-www-form-urlencoded', body.toString()];
  return typeof body === 'string' ? ['text/plain', body] : ['application/json', JSON.stringify(body)];
}

const THERE = ['already_exists', 'duplicate_name', 'already_running'] as const;

/** Lets what is there already be: the start before this one may have ended behind the creation. */
export async function unlessThere(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!THERE.some((code) => isFailure(error, code))) throw error;
  });
}
