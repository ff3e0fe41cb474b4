import { join, resolve } from 'node:path';
import type { HostedApp } from '../apps/hostedApp.ts';
import type { PlatformLog } from '../home/log.ts';
import { PlatformError, type PlatformReply } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import { encodePacket } from './frames.ts';
import { type DriverPoolOptions, type DriverPoolSnapshot, DriverPools } from './pool.ts';
import { DriverBusy, DriverFailure } from './process.ts';
import { BadDriverReply, translateDriverReply } from './reply.ts';
import { buildRequestBlock, type ServerFacts } from './requestBlock.ts';
import { findEndpoint, loadScriptEndpoints, type ScriptEndpoint } from './restmap.ts';

export interface ScriptEndpointsOptions {
  apps: readonly HostedApp[];
  /** $SPLUNK_HOME. */
  home: string;
  server(): ServerFacts;
  /** Session key of splunk-system-user, for stanzas with passSystemAuth. */
  systemToken(): string;
  log: PlatformLog;
  /** Maximum processes per driver config; default 2. */
  maxDrivers?: number;
  /** Options of the pools of some endpoints, by the `match` of their stanza. */
  pools?: Readonly<Record<string, Partial<DriverPoolOptions>>> | undefined;
  /** Idle time after which a process is stopped; default 60, as on splunkd. */
  idleSeconds?: number;
  /** Timeout after which a request gets 500 and its process is killed; default 600. */
  requestTimeoutSeconds?: number;
  /** The environment of drivers besides SPLUNK_HOME and SPLUNK_DB; default that of this process. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** The base environment of every child process. */
export function platformEnvironment(
  home: string,
  inherited: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return { ...inherited, SPLUNK_HOME: home, SPLUNK_DB: join(home, 'var', 'lib', 'splunk') };
}

/** The REST endpoints of the hosted apps: checks the request, runs it in a driver and translates the reply. */
export class ScriptEndpoints {
  readonly #options: ScriptEndpointsOptions;
  readonly #endpoints: ScriptEndpoint[];
  readonly #pools: DriverPools;
  /** Running requests, for stanzas with maxConcurrent. */
  readonly #inHand = new Map<string, number>();

  /** Reads every app's restmap.conf; throws an Error naming app and stanza of an invalid one. */
  constructor(options: ScriptEndpointsOptions) {
    this.#options = options;
    const home = resolve(options.home);
    const env = platformEnvironment(home, options.env ?? process.env);
    this.#endpoints = loadScriptEndpoints(options.apps, env);
    this.#pools = new DriverPools({
      env,
      // splunkd's working directory is not documented; the root exposes drivers that rely on one.
      cwd: '/',
      log: options.log,
      requestTimeoutMs: (options.requestTimeoutSeconds ?? 600) * 1000,
      ...(options.maxDrivers === undefined ? {} : { maxDrivers: options.maxDrivers }),
      ...(options.idleSeconds === undefined ? {} : { idleSeconds: options.idleSeconds }),
    });
  }

  /** The endpoint for a decoded path after `/services` or `/servicesNS/{user}/{app}`. */
  find(servicePath: string): ScriptEndpoint | undefined {
    return findEndpoint(this.#endpoints, servicePath);
  }

  /** Handles a request; throws a PlatformError if it is refused or fails. */
  async handle(endpoint: ScriptEndpoint, req: PlatformRequest): Promise<PlatformReply> {
    checkAccess(endpoint, req);
    const release = this.#enter(endpoint, req);
    try {
      return await this.#ask(endpoint, req);
    } catch (error) {
      if (error instanceof DriverBusy) throw new PlatformError(503, error.message);
      if (error instanceof DriverFailure) throw new PlatformError(500, error.message);
      if (!(error instanceof BadDriverReply)) throw error;
      this.#options.log.write('ERROR', 'PersistentScript', `[${endpoint.stanza}] of ${endpoint.app}: ${error.message}`);
      throw new PlatformError(500, error.message);
    } finally {
      release();
    }
  }

  /** The current driver processes. */
  snapshot(): DriverPoolSnapshot[] {
    return this.#pools.snapshot();
  }

  /** Stops all drivers. Later requests are refused. */
  close(): Promise<void> {
    return this.#pools.close();
  }

  async #ask(endpoint: ScriptEndpoint, req: PlatformRequest): Promise<PlatformReply> {
    if (!endpoint.driver) {
      const where = `[${endpoint.stanza}] of app ${endpoint.app}`;
      throw new PlatformError(500, `${where} names no driver, and the embedded platform runs no Python handlers.`);
    }
    const { server, systemToken, pools } = this.#options;
    const block = buildRequestBlock(endpoint, req, server(), systemToken);
    const packet = encodePacket(endpoint.command, endpoint.commandArg, JSON.stringify(block));
    const own = pools?.[endpoint.match];
    const frame = await this.#pools.request(endpoint.driver, packet, req.signal, req.caller?.user, own);
    return translateDriverReply(frame, req.connection.ssl);
  }

  #enter(endpoint: ScriptEndpoint, req: PlatformRequest): () => void {
    const limit = endpoint.maxConcurrent;
    if (limit === undefined) return () => {};
    const key = JSON.stringify([endpoint.app, endpoint.stanza, req.caller?.user ?? null]);
    const count = this.#inHand.get(key) ?? 0;
    if (count >= limit) throw new PlatformError(429, 'Too many concurrent requests to this endpoint.');
    this.#inHand.set(key, count + 1);
    return () => {
      const left = (this.#inHand.get(key) ?? 1) - 1;
      if (left > 0) this.#inHand.set(key, left);
      else this.#inHand.delete(key);
    };
  }
}

/** Checks that splunkd makes before it calls a driver. */
function checkAccess(endpoint: ScriptEndpoint, req: PlatformRequest): void {
  const rule = endpoint.capability(req.method);
  if (!req.caller && (endpoint.requireAuthentication || rule)) {
    throw new PlatformError(401, 'Unauthorized', 'ERROR', [['WWW-Authenticate', 'Basic realm="/splunk"']]);
  }
  if (!rule || req.caller?.system) return;
  if (!req.caller || !rule.allows(req.caller.capabilities)) {
    throw new PlatformError(403, 'insufficient permission to access this resource', 'WARN');
  }
}
