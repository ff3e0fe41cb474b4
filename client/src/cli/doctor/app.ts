import { type Answer, must, NotAsked } from './answer.ts';
import type { Check } from './check.ts';
import { CONTENT, NAMESPACE } from './visit.ts';

/** Copy of `src/contract/capabilities.ts`; a test compares them. */
export const CAPABILITIES = `
  edit_agent_connections edit_agents run_agents edit_ai_commander_config list_ai_commander_config use_ai_gateway
  list_container_connections edit_container_connections list_containers control_containers
  upload_ml_models register_ml_models list_ml_audit list_ml_usage edit_usage_limits
  edit_search_tools list_search_tools run_spl_tool edit_masking
`
  .trim()
  .split(/\s+/);
const ADMINISTRATORS: readonly unknown[] = ['admin', 'sc_admin'];
const MIN_NODE = 24;
const LOG = 'Search `index=_internal sourcetype=splunkd PersistentScript`: the launcher says there what it lacks.';
/** Requirements of the runtime. */
const LIBRARIES =
  `The runtime in the package needs Linux, glibc 2.28 or newer and libstdc++.so.6; ` +
  `-noruntime packages need Node ${MIN_NODE} or newer in ML_EXTENSION_NODE or the PATH.`;
export const KV = '`splunk show kvstore-status` on the site, and mongod.log, say what the KV store is waiting for.';

