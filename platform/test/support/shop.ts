import { rmSync } from 'node:fs';
import { startTestPlatform, type TestPlatform, temporaryFolder, writeFiles } from './platform.ts';

const FILES: Record<string, string> = {
  'etc/apps/shop/default/app.conf': '[ui]\nlabel = Shop\n',
  'etc/apps/shop/default/commands.conf': '[shopcmd]\nchunked = true\n',
  'etc/apps/shop/default/collections.conf': '[assets]\n\n[secrets]\n',
  'etc/apps/shop/default/transforms.conf':
    '[users]\nfilename = users.csv\n\n[nocase]\nfilename = users.csv\ncase_sensitive_match = false\nmatch_type = WILDCARD(user)\n' +
    'min_matches = 1\ndefault_match = nobody\n\n[assets_kv]\nexternal_type = kvstore\ncollection = assets\nfields_list = _key, host, owner\n\n' +
    '[secrets_kv]\nexternal_type = kvstore\ncollection = secrets\nfields_list = x\n\n[lost_kv]\ncollection = lost\nfields_list = x\n\n' +
    '[dns]\nexternal_cmd = dns.py host ip\nfields_list = host, ip\n\n[states]\nexternal_type = geo\nfilename = states.kmz\n\n' +
    '[sales]\nfilename = users.csv\nfilter = dept=sales\n\n[net]\nfilename = users.csv\nmatch_type = CIDR(user)\n\n[timed]\nfilename = users.csv\ntime_field = when\n\n[extraction]\nREGEX = (x)\n\n[off]\nfilename = users.csv\ndisabled = 1\n',
  'etc/apps/shop/lookups/users.csv': 'user,dept,tag\nann,sales,\nbob,"it, ops",x\nbob,it2,y\nc*,wild,z\n',
  'etc/apps/shop/lookups/private.csv': 'a\n1\n',
  'etc/apps/shop/default/macros.conf':
    '[web]\ndefinition = host=shop\n\n[rows(1)]\nargs = n\ndefinition = head $n$\n\n[shared]\ndefinition = head 1\n\n[hidden]\ndefinition = head 2\n\n[off]\ndefinition = head 3\ndisabled = 1\n',
  'etc/apps/shop/default/savedsearches.conf':
    '[Nightly]\nsearch = | makeresults\nenableSched = 1\n\n[By hand]\nsearch = | makeresults\n',
  'etc/apps/shop/default/data/models/Sales.json': '{"modelName": "Sales", "displayName": "All sales", "objects": []}',
  'etc/apps/shop/default/data/models/Broken.json': '{',
  'etc/apps/shop/default/datamodels.conf': '[Sales]\nacceleration = true\nacceleration.earliest_time = -1mon\n',
  'etc/apps/shop/metadata/default.meta':
    '[]\naccess = read : [ * ], write : [ admin ]\nexport = none\n\n[macros/shared]\nexport = system\n\n[models/Sales]\nexport = system\n\n' +
    '[macros/hidden]\naccess = read : [ admin ], write : [ admin ]\n\n[lookups/private.csv]\naccess = read : [ admin ], write : [ admin ]\n\n' +
    '[collections/secrets]\naccess = read : [ admin ], write : [ admin ]\n\n[transforms/users]\nexport = system\n\n[lookups/users.csv]\nexport = system\n',
  'etc/apps/search/default/app.conf': '[ui]\nlabel = Search\n',
  'etc/apps/search/default/macros.conf': '[web]\ndefinition = host=search\n',
};

/** A platform with an app of macros and lookups, started and stopped with the enclosing `describe`, and users ann and bob. */
export class Shop {
  readonly #home = temporaryFolder();
  #platform: TestPlatform | undefined;

  constructor() {
    before(async () => {
      writeFiles(this.#home, FILES);
      this.#platform = await startTestPlatform({ home: this.#home });
      for (const name of ['ann', 'bob'])
        await this.post('/services/authentication/users', { name, password: 'changed-it', roles: 'user' }, 'admin');
    });
    after(async () => {
      await this.#platform?.close();
      rmSync(this.#home, { recursive: true, force: true });
    });
  }

  get platform(): TestPlatform {
    if (this.#platform === undefined) throw new Error('the platform has not been started');
    return this.#platform;
  }

  post = (path: string, form: Record<string, string>, user: string) =>
    this.platform.call('POST', `${path}?output_mode=json`, { form, ...as(user) });

  get = (path: string, user = 'admin') =>
    this.platform.call('GET', `${path}${path.includes('?') ? '&' : '?'}output_mode=json`, as(user));

  remove = (path: string, user: string) => this.platform.call('DELETE', path, as(user));

  oneshot = (search: string, user = 'ann', app = 'shop') =>
    this.post(`/servicesNS/${user}/${app}/search/jobs`, { search, exec_mode: 'oneshot' }, user);

  rows = async (search: string, user?: string, app?: string) => {
    const reply = await this.oneshot(search, user, app);
    if (reply.json.results === undefined) throw new Error(`${search}: ${reply.text}`);
    return reply.json.results as Record<string, string>[];
  };

  names = async (path: string, user?: string) =>
    (await this.get(path, user)).json.entry.map(({ name }: { name: string }) => name);
}

const as = (user: string) => (user === 'admin' ? {} : { as: `${user}:changed-it` });
