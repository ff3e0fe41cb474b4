import { hostname } from 'node:os';
import { join } from 'node:path';
import type { BegunRun } from './alerts/runs/scheduler.ts';
import { appRoutes } from './apps/endpoints.ts';
import { AppRegistry } from './apps/registry.ts';
import { checkWebExposure } from './apps/webExposure.ts';
import type { Membership } from './cluster/membership.ts';
import { openStorage } from './cluster/storage.ts';
import { platformEnvironment, ScriptEndpoints, type ScriptEndpointsOptions } from './drivers/scriptEndpoints.ts';
import { Faults, faultRoutes } from './faults/faults.ts';
import { holderOfPort } from './home/holders.ts';
import { type Home, LOCK, MEMBER_LOCK, openHome, PLATFORM_VERSION, StartError } from './home/home.ts';
import { openLog, type PlatformLog } from './home/log.ts';
import type { CertificateKind } from './http/certificate.ts';
import { Dispatcher } from './http/dispatcher.ts';
import { managementTls } from './http/managementTls.ts';
import { startServer } from './http/server.ts';
import { contextRoutes } from './identity/contextEndpoint.ts';
import { Identity } from './identity/identity.ts';
import { loginRoutes } from './identity/loginEndpoints.ts';
import { ensureAdmin, type GeneratedPassword } from './identity/passwords/adminPassword.ts';
import { roleRoutes } from './identity/roleEndpoints.ts';
import { tokenRoutes } from './identity/tokenEndpoints.ts';
import { userRoutes } from './identity/userEndpoints.ts';
import { SYSTEM_USER } from './identity/users.ts';
import { installApp } from './install/install.ts';
import { type AppSource, folderSource, packageSource } from './install/source.ts';
import { kvEndpoints } from './kv/endpoints.ts';
import { kvStatus } from './kv/status.ts';
import { kvStatusRoutes } from './kv/statusEndpoint.ts';
import { type KvVariants, STRICT } from './kv/variants.ts';
import { messageRoutes } from './messages/endpoints.ts';
import { passwordEndpoints } from './passwords/endpoints.ts';
import { type ScsTenant, scsRoutes } from './scs/endpoints.ts';
import { jobLink } from './search/endpoints/jobLink.ts';
import { platformSearch } from './search/platformSearch.ts';
import { serverRoutes } from './server/endpoints.ts';
import type { WebOptions, WebSide, WebSideOptions } from './web/server.ts';

export interface PlatformOptions {
  home: string;
  /** Default 127.0.0.1. */
  host?: string;
  /** 0 = any free one. */
  port: number;
  tls: boolean;
  /** Default `named`. */
  certificate?: CertificateKind | undefined;
  adminPassword?: string | undefined;
  maxDrivers?: number;
  /** Options of the drivers of some endpoints, by the `match` of their stanza. */
  pools?: ScriptEndpointsOptions['pools'];
  idleSeconds?: number;
  /** Folder of a built app to install at start; by default only the apps in the home. */
  app?: string | undefined;
  /** A packed app (.spl), instead of `app`. */
  package?: string | undefined;
  /** The environment of drivers; default that of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Start each search command with getinfo only before its run, as splunkd does. Default true. */
  probeCommands?: boolean;
  /** How long a search command may take to exit after its input closed, and again after SIGTERM; default 5000. */
  commandGraceMs?: number;
  /** Options of the web side; none without it. */
  web?: WebOptions | undefined;
  /** Contested behaviour of the KV store; the stricter one by default. */
  kv?: Partial<KvVariants>;
  /** The tenant in Splunk's cloud; none on premises. */
  scs?: ScsTenant | undefined;
  /** The clock of scheduled searches, epoch milliseconds; with it, they run only when `runScheduled` is called. */
  now?: (() => number) | undefined;
  /** As a member of a cluster. */
  members?: Membership;
}

export interface Platform {
  /** `https://127.0.0.1:8089` */
  url: string;
  port: number;
  /** Address of the web side, if there is one. */
  web: { url: string; port: number } | undefined;
  home: string;
  /** The file with the password of `admin`, if this platform generated it. */
  generatedPassword: GeneratedPassword | undefined;
  /** Runs the saved searches that are due up to now, in order, and waits for their alert actions; those that it began. */
  runScheduled(): Promise<BegunRun[]>;
  close(): Promise<void>;
}