export const APP_CHECKS: readonly Check[] = [
  {
    code: 'app',
    needs: 'login',
    remedy: 'Restart splunkd: processes of the former version are still running.',
    /** The running app has the installed version and fits this client. */
    async check(visit) {
      const entry = await visit.read('/services/apps/local/ml_extension');
      must(entry.status !== 404, 'The app ml_extension is not installed here', '', 'Install it, and restart splunkd.');
      const isDisabled = entry.value(...CONTENT, 'disabled') === true;
      must(!isDisabled, 'The app is disabled', '', 'Enable it in Apps, Manage Apps, and restart splunkd.');
      const health = await visit.app('GET', '/health');
      expectHealthy(health);
      const running = health.text('version');
      visit.appVersion = running;
      must(running !== '', 'What answers at /ml/health is not this app', '', 'Which app has an endpoint /ml, too?');
      const installed = entry.text(...CONTENT, 'version') || running;
      must(running === installed, `Version ${installed} is installed, but a process of ${running} answers`);
      const isSame = seriesOf(running) === seriesOf(visit.options.client);
      const remedy = 'Use the client package of the same release as the app, or upgrade the app.';
      must(isSame, `The app is version ${running}, and mlx is ${visit.options.client}`, '', remedy);
      return `version ${running}`;
    },
  },
  {
    code: 'runtime',
    needs: 'login',
    remedy: LIBRARIES,
    async check(visit) {
      const health = await visit.app('GET', '/health');
      if (isOwnFailure(health)) throw new NotAsked(`the app answers with ${health.code} in place of its runtime`);
      must(health.status === 200, 'The program does not answer, so its runtime is not known', health);
      const runtime = health.text('drivers', 0, 'runtime');
      const major = Number(/^node v?(\d+)\./.exec(runtime)?.[1]);
      must(major >= MIN_NODE, `The app runs on ${runtime || 'something unknown'}, not on Node ${MIN_NODE} or newer`);
      const knowledge = health.text('knowledge') || 'ready';
      must(knowledge === 'ready', knowledge);
      return runtime;
    },
  },
  {
    code: 'store',
    needs: 'app',
    remedy: KV,
    async check(visit) {
      const health = await visit.app('GET', '/health');
      const state = health.text('store') || 'in an unknown state';
      const remedy = health.text('remedy') || undefined;
      must(state === 'ready', `The KV store is ${state}`, '', remedy);
      return 'the KV store is ready';
    },
  },
  {
    code: 'rights',
    needs: 'login',
    remedy: "authorize.conf of the app was not read: restart splunkd, and look at the app's local/authorize.conf.",
    async check(visit) {
      const missing: string[] = [];
      for (const role of ['ml_user', 'ml_admin']) {
        const { status } = await visit.read(`/services/authorization/roles/${role}`);
        if (status === 403) throw new NotAsked('this account may not look at roles');
        if (status !== 200) missing.push(`the role ${role}`);
      }
      const answer = await visit.read('/services/authorization/capabilities');
      const existing = answer.status === 200 ? answer.list(...CONTENT, 'capabilities') : CAPABILITIES;
      for (const name of CAPABILITIES) if (!existing.includes(name)) missing.push(`the capability ${name}`);
      must(missing.length === 0, `The site does not know ${missing.join(', ')}`);
      const lacks = CAPABILITIES.filter((name) => !visit.has(name));
      const [total, held] = [CAPABILITIES.length, CAPABILITIES.length - lacks.length];
      const lacking = held === total ? '' : `; it lacks ${lacks.join(', ')}`;
      return `roles and capabilities are there; this account has ${held} of ${total}${lacking}`;
    },
  },
  {
    code: 'closed-stores',
    needs: 'app',
    remedy: 'The app closes them in metadata/default.meta: is there a local.meta that opens them?',
    /** Whoever reads the collections directly bypasses the app's access checks. */
    async check(visit) {
      const collections = `${NAMESPACE}/storage/collections`;
      if (!visit.has('admin_all_objects')) {
        const { status } = await visit.read(`${collections}/data/ml_mcp_connections?limit=1&fields=_key`);
        if (status === 503) throw new NotAsked('the KV store is not ready');
        must(status !== 200, 'An account that is no administrator can read the collections of the app');
        return 'the collections of the app are closed to this account';
      }
      const answer = await visit.read(`${collections}/config/ml_mcp_connections`);
      if (answer.status !== 200) throw new NotAsked('the platform does not tell who may read the collections');
      const readers = answer.list('entry', 0, 'acl', 'perms', 'read');
      const isClosed = readers.every((role) => ADMINISTRATORS.includes(role));
      must(isClosed, 'Others than administrators can read the collections of the app');
      return 'the collections of the app are open to administrators alone';
    },
  },
  {
    code: 'rest-tree',
    needs: 'app',
    remedy: 'Something refuses or changes this address: splunkd_access.log says what.',
    /** Detects paths of other apps that are given to this one, and proxies that rewrite errors. */
    async check(visit) {
      const mounts = ['/services', NAMESPACE, '/servicesNS/-/ml_extension'];
      for (const mount of mounts) {
        const answer = await visit.call('GET', `${mount}/ml/health`);
        must(answer.status === 200, `The app does not answer below ${mount}`, answer);
      }
      const unknown = await visit.app('GET', `/mlx-doctor-${visit.mark}`);
      const isUnchanged = unknown.status === 404 && unknown.code === 'unknown_endpoint';
      const proxy = 'A proxy or load balancer in between seems to rewrite answers of 400 and more.';
      must(isUnchanged, 'A refusal of the app does not arrive as the app sends it', unknown, proxy);
      // `match` is open at its end: a path that no app claims comes to the app too, which harms nobody.
      const toolkit = await visit.read('/services/apps/local/Splunk_ML_Toolkit');
      if (toolkit.status === 200) {
        const beside = await visit.call('GET', `/services/mltk/mlx-doctor-${visit.mark}`);
        const remedy =
          'AI Toolkit is not reached. Report both apps: the more specific `match` of restmap.conf has to win.';
        must(beside.code === '', 'The platform gives the app calls of AI Toolkit below /mltk', beside, remedy);
      }
      const beside = toolkit.status === 200 ? '; AI Toolkit has its own calls' : '';
      return `answers in ${mounts.length} namespaces; refusals arrive as they are${beside}`;
    },
  },
  {
    code: 'requests',
    needs: 'app',
    remedy: LOG,
    /** Shows whether driver processes persist. */
    async check(visit) {
      const startedAt = Date.now();
      const ask = (n: number) => visit.app('GET', `/health?call=${visit.mark}${n}`);
      const answers = [...(await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(ask))), await ask(8), await ask(9)];
      const count = answers.length;
      for (const answer of answers) must(answer.status === 200, `One of ${count} calls was refused`, answer);
      const ids = answers.map((answer) => answer.value('drivers', 0, 'pid'));
      const processes = new Set(ids).size;
      const remedy = 'restmap.conf must say scripttype = persist; is a local/restmap.conf in the way?';
      must(processes !== count, 'Each call was answered by a process of its own: they do not persist', '', remedy);
      const by = processes === 1 ? 'one process' : `${processes} processes`;
      return `${count} calls, 8 of them at once, answered by ${by} in ${Date.now() - startedAt} ms`;
    },
  },
  {
    code: 'large-reply',
    needs: 'app',
    remedy: 'Does a proxy in between limit or cut answers?',
    async check(visit) {
      const answer = await visit.app('GET', '/openapi');
      must(answer.status === 200, 'A large reply was refused', answer);
      const size = sizeOf(answer.body);
      const isComplete = answer.text('openapi') !== '' && Object.keys(Object(answer.value('paths'))).length > 0;
      must(isComplete, `A large reply arrived damaged (${size})`);
      return `${size} arrived whole`;
    },
  },
  {
    code: 'upload',
    needs: 'store',
    remedy: 'Does a proxy in between limit uploads? On the site: [httpServer] max_content_length in server.conf.',
    /** A plan of an import, which changes nothing. */
    async check(visit) {
      const names = Array.from({ length: 200 }, (_, n) => `mlx-doctor ${visit.mark} ${n}`);
      const records = names.map((name) => ({
        family: 'mcp-connections',
        name,
        spec: { name, type: 'PLATFORM', description: UNICODE.repeat(500), details: { url: NOWHERE } },
      }));
      const body = { mode: 'plan', document: { format: 'ml_extension', format_version: 1, records } };
      const size = sizeOf(JSON.stringify(body));
      const answer = await visit.app('POST', '/import', body);
      must(answer.status === 200, `An upload of ${size} was refused`, answer);
      const arrived = answer.column('result', 'name');
      const isComplete = arrived.join() === names.join();
      must(isComplete, `Of an upload of ${size} ${arrived.length} of ${names.length} records arrived`);
      return `${size} arrived whole (a plan: nothing was changed)`;
    },
  },
];

