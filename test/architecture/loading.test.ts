import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build, type Metafile } from 'esbuild';
import { entryOf, loadedWith } from '../../src/codegen/bundle/loaded.ts';
import { oneChunk } from '../../src/codegen/bundle/oneChunk.ts';
import { drivers } from '../../src/driver/table.ts';
import { builtApp } from '../support/e2e/build.ts';
import { root, sources } from './sources.ts';

/** The programs, which act when they are started; everything else only defines. */
const ACTING = [
  ...['alertAction', 'imagePull', 'onnxRunner', 'searchCommand'].map((name) => `src/main/${name}.ts`),
  'platform/src/main.ts',
];

/** Nothing but names of libraries; what a library does when it is loaded (the AWS clients set a global) is its own. */
const NAMES_OF_LIBRARIES = /^src\/adapters\/aws\/sdk\//;

/** Loaded by the one adapter that needs them, at its first use. */
const HEAVY = [
  /node_modules\/axios\//,
  /node_modules\/@modelcontextprotocol\/client\//,
  /node_modules\/dockerode\//,
  /node_modules\/@kubernetes\/client-node\//,
  /node_modules\/@aws-sdk\//,
  /node_modules\/@smithy\//,
];
/** What a search command starts with. */
const COMMAND =
  /^src\/((main|search|contract|domain|ports)\/|predictions\/rows\/|app\/dependencies\/(ownApi|clock|models\/\w+)\.ts$)/;
