import { codeOf, contentOf, isSplunkd, listOf, objectOf, textOf, textsOf, wordsOf } from './reading.ts';
import { fails, holds, notAsked, type Verdict } from './verdict.ts';
import { type Check, expectStatus, NAMESPACE, type Visit } from './visit.ts';

const CONTEXT = '/services/authentication/current-context?output_mode=json';

/** Makes sure that the peer is a Splunk platform before a password is sent. */
export const reach: Check = {
  name: 'reach',
  needs: [],
  async run(visit) {
    const answer = await visit.ask('GET', '/services/server/info?output_mode=json', { isAnonymous: true });
    const { status, headers } = answer;
    if (status >= 300 && status < 400) {
      const to = headers.get('location') ?? '';
      const remedy = 'Give the management port in --url (8089 unless the site has changed it), not that of Splunk Web.';
      return fails('The address redirects, which the management port never does', remedy, `${status}, to ${to}`);
    }
    if (!isSplunkd(answer) || (status !== 401 && status !== 200)) {
      const remedy = 'Compare --url with the address of the management port. Nothing was logged in to.';
      return fails('What answers is not the management port of a Splunk platform', remedy, `status ${status}`);
    }
    return holds(`the management port answers in ${answer.ms} ms (${visit.address.protocol.slice(0, -1)})`);
  },
};

export const login: Check = {
  name: 'login',
  needs: ['reach'],
  async run(visit) {
    const refused = 'token' in visit.logIn ? visitWithToken(visit, visit.logIn.token) : await logInWith(visit);
    if (refused) return refused;
    const answer = await visit.ask('GET', CONTEXT);
    const remedy =
      'Tokens have to be enabled on the site, and end. Make a new one in Settings, Tokens, or log in with --user.';
    expectStatus(answer, 200, 'The platform does not accept the session or the token', remedy);
    const content = contentOf(answer.json);
    visit.user = textOf(content.username);
    visit.names.set(visit.user, '<user>');
    visit.roles = textsOf(content.roles);
    visit.capabilities = textsOf(content.capabilities);
    return holds(`logged in ${'token' in visit.logIn ? 'with a token' : 'with user name and password'}`);
  },
};

function visitWithToken(visit: Visit, token: string): undefined {
  visit.site.authorization = `Bearer ${token}`;
}

async function logInWith(visit: Visit): Promise<Verdict | undefined> {
  if ('token' in visit.logIn) return undefined;
  const body = new URLSearchParams({ ...visit.logIn });
  const answer = await visit.ask('POST', '/services/auth/login?output_mode=json', { body, isAnonymous: true });
  if (answer.status === 401 || answer.status === 400) {
    const remedy = 'Check both. Accounts that log in through a browser alone (SAML) need a token: set ML_TOKEN.';
    return fails('The platform refused the user name or the password', remedy, wordsOf(answer));
  }
  expectStatus(answer, 200, 'The platform did not log in', 'See splunkd.log for the reason.');
  const key = textOf(objectOf(answer.json).sessionKey);
  if (key === '') return fails('The login was answered without a session key', 'Is there a proxy in between?');
  visit.secrets.add(key);
  visit.site.authorization = `Splunk ${key}`;
  return undefined;
}

export const platform: Check = {
  name: 'platform',
  needs: ['login'],
  async run(visit) {
    const answer = await visit.ask('GET', '/services/server/info?output_mode=json');
    expectStatus(answer, 200, 'The platform does not say what it is', 'Look at splunkd.log.');
    const content = contentOf(answer.json);
    for (const name of ['host', 'host_fqdn', 'host_resolved', 'serverName'])
      visit.names.set(textOf(content[name]), '<host>');
    visit.names.set(textOf(content.guid), '<guid>');
    visit.platformVersion = textOf(content.version);
    const date = Date.parse(answer.headers.get('date') ?? '');
    if (!Number.isNaN(date)) visit.platformClock = { says: date, at: answer.at };
    const isMember = textsOf(content.server_roles).includes('shc_member');
    const system = [textOf(content.os_name), textOf(content.cpu_arch)].filter(Boolean).join(' ');
    return holds(`release ${visit.platformVersion} on ${system}${isMember ? ', member of a search head cluster' : ''}`);
  },
};

