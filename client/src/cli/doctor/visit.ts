import { randomBytes } from 'node:crypto';
import { certificateRemedy } from '../certificates.ts';
import { wordsOf } from './reading.ts';
import { type Answer, type Asked, type Site, Unanswered } from './site.ts';
import { Concluded, fails, notAsked, type Verdict } from './verdict.ts';

export const NAMESPACE = '/servicesNS/nobody/ml_extension';
export const APP = `${NAMESPACE}/ml`;

/** How somebody logs in; a token has no password that Splunk Web would take. */
export type LogIn = { username: string; password: string } | { token: string };

/** What the checks find out for one another. */
export class Visit {
  readonly site: Site;
  readonly logIn: LogIn;
  /** Version of this program. */
  readonly client: string;
  /** Told apart from every other run's by this. */
  readonly mark = randomBytes(4).toString('hex');
  /** Names of records that this run may have created. */
  readonly made = new Set<string>();
  /** Never printed. */
  readonly secrets = new Set<string>();
  /** Replaced in the output unless --with-names is set. */
  readonly names = new Map<string, string>();
  /** Set by a signal: no further calls. */
  isStopped = false;
  user = '';
  capabilities: readonly string[] = [];
  roles: readonly string[] = [];
  platformVersion = '';
  appVersion = '';
  /** Value of --web. */
  web: URL | undefined;
  address: URL;
  /** Opens another server of the site with the same TLS settings. */
  readonly open: (base: string) => Site;
  /** Remote time of the platform and of the app, with the local time, in ms since the epoch. */
  platformClock: { says: number; at: number } | undefined;
  appClock: { says: number; at: number } | undefined;

  constructor(of: Pick<Visit, 'logIn' | 'client' | 'web' | 'address' | 'open'>) {
    this.web = of.web;
    this.logIn = of.logIn;
    this.client = of.client;
    this.address = of.address;
    this.open = of.open;
    this.site = of.open(of.address.origin + of.address.pathname.replace(/\/+$/, ''));
    this.names.set(of.address.hostname, '<host>');
    const { logIn } = of;
    for (const secret of 'token' in logIn ? [logIn.token] : [logIn.password]) this.secrets.add(secret);
    if ('username' in logIn) this.names.set(logIn.username, '<user>');
  }

  /** @throws Unanswered */
  async ask(method: string, path: string, asked?: Asked): Promise<Answer> {
    if (this.isStopped) throw new Concluded(notAsked('interrupted'));
    return this.site.ask(method, path, asked);
  }

  /** Calls the app with JSON. */
  app(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.ask(method, APP + path, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(headers ? { headers } : {}),
    });
  }

  has(capability: string): boolean {
    return this.capabilities.includes(capability);
  }
}

export interface Check {
  name: string;
  /** Checks that must hold before. */
  needs: readonly string[];
  run(visit: Visit): Promise<Verdict>;
}

/** @throws Concluded for another status */
export function expectStatus(answer: Answer, status: number, what: string, remedy: string): void {
  if (answer.status !== status) throw new Concluded(fails(what, remedy, wordsOf(answer)));
}

const ABOUT_SILENCE: Readonly<Record<Unanswered['kind'], string>> = {
  timeout: 'Is a firewall or a proxy in between, or is the machine overloaded? `--timeout <seconds>` waits longer.',
  refused: 'Is splunkd running, and is this its management port (8089 unless the site has changed it)?',
  unknown_host: 'Compare the host name in --url with that of the site.',
  certificate: 'Give the authority that signed its certificate with --ca <file>, or, for a test site, --insecure.',
  not_tls: 'One side speaks TLS and the other does not: try the other of https:// and http:// in --url.',
  broken_off: 'Look at splunkd.log at this moment. https:// and http:// in --url must fit the port.',
  too_large: 'This is not the answer of a Splunk platform: compare --url with the address of the site.',
};

/** Runs a check and converts errors into a verdict. */
export async function conclusion(check: Check, visit: Visit): Promise<Verdict> {
  try {
    return await check.run(visit);
  } catch (error) {
    if (error instanceof Concluded) return error.verdict;
    if (error instanceof Unanswered) {
      const remedy = certificateRemedy(error.message) ?? ABOUT_SILENCE[error.kind];
      return fails(`A call was not answered (${error.kind})`, remedy, error.message);
    }
    return fails('The check crashed: this is a bug in mlx', 'Report it.', (error as Error).message);
  }
}
