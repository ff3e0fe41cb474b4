import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { FOLDER_ORDER, ROOMS } from '../../src/rooms.ts';
import { collections } from '../../src/table.ts';
import { type Import, importsOf, isInside, layerOf, read, root, sources, unreadImports } from './sources.ts';

/** The folder of a file within a folder; `.` for a file beside the folders. */
function folderOf(parent: string, path: string): string {
  const [folder = '.', ...below] = path.slice(parent.length + 1).split('/');
  return below.length > 0 ? folder : '.';
}

function wrongOrder({ from, to }: Import): string | undefined {
  for (const [parent, order] of Object.entries(FOLDER_ORDER)) {
    if (!from.startsWith(`${parent}/`) || !to.startsWith(`${parent}/`)) continue;
    const [own, target] = [order.indexOf(folderOf(parent, from)), order.indexOf(folderOf(parent, to))];
    if (own >= 0 && target > own) return `${parent}: ${order[own]} must not import ${order[target]}`;
  }
  return undefined;
}

const PUBLIC = /^families\/[^/]+\/public\.ts$/;
/** Parts of a family that the app loads one by one when they are asked for: its `public.ts` would load the others too. */
const LOADED_PARTS = /^families\/[^/]+\/(handlers|health|naming|migration)\.ts$/;

/** Whether a file may import this one of a family that it is not part of. */
function mayEnter({ from, to, dynamic }: Import): boolean {
  if (PUBLIC.test(to)) return true;
  const room = layerOf(from);
  if (room === 'app') return dynamic && LOADED_PARTS.test(to);
  // Schemas are loaded by the build alone, so the table and bodies of the gateway can hold those of a family.
  if (room === 'table.ts') return /\/(endpoints|definition|schemas|storedSchemas?|storedCounters)\.ts$/.test(to);
  return room === 'gateway' && /\/(schemas|endpoints)\.ts$/.test(from) && /\/(schemas|definition)\.ts$/.test(to);
}

