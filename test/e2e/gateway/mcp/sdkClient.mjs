// Lists and calls tools through the gateway with an official SDK: <package file> <url> <session> [mode]. Prints one JSON line.
// <url> is `stdio:` and a program with its arguments as JSON for a client that starts its server.
const [, , library, url, session, mode] = process.argv;
const { Client } = await import(`${library}/client/index.js`).catch(() => import(library));
const http = await import(`${library}/client/streamableHttp.js`).catch(() => import(library));
const CALLS = [
  ['everything__echo', { message: 'hi' }],
  ['fast__add', { a: 1, b: 2 }],
  ['sse__echo', { message: 'hi' }],
  ['modern__echo', {}],
];

async function transport() {
  if (!url.startsWith('stdio:')) {
    const requestInit = { headers: { Authorization: `Splunk ${session}` } };
    return new http.StreamableHTTPClientTransport(new URL(url), { requestInit });
  }
  const { StdioClientTransport } = await import(`${library}/client/stdio.js`);
  const [command, ...args] = JSON.parse(url.slice('stdio:'.length));
  return new StdioClientTransport({ command, args, stderr: 'ignore', env: process.env });
}

const client = new Client(
  { name: 'test', version: '1' },
  mode ? { versionNegotiation: { mode: mode === 'auto' ? 'auto' : { pin: mode } } } : {},
);
await client.connect(await transport());
const names = [];
let cursor;
do {
  const page = await client.listTools(cursor === undefined ? {} : { cursor });
  names.push(...page.tools.map(({ name }) => name));
  cursor = page.nextCursor;
} while (cursor !== undefined);
const texts = [];
for (const [name, args] of [...CALLS, ['fast__add', { a: 'x', b: 2 }]]) {
  const { isError = false, content } = await client.callTool({ name, arguments: args });
  texts.push([isError, content[0].text]);
}
const unknown = await client.callTool({ name: 'none__none', arguments: {} }).then(
  () => null,
  (error) => error.message,
);
process.stdout.write(`${JSON.stringify({ names, texts, unknown })}\n`);
await client.close();
