import { randomBytes } from 'node:crypto';
import { type Answer, NotAsked } from './answer.ts';
import type { Pages } from './pages.ts';
import type { CallOptions, Site } from './site.ts';

export const NAMESPACE = '/servicesNS/nobody/ml_extension';
export const CONTENT = ['entry', 0, 'content'] as const;

export interface VisitOptions {
  /** A token, unlike a password, is not accepted by Splunk Web. */
  logIn: { username: string; password: string } | { token: string };
  address: URL;
  /** Value of --web. */
  web: URL | undefined;
  /** Version of this program. */
  client: string;
  /** Opens a server of the site. */
  open(base: URL): Site;
}

/** State of a run, which checks add to. */
export class Visit {
  readonly options: VisitOptions;
  readonly site: Site;
  /** Unique to this run. */
  readonly mark = randomBytes(4).toString('hex');
  /** Names of records that this run may have created. */
  readonly made = new Set<string>();
  /** Whether this run may have left documents in the collection `ml_doctor`. */
  hasDocuments = false;
  /** The session of Splunk Web, once there is one. */
  pages: Pages | undefined;
  /** Never printed. */
  readonly secrets = new Set<string>();
  /** Replaced in the output unless --with-names is set. */
  readonly names = new Map<string, string>();
  /** Set by a signal: no further calls. */
  isStopped = false;
  user = '';
  capabilities: readonly unknown[] = [];
  platformVersion = '';
  appVersion = '';
  /** Remote minus local time in ms, by the owner of the clock. */
  readonly clocks = new Map<string, number>();

  constructor(options: VisitOptions) {
    const { logIn, address, open } = options;
    this.options = options;
    this.site = open(address);
    this.names.set(address.hostname, '<host>');
    this.secrets.add('token' in logIn ? logIn.token : logIn.password);
    if ('username' in logIn) this.names.set(logIn.username, '<user>');
  }

  /** @throws Failed without an answer, NotAsked if interrupted */
  async call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    if (this.isStopped) throw new NotAsked('interrupted');
    return this.site.call(method, path, options);
  }

  /** Reads JSON from the platform. */
  read(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', `${path}${path.includes('?') ? '&' : '?'}output_mode=json`, options);
  }

  /** Calls the app with JSON. */
  app(method: string, path: string, body?: unknown, headers: CallOptions['headers'] = {}): Promise<Answer> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.call(method, `${NAMESPACE}/ml${path}`, { headers, ...json });
  }

  has(capability: string): boolean {
    return this.capabilities.includes(capability);
  }

  /** Removes secrets, and names of the site unless requested. */
  hide(text: string, isWithNames: boolean): string {
    let result = text;
    for (const secret of this.secrets) {
      for (const form of [secret, encodeURIComponent(secret)]) if (form !== '') result = result.replaceAll(form, '***');
    }
    if (isWithNames) return result;
    for (const [name, substitute] of this.names) {
      if (name === '') continue;
      // Replace whole words only.
      const word = new RegExp(`(?<![\\w-])${name.replaceAll(/[^\w]/g, '\\$&')}(?![\\w-])`, 'gi');
      result = result.replaceAll(word, substitute);
    }
    return result.replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '<address>');
  }
}