/** Starts a platform on its data folder. Problems that the user must solve are thrown as StartError. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const source = await appSource(options);
  const home = openHome(options.home, options.members === undefined ? LOCK : MEMBER_LOCK);
  const undo: (() => Promise<void> | void)[] = [() => home.release()];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await assemble(options, home, source, undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

export async function appSource(options: Pick<PlatformOptions, 'app' | 'package'>): Promise<AppSource | undefined> {
  if (options.package !== undefined) return packageSource(options.package);
  return options.app === undefined ? undefined : folderSource(options.app);
}

async function assemble(
  options: PlatformOptions,
  home: Home,
  source: AppSource | undefined,
  undo: (() => Promise<void> | void)[],
  close: () => Promise<void>,
): Promise<Platform> {
  const { host = '127.0.0.1', tls, members } = options;
  const plan = members?.plan;
  const serverName = plan === undefined ? hostname() : `${hostname()}-${plan.number}`;
  const log = openLog(home.dir);
  if (source !== undefined) installApp(home.dir, source);
  const registry = readApps(home.dir);
  const apps = () => registry.all();
  // All members share one user database.
  const authFolder = join(plan?.root ?? home.dir, 'etc', 'auth');

  const identity = opened(home, () => new Identity(authFolder, apps, Date.now, members));
  undo.push(() => identity.close());
  const generatedPassword =
    plan?.first === false ? undefined : await ensureAdmin(identity, authFolder, options.adminPassword);
  const faults = new Faults();
  const secure = tls ? await managementTls(home.dir, authFolder, options.certificate) : undefined;
  const variants = { ...STRICT, ...options.kv };
  const storage = opened(home, () => openStorage({ home: home.dir, log, members, tls: secure?.client, variants }));
  const { kv, passwords } = storage;
  undo.push(() => storage.close());

  let port = options.port;
  let webPort: number | undefined;
  let webUrl: string | undefined;
  const startedAt = Date.now();
  const url = () => `${tls ? 'https' : 'http'}://${urlHost(host)}:${port}`;
  const scripts = startScripts({
    apps: apps(),
    home: home.dir,
    server: () => ({ rest_uri: url(), hostname: hostname(), servername: serverName, guid: home.guid }),
    systemToken: () => identity.systemToken,
    log,
    ...(options.maxDrivers === undefined ? {} : { maxDrivers: options.maxDrivers }),
    pools: options.pools,
    ...(options.idleSeconds === undefined ? {} : { idleSeconds: options.idleSeconds }),
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  undo.push(() => scripts.close());

  const facts = () => ({
    home: home.dir,
    guid: home.guid,
    name: serverName,
    startedAt,
    port,
    webPort,
    tls,
    kvStore: () => kvStatus(faults, kv),
    ...(members === undefined ? {} : { member: { holder: members.isHolder } }),
  });
  const { alerts, routes: searchRoutes } = platformSearch({
    home: home.dir,
    serverName,
    apps,
    identity,
    kv,
    faults,
    env: platformEnvironment(home.dir, options.env ?? process.env),
    splunkdUri: url,
    version: PLATFORM_VERSION,
    log,
    webUri: () => webUrl ?? `http://${hostname()}:8000`,
    now: options.now ?? Date.now,
    alertState: join(plan?.root ?? home.dir, 'var', 'run', 'splunk', 'alerts.sqlite'),
    ...(options.probeCommands === undefined ? {} : { probe: options.probeCommands }),
    ...(options.commandGraceMs === undefined ? {} : { graceMs: options.commandGraceMs }),
  });
  const routes = [
    ...loginRoutes(identity),
    ...contextRoutes(identity),
    ...userRoutes(identity),
    ...roleRoutes(identity),
    ...tokenRoutes(identity),
    ...serverRoutes(facts),
    ...kvStatusRoutes(facts),
    ...scsRoutes(options.scs),
    ...messageRoutes(identity),
    ...appRoutes(registry),
    ...kvEndpoints({ kv, apps, faults, log }),
    ...passwordEndpoints({ store: passwords, apps, faults, log }),
    ...searchRoutes,
    ...faultRoutes(faults),
    ...storage.routes,
  ];
  const userExists = (name: string) => name === SYSTEM_USER || identity.users.get(name) !== undefined;
  const dispatcher = new Dispatcher({ routes, scripts, userExists, apps, headers: jobLink });
  const management = startServer({ host, port, tls: secure?.server, identity, dispatcher, log });
  const server = await listening(management, host, port, 'ML_PORT');
  port = server.port;
  undo.push(() => server.close());
  // While the server still answers: drivers write what they have counted.
  undo.push(() => scripts.close());
  const web = await startWeb(options.web, {
    host,
    apps,
    mainApp: source?.name,
    identity,
    management: url,
    tls: secure?.client,
    log,
  });
  webPort = web?.port;
  webUrl = web?.url;
  undo.push(() => web?.close());
  storage.start();
  // Closed first, since it ends requests that wait for a job.
  undo.push(() => alerts.close());
  // With a clock of its own, a test says when searches run.
  if (options.now === undefined) alerts.start();
  log.write('INFO', 'loader', `Server started on ${url()}`);
  undo.push(() => log.write('INFO', 'loader', 'Server is shutting down'));
  const { runScheduled } = alerts;
  return { url: url(), port, web, home: home.dir, generatedPassword, runScheduled, close };
}

/** A store that cannot be opened (newer version, read-only, damaged) is reported to the user. */
function opened<T>(home: Home, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new StartError(`The data folder ${home.dir} cannot be used: ${(error as Error).message}`);
  }
}

function readApps(home: string): AppRegistry {
  const registry = new AppRegistry(home);
  try {
    checkWebExposure(registry.all());
  } catch (error) {
    throw new StartError((error as Error).message);
  }
  return registry;
}

function startScripts(
  options: ConstructorParameters<typeof ScriptEndpoints>[0] & { log: PlatformLog },
): ScriptEndpoints {
  try {
    return new ScriptEndpoints(options);
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

async function startWeb(
  web: WebOptions | undefined,
  options: Omit<WebSideOptions, keyof WebOptions>,
): Promise<WebSide | undefined> {
  if (web === undefined) return undefined;
  // Loaded lazily: most platforms are started by tests without it.
  const { loopback, startWebSide } = await import('./web/server.ts');
  return listening(startWebSide({ ...web, ...options }), loopback(options.host), web.port, 'ML_WEB_PORT');
}

async function listening<T>(start: Promise<T>, host: string, port: number, variable: string): Promise<T> {
  try {
    return await start;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const remedy = `(set ${variable} to another one)`;
    if (code === 'EADDRINUSE') {
      const holder = holderOfPort(port);
      const who = holder === undefined ? '' : ` It is taken by ${holder}.`;
      throw new StartError(`Port ${port} of ${host} is in use ${remedy}.${who}`);
    }
    if (code === 'EACCES') throw new StartError(`Port ${port} of ${host} may not be opened by this user ${remedy}.`);
    throw new StartError(`The address ${host}:${port} cannot be opened: ${message}`);
  }
}

/** An address that clients can connect to, also when the server listens on a wildcard. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