/** A closed port of splunkd's own machine. */
export const NOWHERE = 'https://127.0.0.1:1/mcp';
/** Characters of one to four bytes reveal wrong lengths and encodings. */
export const UNICODE = 'aé漢😀';

const sizeOf = (text: string) => `${Math.round(Buffer.byteLength(text) / 1024)} KiB`;
const seriesOf = (version: string) => version.split('.').slice(0, 2).join('.');

/** The app itself answers that it cannot work; `runtime_missing` is the answer of its launcher. */
const isOwnFailure = ({ status, code }: Answer) => status !== 200 && code !== '' && code !== 'runtime_missing';

function expectHealthy(health: Answer): void {
  const { status, body } = health;
  const conf = "Restart splunkd after the installation; is restmap.conf of the app's default/ there?";
  must(status !== 404, 'The app is installed, but the platform does not know its endpoints', health, conf);
  must(status !== 403, 'The platform refuses access to the app', health, 'Which role may read the app?');
  const isDistrusted = health.text('reason') === 'certificate';
  must(!isDistrusted, 'The app cannot call the management port because of a certificate', health);
  must(!isOwnFailure(health), 'The app answers that it cannot work', health, health.text('remedy') || LOG);
  const isNoisy = status !== 200 && body.includes('in reply size');
  const noise = `Something writes to the standard output of the app's program. ${LOG}`;
  must(!isNoisy, 'The platform cannot read what the app answers', health, noise);
  must(status === 200, "The app's program does not answer", health, health.text('remedy') || `${LOG} ${LIBRARIES}`);
}
