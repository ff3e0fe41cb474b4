import { type Answer, must } from './answer.ts';
import type { Site } from './site.ts';

export const LOCALE = '/en-US';
export const APP_PAGES = `${LOCALE}/app/ml_extension`;

/** A session of Splunk Web. */
export class Pages {
  readonly cookies = new Map<string, string>();
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  async logIn(username: string, password: string): Promise<void> {
    const remedy = 'Compare --web with the address of Splunk Web. Sites that log in elsewhere (SAML) cannot be asked.';
    const page = await this.call('GET', `${LOCALE}/account/login`);
    const cval = this.cookies.get('cval') ?? '';
    must(page.status === 200 && cval !== '', 'What answers is not the login of Splunk Web', page, remedy);
    const body = new URLSearchParams({ username, password, cval, return_to: `${LOCALE}/` });
    const { status } = await this.call('POST', `${LOCALE}/account/login`, body);
    // Some releases set the form key with the first page.
    if (status < 400 && this.#formKey() === '') await this.call('GET', APP_PAGES);
    must(status < 400 && this.#formKey() !== '', 'Splunk Web did not log in', `status ${status}`, remedy);
  }

  #formKey = () => [...this.cookies].find(([name]) => name.startsWith('splunkweb_csrf_token'))?.[1] ?? '';

  async call(method: string, path: string, body?: string | URLSearchParams): Promise<Answer> {
    const key = this.#formKey();
    const headers = {
      Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'X-Requested-With': 'XMLHttpRequest',
      ...(key === '' ? {} : { 'X-Splunk-Form-Key': key }),
    };
    const answer = await this.#site.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }
}
