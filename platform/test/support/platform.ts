import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Platform, type PlatformOptions, startPlatform } from '../../src/platform.ts';

export const ADMIN_PASSWORD = 'admin-of-tests';

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'embedded-'));
}

export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: name.startsWith('bin/') ? 0o755 : 0o644 });
  }
}

/** An app with a persistent handler that answers with the request block it got. */
export const FIXTURE_APP: Record<string, string> = {
  'default/app.conf': '[package]\nid = fixture\n\n[launcher]\nversion = 1.2.3\n\n[ui]\nlabel = Fixture\n',
  'default/restmap.conf':
    '[script:echo]\nmatch = /echo\nscripttype = persist\ndriver = echo\nscript = echo.mjs\noutput_modes = json\n' +
    'passPayload = true\npassHttpHeaders = true\npassSystemAuth = true\n',
  'default/authorize.conf':
    '[capability::run_fixture]\n\n[role_fixture_user]\nimportRoles = user\nrun_fixture = enabled\n\n' +
    '[role_admin]\nrun_fixture = enabled\n',
  'default/fixture.conf': '[default]\ncommon = yes\n\n[shipped]\nplace = default\nsize = 1\n',
  'metadata/default.meta':
    '[]\naccess = read : [ * ], write : [ admin ]\nexport = none\n\n[fixture/hidden]\naccess = read : [ admin ], write : [ admin ]\n',
  'bin/echo': `#!${process.execPath}
let rest = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (;;) {
    let at = 1;
    const read = () => {
      const end = rest.indexOf(10, at);
      if (end < 0) return undefined;
      const value = Number(rest.subarray(at, end).toString());
      at = end + 1;
      return value;
    };
    const text = () => {
      const length = read();
      if (length === undefined || rest.length < at + length) return undefined;
      at += length;
      return rest.subarray(at - length, at).toString();
    };
    if (rest.length === 0) return;
    const pieces = read();
    if (pieces === undefined) return;
    let block;
    for (let index = 0; index < pieces + 2; index += 1) {
      block = text();
      if (block === undefined) return;
    }
    rest = rest.subarray(at);
    const reply = JSON.stringify({ status: 200, payload: JSON.parse(block) });
    process.stdout.write('0\\n' + Buffer.byteLength(reply) + '\\n' + reply);
  }
});
`,
};

export interface TestPlatform extends Platform {
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

export interface CallOptions {
  form?: Record<string, string | string[]>;
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** `user:password`; null = no credentials; default the administrator. */
  as?: string | null;
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely by tests
  json: any;
}

export async function startTestPlatform(options: Partial<PlatformOptions> & { home: string }): Promise<TestPlatform> {
  const platform = await startPlatform({ port: 0, tls: false, adminPassword: ADMIN_PASSWORD, ...options });
  return { ...platform, call: (method, path, more) => call(platform.url, method, path, more) };
}

/** A home with the fixture app in it, started; `stop` also removes the folder. */
export async function startFixture(
  options: Partial<PlatformOptions> = {},
): Promise<{ platform: TestPlatform; stop(): Promise<void> }> {
  const home = temporaryFolder();
  writeFiles(join(home, 'etc', 'apps', 'fixture'), FIXTURE_APP);
  const platform = await startTestPlatform({ ...options, home });
  return {
    platform,
    stop: async () => {
      await platform.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const { form, as = `admin:${ADMIN_PASSWORD}`, headers = {} } = options;
  const fields = Object.entries(form ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const body = form === undefined ? options.body : new URLSearchParams(fields).toString();
  const all: Record<string, string> = { ...headers };
  if (form !== undefined) all['Content-Type'] = 'application/x-www-form-urlencoded';
  if (as !== null) all.Authorization ??= `Basic ${Buffer.from(as).toString('base64')}`;
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https') ? requestHttps : requestHttp;
    const { hostname, port } = new URL(url);
    const outgoing = request(
      { hostname, port, method, path, headers: all, agent: false, rejectUnauthorized: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = String(response.headers['content-type']).includes('json');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            get json() {
              return isJson ? JSON.parse(text) : undefined;
            },
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