/** Copy of `src/contract/capabilities.ts`; a test compares them. */
export const CAPABILITIES = [
  'edit_agent_connections',
  'edit_agents',
  'run_agents',
  'edit_ai_commander_config',
  'list_ai_commander_config',
  'list_container_connections',
  'edit_container_connections',
  'list_containers',
  'control_containers',
  'upload_ml_models',
  'register_ml_models',
  'use_ai_gateway',
  'list_ml_audit',
  'list_ml_usage',
  'edit_usage_limits',
] as const;

export const rights: Check = {
  name: 'rights',
  needs: ['login'],
  async run(visit) {
    const remedy =
      "authorize.conf of the app was not read: restart splunkd, and look at the app's local/authorize.conf.";
    const missing: string[] = [];
    for (const role of ['ml_user', 'ml_admin']) {
      const { status } = await visit.ask('GET', `/services/authorization/roles/${role}?output_mode=json`);
      if (status === 403) return notAsked('this account may not look at roles');
      if (status !== 200) missing.push(`the role ${role}`);
    }
    const answer = await visit.ask('GET', '/services/authorization/capabilities?output_mode=json');
    if (answer.status === 200) {
      const known = textsOf(contentOf(answer.json).capabilities);
      missing.push(...CAPABILITIES.filter((name) => !known.includes(name)).map((name) => `the capability ${name}`));
    }
    if (missing.length > 0) return fails(`The site does not know ${missing.join(', ')}`, remedy);
    const held = CAPABILITIES.filter((name) => visit.has(name));
    const lacks = CAPABILITIES.filter((name) => !visit.has(name));
    const some = lacks.length === 0 ? '' : `; it lacks ${lacks.join(', ')}`;
    return holds(`roles and capabilities are there; this account has ${held.length} of ${CAPABILITIES.length}${some}`);
  },
};

const STORE = `${NAMESPACE}/storage/collections`;
const PEOPLE = new Set(['admin', 'sc_admin']);

/** Reading the collections directly would bypass the app's access checks. */
export const closed: Check = {
  name: 'closed-stores',
  needs: ['app'],
  async run(visit) {
    const remedy = 'The app closes them in metadata/default.meta: is there a local.meta that opens them?';
    const data = await visit.ask('GET', `${STORE}/data/ml_mcp_connections?limit=1&fields=_key&output_mode=json`);
    if (!visit.has('admin_all_objects')) {
      if (data.status === 503) return notAsked('the KV store is not ready');
      if (data.status === 200)
        return fails('An account that is no administrator can read the collections of the app', remedy);
      return holds('the collections of the app are closed to this account');
    }
    const answer = await visit.ask('GET', `${STORE}/config/ml_mcp_connections?output_mode=json`);
    if (answer.status !== 200) return notAsked('the platform does not tell who may read the collections');
    const [entry] = listOf(objectOf(answer.json).entry).map(objectOf);
    const readers = textsOf(objectOf(objectOf(entry?.acl).perms).read);
    const others = readers.filter((role) => !PEOPLE.has(role)).length;
    if (others > 0) return fails('Others than administrators can read the collections of the app', remedy);
    return holds('the collections of the app are open to administrators alone');
  },
};

/** Detects prefix matching of paths, and proxies that rewrite errors. */
export const tree: Check = {
  name: 'rest-tree',
  needs: ['app'],
  async run(visit) {
    const mounts = ['/services', NAMESPACE, '/servicesNS/-/ml_extension'];
    for (const mount of mounts) {
      const answer = await visit.ask('GET', `${mount}/ml/health`);
      const remedy =
        'Something refuses or changes this address: the audit trail of the site (splunkd_access.log) says what.';
      expectStatus(answer, 200, `The app does not answer below ${mount}`, remedy);
    }
    const unknown = await visit.app('GET', `/mlx-doctor-${visit.mark}`);
    if (unknown.status !== 404 || codeOf(unknown.json) !== 'unknown_endpoint') {
      const remedy = 'A proxy or a load balancer in between seems to rewrite answers of 400 and more.';
      return fails('A refusal of the app does not arrive as the app sends it', remedy, wordsOf(unknown));
    }
    const beside = await visit.ask('GET', `/services/mlxdoctor${visit.mark}`);
    if (codeOf(beside.json) !== '') {
      const remedy =
        'Endpoints of other apps that begin with /ml, such as /mltk of Splunk AI Toolkit, would not be reached.';
      return fails('The platform gives the app calls that are not below /ml', remedy, wordsOf(beside));
    }
    return holds(`answers in ${mounts.length} namespaces; refusals arrive as they are`);
  },
};
