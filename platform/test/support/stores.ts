import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApp } from '../../src/apps/apps.ts';
import type { HostedApp } from '../../src/apps/hostedApp.ts';
import { Faults } from '../../src/faults/faults.ts';
import { PlatformError } from '../../src/http/reply.ts';
import type { PlatformCaller, PlatformRequest } from '../../src/http/request.ts';
import { RouteTable } from '../../src/http/route.ts';
import { localKv } from '../../src/kv/calls.ts';
import { kvEndpoints } from '../../src/kv/endpoints.ts';
import { KvStore } from '../../src/kv/store/store.ts';
import { type KvVariants, STRICT } from '../../src/kv/variants.ts';
import { passwordEndpoints } from '../../src/passwords/endpoints.ts';
import { PasswordStore } from '../../src/passwords/store.ts';
import { requestOf } from './platformRequest.ts';

/** A home with the apps `search`, `other` and `system`, and the routes of both stores, without a server around them. */
export interface Bench {
  home: string;
  faults: Faults;
  logged: string[];
  call(method: string, url: string, options?: CallOptions): Promise<Reply>;
  restart(): void;
  close(): void;
}

export interface CallOptions {
  caller?: PlatformCaller;
  json?: unknown;
  body?: string | Buffer;
  form?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Reply {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of many shapes
  json: any;
}

export function caller(user: string, roles: string[], ...capabilities: string[]): PlatformCaller {
  return {
    user,
    realname: '',
    email: '',
    roles,
    effectiveRoles: roles.includes('boss') ? [...roles, 'keeper'] : roles,
    capabilities: new Set(capabilities),
    authtoken: 't',
    system: false,
  };
}

export const ADMIN = caller(
  'admin',
  ['admin'],
  'admin_all_objects',
  'edit_storage_passwords',
  'list_storage_passwords',
);
export const BOB = caller('bob', ['user']);

export function makeBench(files: Record<string, string> = {}, variants: Partial<KvVariants> = {}): Bench {
  const home = mkdtempSync(join(tmpdir(), 'stores-'));
  for (const app of ['search', 'other', 'system']) {
    mkdirSync(join(home, app === 'system' ? 'etc/system/local' : `etc/apps/${app}/local`), { recursive: true });
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const apps: HostedApp[] = [
    createApp('search', join(home, 'etc/apps/search')),
    createApp('other', join(home, 'etc/apps/other')),
    createApp('system', join(home, 'etc/system')),
  ];
  const faults = new Faults();
  const logged: string[] = [];
  const log = { write: (...line: string[]) => void logged.push(line.join(' ')) };
  const start = () => {
    const kv = new KvStore(home);
    const passwords = new PasswordStore(home);
    const shared = { apps: () => apps, faults, log };
    const routes = [
      ...kvEndpoints({ ...shared, kv: localKv(kv, { ...STRICT, ...variants }) }),
      ...passwordEndpoints({ ...shared, store: passwords }),
    ];
    return { kv, passwords, table: new RouteTable(routes) };
  };
  let running = start();
  const stop = (): void => {
    running.kv.close();
    running.passwords.close();
  };
  return {
    home,
    faults,
    logged,
    call: (method, url, options = {}) => call(running.table, method, url, options),
    restart: () => {
      stop();
      running = start();
    },
    close: () => {
      stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function call(table: RouteTable, method: string, url: string, options: CallOptions): Promise<Reply> {
  const req = request(method, url, options);
  const match = table.match(method, req.segments);
  if (match?.kind !== 'found') throw new Error(`no route for ${method} ${url}`);
  try {
    const reply = await match.route.handle(req, match.params);
    const text = String(reply.body ?? '');
    return { status: reply.status, text, json: text.startsWith('<') || text === '' ? undefined : JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { status: error.status, text: error.messages[0]?.text ?? '', json: { messages: error.messages } };
  }
}

function request(method: string, url: string, options: CallOptions): PlatformRequest {
  const { pathname, searchParams } = new URL(url, 'http://platform');
  const all = pathname.split('/').filter((part) => part !== '');
  const namespaced = all[0] === 'servicesNS';
  const [user, app] = all.slice(1).map(decodeURIComponent);
  const ns = { ...(user && user !== '-' ? { user } : {}), ...(app && app !== '-' ? { app } : {}) };
  return requestOf({
    method,
    path: `/${all.slice(namespaced ? 3 : 1).join('/')}`,
    ...(namespaced ? { ns } : {}),
    query: [...searchParams],
    form: Object.entries(options.form ?? {}),
    body: options.body ?? (options.json === undefined ? '' : JSON.stringify(options.json)),
    headers: { host: 'platform' },
    caller: options.caller ?? ADMIN,
    outputMode: searchParams.get('output_mode') ?? 'json',
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}