/** At build time only. */
const NEVER = [/node_modules\/typebox\//, /^platform\//, /src\/codegen\//];
/** The gateway checks schemas of callers with it; the rows of the app are compiled by the build. */
const COMPILER = /node_modules\/ajv\/dist\/(?!runtime)/;

/** Inputs of the entry and of what it imports statically: what every start pays for. */
function startup({ outputs }: Metafile, main = 'src/main/restDriver.ts'): string[] {
  return loadedWith(outputs, entryOf(outputs, main)).flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
}

/** Inputs of the entry and of everything that it imports, also later. */
function reachable({ outputs }: Metafile, main: string): string[] {
  const found = new Set([entryOf(outputs, main)]);
  for (const path of found)
    for (const { path: next, external } of outputs[path]?.imports ?? []) if (!external) found.add(next);
  return [...found].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
}

describe('loading', () => {
  let metafile: Metafile;
  before(() => {
    builtApp();
    metafile = JSON.parse(readFileSync(join(root, 'build/metafile.json'), 'utf8')) as Metafile;
  });

  it('a start of the driver loads none of the heavy libraries', () => {
    const inputs = startup(metafile);
    expect(inputs).to.include.members(['src/main/restDriver.ts', 'src/rest/pipeline.ts', 'src/driver/serve.ts']);
    expect(inputs.filter((path) => HEAVY.some((library) => library.test(path)))).to.deep.equal([]);
  });

  it('a start of a search command loads nothing but the search commands', () => {
    const inputs = startup(metafile, 'src/main/searchCommand.ts');
    expect(inputs).to.include.members(['src/search/serve.ts', 'src/search/agentStatus.ts', 'src/search/mlHealth.ts']);
    expect(inputs.filter((path) => !COMMAND.test(path))).to.deep.equal([]);
  });

  it('a start of the alert action loads nothing but its own code and that of the search commands', () => {
    const inputs = startup(metafile, 'src/main/alertAction.ts');
    expect(inputs).to.include.members(['src/search/alert/runAlert.ts', 'src/search/csvTable.ts']);
    expect(inputs.filter((path) => !COMMAND.test(path))).to.deep.equal([]);
    expect(inputs).to.not.include('src/search/table.ts');
  });

  it('the gateway loads the libraries of masking behind an import() of their adapter', () => {
    const isLibrary = (path: string) => /node_modules\/(re2js|libphonenumber-js)\//.test(path);
    expect(reachable(metafile, 'src/main/gatewayDriver.ts').filter(isLibrary)).to.not.be.empty;
    const main = 'src/gateway/handlers.ts';
    const { outputs } = metafile;
    const chat = Object.keys(outputs).filter((path) => Object.hasOwn(outputs[path]?.inputs ?? {}, main));
    const early = chat
      .flatMap((path) => loadedWith(outputs, path))
      .flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
    expect(early).to.include(main);
    expect([...early, ...startup(metafile, 'src/main/gatewayDriver.ts')].filter(isLibrary)).to.deep.equal([]);
  });

  it('they are in the bundle all the same, behind an import() of an adapter', () => {
    const all = Object.keys(metafile.inputs);
    expect(all.some((path) => path.includes('node_modules/axios/'))).to.equal(true);
    expect(all.some((path) => path.includes('node_modules/@modelcontextprotocol/client/'))).to.equal(true);
  });

  it('the app ships no schema library and nothing of the embedded platform', () => {
    const found = Object.keys(metafile.inputs).filter((path) => NEVER.some((part) => part.test(path)));
    expect(found).to.deep.equal([]);
  });

  it('the driver of /ml never loads the gateway or the compiler of schemas', () => {
    const management = reachable(metafile, 'src/main/restDriver.ts');
    const gateway = reachable(metafile, 'src/main/gatewayDriver.ts');
    const isOfGateway = (path: string) => path.startsWith('src/gateway/') || COMPILER.test(path);
    expect(management.filter(isOfGateway)).to.deep.equal([]);
    expect(gateway).to.include('src/gateway/handlers.ts');
    // The compiler runs in a thread, which has a program of its own.
    expect(gateway.filter((path) => COMPILER.test(path))).to.deep.equal([]);
    expect(reachable(metafile, 'src/main/schemaChecker.ts')).to.include('node_modules/ajv/dist/ajv.js');
  });

  it('the runtime of uploaded models is in its own program alone, behind an import()', () => {
    const ofRuntime = (inputs: string[]) => inputs.filter((path) => path.includes('node_modules/onnxruntime'));
    const others = [
      ...drivers.map(({ entry }) => entry),
      'src/main/searchCommand.ts',
      'src/main/alertAction.ts',
      'src/main/imagePull.ts',
    ];
    expect(others.flatMap((main) => ofRuntime(reachable(metafile, main)))).to.deep.equal([]);
    expect(ofRuntime(startup(metafile, 'src/main/onnxRunner.ts'))).to.deep.equal([]);
    expect(ofRuntime(reachable(metafile, 'src/main/onnxRunner.ts'))).to.have.length(1);
    const files = readdirSync(join(builtApp(), 'bin/lib')).filter((name) => name.endsWith('.wasm'));
    expect(files).to.deep.equal(['ort-wasm-simd-threaded.wasm']);
  });

  it('a start loads no family either', () => {
    expect(startup(metafile).filter((path) => path.startsWith('src/families/'))).to.deep.equal([]);
    expect(startup(metafile).filter((path) => /^src\/adapters\/(?!splunkd)/.test(path))).to.deep.equal([]);
  });

  it('a first read of a record loads few files, and of no other family', () => {
    const mains = ['src/main/restDriver.ts', 'build/getMcpConnection.js', 'build/stored.ml_mcp_connections.js'];
    const family = ['src/families/mcp-connections/handlers.ts'];
    const { outputs } = metafile;
    const files = new Set([...mains, ...family].flatMap((main) => loadedWith(outputs, entryOf(outputs, main))));
    // Each file costs about as much as 20 KB in one that is loaded anyway.
    expect(files.size).to.be.at.most(15);
    const inputs = [...files].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
    const families = inputs.filter((path) => path.startsWith('src/families/')).map((path) => path.split('/')[2]);
    expect(new Set(families)).to.deep.equal(new Set(['mcp-connections']));
  });

  it('the imports that the bundler adds run no module before what it imports itself', async () => {
    const { metafile, outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: drivers.map(({ entry }) => entry),
      outdir: 'build',
      write: false,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      conditions: ['ml-bundle'],
      packages: 'external',
      metafile: true,
      plugins: [oneChunk(root)],
    });
    let compared = 0;
    const early: string[] = [];
    for (const { text } of outputFiles) {
      // Not minified, so a comment with its path stands before each module, and before its imports of packages.
      const comments = text.matchAll(/^\/\/ ((?:src|build)\/\S+)$/gm);
      const places = new Map([...comments].map(({ 1: path = '', index }) => [path, index]));
      for (const [path, place] of places)
        for (const { path: imported, kind, original } of metafile.inputs[path]?.imports ?? []) {
          if (kind !== 'import-statement' || original?.startsWith(root)) continue;
          compared += 1;
          if ((places.get(imported) ?? 0) > place) early.push(`${path} before ${imported}`);
        }
    }
    expect(early).to.deep.equal([]);
    expect(compared).to.be.greaterThan(100);
  });

  it('importing a module does nothing', async () => {
    const modules = ['src', 'platform/src']
      .flatMap((folder) => sources(folder).map((path) => join(folder, path)))
      .filter((path) => !ACTING.includes(path) && !NAMES_OF_LIBRARIES.test(path))
      .map((path) => pathToFileURL(join(root, path)).href);
    const script = `
      const before = { listeners: process.eventNames().length, globals: Object.keys(globalThis).length };
      const effects = [];
      for (const name of ['setTimeout', 'setInterval']) {
        const real = globalThis[name];
        globalThis[name] = (...args) => { effects.push(name); return real(...args); };
      }
      const found = [];
      for (const url of ${JSON.stringify(modules)}) {
        effects.length = 0;
        await import(url);
        if (effects.length > 0) found.push([url, ...effects]);
        // What stays alive after the module was loaded; pipes are our own.
        const alive = process.getActiveResourcesInfo().filter((each) => !/Pipe|TTY|FSReq|CloseReq/.test(each));
        if (alive.length > 0) found.push([url, ...alive]);
      }
      process.stdout.write(JSON.stringify({ found, listeners: process.eventNames().length - before.listeners,
        globals: Object.keys(globalThis).length - before.globals }));
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (chunk) => out.push(String(chunk)));
    child.stderr.on('data', (chunk) => err.push(String(chunk)));
    const [code] = await once(child, 'close');
    expect([code, err.join('')]).to.deep.equal([0, '']);
    // Nothing but this one line: no module wrote to stdout, and the process ended by itself.
    expect(JSON.parse(out.join(''))).to.deep.equal({ found: [], listeners: 0, globals: 0 });
  });
});
