import { contentOf, listOf, objectOf, textOf, wordsOf } from './reading.ts';
import type { Answer } from './site.ts';
import { fails, holds, type Verdict } from './verdict.ts';
import { APP, type Check, expectStatus } from './visit.ts';

const LEAST_NODE = 24;
const LOG = 'Search `index=_internal sourcetype=splunkd PersistentScript`: the launcher says there what it lacks';

/** The running app has the installed version and fits this client. */
export const app: Check = {
  name: 'app',
  needs: ['login'],
  async run(visit) {
    const entry = await visit.ask('GET', '/services/apps/local/ml_extension?output_mode=json');
    const { version, disabled } = contentOf(entry.json);
    const installed = textOf(version);
    if (entry.status === 404)
      return fails('The app ml_extension is not installed here', 'Install its package, and restart splunkd.');
    if (disabled === true) return fails('The app is disabled', 'Enable it in Apps, Manage Apps, and restart splunkd.');
    const health = await visit.app('GET', '/health');
    if (health.status !== 200) return silent(health);
    visit.appVersion = textOf(objectOf(health.json).version);
    const running = visit.appVersion;
    if (running === '')
      return fails('What answers at /ml/health is not this app', 'Which app has an endpoint /ml too?');
    if (installed !== '' && running !== installed) {
      const what = `Version ${installed} is installed, but a process of ${running} answers`;
      return fails(what, 'Restart splunkd: processes of the former version are still running.');
    }
    if (seriesOf(running) !== seriesOf(visit.client)) {
      const remedy = 'Use the client package of the same release as the app, or upgrade the app.';
      return fails(`The app is version ${running}, and mlx is ${visit.client}`, remedy);
    }
    return holds(`version ${running}`);
  },
};

const seriesOf = (version: string) => version.split('.').slice(0, 2).join('.');

function silent(health: Answer): Verdict {
  const cause = wordsOf(health);
  if (health.status === 404) {
    const remedy = "Restart splunkd after the installation; is restmap.conf of the app's default/ there?";
    return fails('The app is installed, but the platform does not know its endpoints', remedy, cause);
  }
  if (health.status === 403)
    return fails('The platform refuses access to the app', 'Which role may read the app?', cause);
  if (health.text.includes('in reply size')) {
    const remedy = `Something writes to the standard output of the app's program. ${LOG}.`;
    return fails('The platform cannot read what the app answers', remedy, cause);
  }
  const { remedy } = objectOf(health.json);
  return fails("The app's program does not answer", textOf(remedy) || `${LOG}. ${libraries()}`, cause);
}

/** System requirements of the runtime. */
function libraries(): string {
  const about = 'The runtime in the package needs Linux, glibc 2.28 or newer and libstdc++.so.6';
  return `${about}; -noruntime packages need Node ${LEAST_NODE} or newer in ML_EXTENSION_NODE or the PATH.`;
}

export const runtime: Check = {
  name: 'runtime',
  needs: ['login'],
  async run(visit) {
    const health = await visit.app('GET', '/health');
    if (health.status !== 200)
      return fails('The program does not answer, so its runtime is not known', libraries(), wordsOf(health));
    const [driver] = listOf(objectOf(health.json).drivers).map(objectOf);
    const named = textOf(driver?.runtime);
    const major = Number(/^node v?(\d+)\./.exec(named)?.[1]);
    if (!(major >= LEAST_NODE))
      return fails(
        `The app runs on ${named || 'something unknown'}`,
        `It needs Node ${LEAST_NODE} or newer. ${libraries()}`,
      );
    return holds(named);
  },
};

const AT_ONCE = 8;

/** Concurrent and sequential requests show whether driver processes persist. */
export const requests: Check = {
  name: 'requests',
  needs: ['app'],
  async run(visit) {
    const from = Date.now();
    const ask = (n: number) => visit.ask('GET', `${APP}/health?call=${visit.mark}${n}`);
    const numbers = Array.from({ length: AT_ONCE }, (_, n) => n);
    const answers = [...(await Promise.all(numbers.map(ask))), await ask(AT_ONCE), await ask(AT_ONCE + 1)];
    const ms = Date.now() - from;
    for (const answer of answers) expectStatus(answer, 200, `Of ${answers.length} calls one was refused`, LOG);
    const drivers = answers.flatMap(({ json }) => listOf(objectOf(json).drivers).map(objectOf));
    const processes = new Set(drivers.map(({ pid }) => pid)).size;
    if (processes === answers.length) {
      const remedy = 'restmap.conf must say scripttype = persist; is a local/restmap.conf in the way?';
      return fails('Each call was answered by a process of its own: they do not persist', remedy);
    }
    const by = processes === 1 ? 'one process' : `${processes} processes`;
    return holds(`${answers.length} calls, ${AT_ONCE} of them at once, answered by ${by} in ${ms} ms`);
  },
};

export const largeReply: Check = {
  name: 'large-reply',
  needs: ['app'],
  async run(visit) {
    const answer = await visit.app('GET', '/openapi');
    const remedy = 'Does a proxy in between limit or cut answers?';
    expectStatus(answer, 200, 'A large reply was refused', remedy);
    const { openapi, paths } = objectOf(answer.json);
    const isWhole = textOf(openapi) !== '' && Object.keys(objectOf(paths)).length > 0;
    const size = `${Math.round(Buffer.byteLength(answer.text) / 1024)} KiB`;
    return isWhole ? holds(`${size} arrived whole`) : fails(`A large reply arrived damaged (${size})`, remedy);
  },
};

/** A closed port of splunkd's own machine. */
export const NOWHERE = 'https://127.0.0.1:1/mcp';
const RECORDS = 200;
/** Characters of one to four bytes reveal wrong lengths and encodings. */
export const UNICODE = 'aé漢😀';

/** A large upload without changes: an import plan. */
export const upload: Check = {
  name: 'upload',
  needs: ['app'],
  async run(visit) {
    const names = Array.from({ length: RECORDS }, (_, n) => `mlx-doctor ${visit.mark} ${n}`);
    const records = names.map((name) => ({
      family: 'mcp-connections',
      name,
      spec: { name, type: 'PLATFORM', description: UNICODE.repeat(500), details: { url: NOWHERE } },
    }));
    const body = { mode: 'plan', document: { format: 'ml_extension', format_version: 1, records } };
    const size = Math.round(Buffer.byteLength(JSON.stringify(body)) / 1024);
    const answer = await visit.app('POST', '/import', body);
    const remedy =
      'Does a proxy in between limit uploads? On the site: [httpServer] max_content_length in server.conf.';
    expectStatus(answer, 200, `An upload of ${size} KiB was refused`, remedy);
    const got = listOf(objectOf(answer.json).result).map((one) => textOf(objectOf(one).name));
    if (got.length !== RECORDS || got.some((name, n) => name !== names[n]))
      return fails(`Of an upload of ${size} KiB ${got.length} of ${RECORDS} records arrived`, remedy);
    return holds(`${size} KiB arrived whole (a plan: nothing was changed)`);
  },
};