function crossings(found: Import): string | undefined {
  const { from, to } = found;
  if (to.startsWith('@ml-extension/')) return 'the app knows nothing of the platform it runs on';
  if (!/^\.\.?\//.test(to) && !to.endsWith('.ts')) return undefined;
  // The version of the app stands in package.json.
  if (!isInside(to)) return from === 'contract/version.ts' && to === '../package.json' ? undefined : 'outside src';
  const [layer, target] = [layerOf(from), layerOf(to)];
  if (layer !== target && !ROOMS[layer]?.mayImport.includes(target)) return `${layer} does not know ${target}`;
  const order = wrongOrder(found);
  if (order) return order;
  const isOwn = layer === 'families' && from.split('/')[1] === to.split('/')[1];
  if (target === 'families' && !isOwn && !mayEnter(found)) return 'a family is known by its public.ts';
  if (layer === 'app' && target === 'rest' && !/\/(request|requestScope)\.ts$/.test(to)) {
    return 'app knows what a request is, not how it is served';
  }
  return undefined;
}

describe('layers', () => {
  const files = sources();

  it('every folder of src is one of them', () => {
    expect(files.length).to.be.above(100);
    expect([...new Set(files.map(layerOf))].filter((layer) => !Object.hasOwn(ROOMS, layer))).to.deep.equal([]);
  });

  it('no import crosses them', () => {
    const found = files.flatMap((path) => importsOf(path));
    expect(found.length).to.be.above(300);
    const bad = found.map((each) => [crossings(each), `${each.from} -> ${each.to}`] as const).filter(([why]) => why);
    expect(bad.map(([why, what]) => `${what}: ${why}`)).to.deep.equal([]);
  });

  it('every permitted import exists', () => {
    const pairs = new Set(
      files.flatMap((path) => importsOf(path)).map(({ from, to }) => `${layerOf(from)} -> ${layerOf(to)}`),
    );
    const permitted = Object.entries(ROOMS).flatMap(([room, { mayImport }]) =>
      mayImport.map((to) => `${room} -> ${to}`),
    );
    expect(permitted.filter((pair) => !pairs.has(pair))).to.deep.equal([]);
  });

  it('a crossing would be seen', () => {
    const from = (path: string, text: string) => importsOf(path, text).map(crossings).filter(Boolean);
    expect(from('domain/x.ts', "import { a } from '../adapters/splunkd/client.ts';")).to.have.length(1);
    expect(from('families/a/x.ts', "import type {\n  B,\n} from '../b/x.ts';")).to.have.length(1);
    expect(from('families/a/x.ts', "import { b } from '../b/public.ts';")).to.have.length(0);
    expect(from('families/a/x.ts', "import { b } from '../b/inner/public.ts';")).to.have.length(1);
    expect(from('families/agents/x.ts', "import { b } from '../vector-stores/public.ts';")).to.have.length(0);
    expect(from('families/vector-stores/x.ts', "import { b } from '../agents/public.ts';")).to.have.length(1);
    expect(from('families/vector-stores/x.ts', "await import('../agents/public.ts');")).to.have.length(1);
    expect(from('families/a/x.ts', "import { r } from '../../resources/resources.ts';")).to.have.length(0);
    expect(from('domain/x.ts', "import { r } from '../resources/resources.ts';")).to.have.length(1);
    expect(from('resources/x.ts', "import { a } from '../families/a/public.ts';")).to.have.length(1);
    expect(from('families/a/x.ts', "const b = await import('../../rest/router.ts');")).to.have.length(1);
    expect(from('gateway/a/x.ts', "import { S } from '../../families/a/schemas.ts';")).to.have.length(1);
    expect(from('gateway/a/schemas.ts', "import { S } from '../../families/a/definition.ts';")).to.have.length(0);
    expect(from('gateway/a/schemas.ts', "import { S } from '../../families/a/records.ts';")).to.have.length(1);
    expect(from('families/a/x.ts', "import { b } from './b.ts';\nimport '../../domain/acl.ts';")).to.have.length(0);
    expect(from('adapters/x.ts', "export { a } from '../../platform/src/apps/apps.ts';")).to.have.length(1);
    expect(from('main/x.ts', "import { startPlatform } from '../../platform/src/platform.ts';")).to.have.length(1);
    expect(from('main/x.ts', "import { startPlatform } from '@ml-extension/embedded-platform';")).to.have.length(1);
    expect(from('main/x.ts', "import { a } from '../adapters/splunkd/client.ts';")).to.have.length(1);
    expect(from('app/x.ts', "const a = await import('../families/a/handlers.ts');")).to.have.length(0);
    expect(from('app/x.ts', "import { a } from '../families/a/handlers.ts';")).to.have.length(1);
    expect(from('app/x.ts', "await import('../families/a/service.ts');")).to.have.length(1);
    expect(from('app/x.ts', "import type { A } from '../families/a/public.ts';")).to.have.length(0);
    expect(from('main/x.ts', "await import('../families/a/handlers.ts');")).to.have.length(1);
    expect(from('app/x.ts', "import { pipeline } from '../rest/pipeline.ts';")).to.have.length(1);
    expect(from('families/a/x.ts', "import type { Dependencies } from '../../app/dependencies.ts';")).to.have.length(1);
    expect(from('rest/x.ts', "import m from '../../package.json' with { type: 'json' };")).to.have.length(1);
    expect(from('table.ts', "import { h } from './families/a/handlers.ts';")).to.have.length(1);
    expect(from('table.ts', "import { e } from './families/a/endpoints.ts';")).to.have.length(0);
  });

  it('the order of folders names every folder', () => {
    const missing = Object.entries(FOLDER_ORDER).flatMap(([parent, order]) => {
      const folders = files.filter((path) => path.startsWith(`${parent}/`)).map((path) => folderOf(parent, path));
      return [...new Set(folders)]
        .filter((folder) => folder !== '.' && !order.includes(folder))
        .map((folder) => `${parent}/${folder}`);
    });
    expect(missing).to.deep.equal([]);
    expect(crossings({ from: 'domain/values/x.ts', to: 'domain/access/acl.ts' } as Import)).to.be.a('string');
    expect(crossings({ from: 'domain/access/x.ts', to: 'domain/values/json.ts' } as Import)).to.equal(undefined);
  });

  for (const top of ['src', 'test']) {
    it(`no folder of ${top} with code has more than 15 files`, () => {
      const folders = [...new Set(sources(top).map((path) => join(root, top, dirname(path))))];
      const isFull = (folder: string) =>
        readdirSync(folder, { withFileTypes: true }).filter((it) => it.isFile()).length > 15;
      expect(folders.filter(isFull)).to.deep.equal([]);
    });
  }

  it('no import escapes the reader of imports', () => {
    expect(files.flatMap((path) => unreadImports(path))).to.deep.equal([]);
  });

  it('a collection is named in one place beside the table: others ask that family what they want to know', () => {
    // The inventory of connections still reads these itself.
    const shared = ['ml_container_connections'];
    // `mlx doctor` alone uses this one.
    const unused = ['ml_doctor'];
    const homes = (name: string) => files.filter((path) => path !== 'table.ts' && read(path).includes(`'${name}'`));
    const wrong = Object.keys(collections)
      .filter((name) => !unused.includes(name))
      .map((name) => `${name}: ${homes(name).join(', ')}`)
      .filter((text) => text.includes(',') || text.endsWith(': '));
    expect(wrong.filter((text) => !shared.some((name) => text.startsWith(`${name}:`)))).to.deep.equal([]);
  });

  it('contract, ports, domain, predictions and resources know no library that does input or output', () => {
    const allowed: Record<string, RegExp> = {
      contract: /^typebox$/,
      ports: /^$/,
      domain: /^node:crypto$/,
      predictions: /^$/,
      // Types alone: the loading test keeps it out of the bundle.
      resources: /^typebox$/,
    };
    for (const path of files) {
      const rule = allowed[layerOf(path)];
      if (!rule) continue;
      const libraries = importsOf(path).filter(({ to }) => !to.endsWith('.ts') && !to.endsWith('.json'));
      expect(
        libraries.filter(({ to }) => !rule.test(to)).map(({ to }) => to),
        path,
      ).to.deep.equal([]);
    }
  });

  it('no file of src is longer than 300 lines', () => {
    const long = files
      .map((path) => [read(path).split('\n').length - 1, path] as const)
      .filter(([lines]) => lines > 300);
    expect(long.map(([lines, path]) => `${path}: ${lines} lines`)).to.deep.equal([]);
  });
});
