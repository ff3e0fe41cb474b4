import type { CallOptions, Reply } from './platform.ts';
import { type SearchFixture, startSearching } from './searchCommand.ts';

/** Where administrators find the jobs of the app `searching`. */
export const JOBS = '/servicesNS/admin/searching/search/v2/jobs';
const PASSWORD = 'changed-it';

export interface SearchingOptions {
  /** User -> role, in addition to the administrator. Their password is `changed-it`. */
  users?: Readonly<Record<string, string>>;
  env?: NodeJS.ProcessEnv;
}

type Content = Record<string, unknown>;

/** Search jobs of a platform that is started and stopped with the enclosing `describe`. */
export class SearchJobs {
  #fixture: SearchFixture | undefined;

  constructor({ users = {}, env }: SearchingOptions = {}) {
    before(async () => {
      this.#fixture = await startSearching(env === undefined ? {} : { env });
      for (const [name, roles] of Object.entries(users)) {
        const made = await this.call('POST', '/services/authentication/users', {
          form: { name, password: PASSWORD, roles },
        });
        if (made.status !== 201) throw new Error(`user ${name}: ${made.status} ${made.text}`);
      }
    });
    after(() => this.#fixture?.stop());
  }

  get fixture(): SearchFixture {
    if (this.#fixture === undefined) throw new Error('the platform has not been started');
    return this.#fixture;
  }

  call = (method: string, path: string, options?: CallOptions): Promise<Reply> =>
    this.fixture.platform.call(method, path, options);

  /** @param as `user:password`; an administrator unless given */
  post = (path: string, form: Record<string, string | string[]>, as?: string): Promise<Reply> =>
    this.call('POST', asJson(path), as === undefined ? { form } : { form, as });

  get = (path: string, as?: string): Promise<Reply> => this.call('GET', asJson(path), as === undefined ? {} : { as });

  oneshot = (search: string, more: Record<string, string> = {}, base = JOBS): Promise<Reply> =>
    this.post(base, { search, exec_mode: 'oneshot', ...more });

  dispatch = async (search: string, more: Record<string, string> = {}): Promise<string> => {
    const reply = await this.post(JOBS, { search, ...more });
    if (reply.status !== 201) throw new Error(`${search}: ${reply.status} ${reply.text}`);
    return reply.json.sid;
  };

  content = async (sid: string) => (await this.get(jobPath(sid))).json.entry[0].content;

  until = async (sid: string, test: (content: Content) => boolean): Promise<Content> => {
    for (;;) {
      const found = await this.content(sid);
      if (test(found)) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  /** The process of a command that has sent rows. */
  pidOf = async (sid: string): Promise<number> =>
    Number((await this.until(sid, ({ resultCount }) => Number(resultCount) > 0)).pid);
}

const asJson = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}output_mode=json`;

export const jobPath = (sid: string): string => `${JOBS}/${sid}`;

/** The messages of a reply, one per line. */
export const messagesOf = (reply: Reply): string =>
  reply.json.messages.map((one: { type: string; text: string }) => `${one.type} ${one.text}`).join('\n');
