import { createHash } from 'node:crypto';
import { dependencyTree, type Lock, type ShippedPackage } from './shipped.ts';

interface App {
  name: string;
  version: string;
  description: string;
  license: string;
}

/**
 * The CycloneDX 1.6 SBOM. Reproducible: without a timestamp, and with a serial number derived from its content.
 * @param runtimes packages that contain the Node binary
 */
export function billOfMaterials(
  app: App,
  shipped: readonly ShippedPackage[],
  runtimes: readonly ShippedPackage[],
  lock: Lock,
): string {
  const self = `pkg:generic/${app.name}@${app.version}`;
  const tree = dependencyTree(shipped, lock);
  const components = [...shipped.map((each) => component('library', each)), ...runtimes.map(runtimeComponent)];
  const dependencies = [
    { ref: self, dependsOn: [...(tree.get('') ?? []), ...runtimes.map(({ purl }) => purl)] },
    ...shipped.map(({ purl }) => ({ ref: purl, dependsOn: tree.get(purl) ?? [] })),
    ...runtimes.map(({ purl }) => ({ ref: purl, dependsOn: [] })),
  ];
  const metadata = {
    component: {
      type: 'application',
      'bom-ref': self,
      name: app.name,
      version: app.version,
      description: app.description,
      licenses: [{ license: { id: app.license } }],
      purl: self,
    },
  };
  const content = { version: 1, metadata, components, dependencies };
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  // UUID version 8 (custom).
  const serial = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  const head = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: `urn:uuid:${serial}` };
  return `${JSON.stringify({ ...head, ...content }, null, 1)}\n`;
}

function component(type: string, { name, version, licence, integrity, purl }: ShippedPackage) {
  const { declared, id } = licence;
  const [, group, plain] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name) ?? [];
  return {
    type,
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name: plain,
    version,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: declared === id && !id.includes(' ') ? [{ license: { id } }] : [{ expression: declared }],
    purl,
  };
}

/** The CPE lets scanners find vulnerabilities of Node. */
const runtimeComponent = (runtime: ShippedPackage) => ({
  ...component('platform', runtime),
  cpe: `cpe:2.3:a:nodejs:node.js:${runtime.version}:*:*:*:*:*:*:*`,
});
