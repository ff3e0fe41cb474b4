import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { certificateReader } from '../../../src/adapters/certificates/certificates.ts';
import { contract } from '../../../src/codegen/bundle/live.ts';
import { ContainerConnections } from '../../../src/families/containers/connections/service.ts';
import { engineTarget } from '../../../src/families/containers/connections/target.ts';
import { dockerAddress, logEndpoint } from '../../../src/families/containers/engines/dockerAddress.ts';
import { ENGINE_KINDS } from '../../../src/families/containers/engines/registry.ts';
import type { ConnectionInput } from '../../../src/families/containers/schemas.ts';
import { kube } from '../../suites/containers/kit.ts';
import { containerConnectionSuite } from '../../suites/containers/suite.ts';
import { sent } from '../../support/containers/sent.ts';
import { caller, MemoryPlatform, MemorySettings } from '../../support/memory/platform.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('container connections', () => containerConnectionSuite(inMemory));

describe('fields of a container connection', () => {
  it('reads a Docker address in every form', () => {
    const forms = {
      'unix:///run/d.sock': { socket: '/run/d.sock' },
      'unix://run/d.sock': { socket: '/run/d.sock' },
      '/run/d.sock': { socket: '/run/d.sock' },
      'tcp://h': { url: 'http://h:2375' },
      'tcp://H:2376': { url: 'https://h:2376' },
      'tcp://h:80': { url: 'http://h:80' },
      'http://h': { url: 'http://h:2375' },
      'https://h': { url: 'https://h:2376' },
      'https://[::1]:443/': { url: 'https://[::1]:443' },
    };
    for (const [text, address] of Object.entries(forms)) expect(dockerAddress(text), text).to.deep.equal(address);
    for (const bad of [
      '',
      'h',
      'unix://',
      'tcp://',
      'tcp://h/x',
      'tcp://u@h',
      'ssh://h',
      'unix:///a b',
      'http://h:1?x',
    ]) {
      expect(() => dockerAddress(bad), bad).to.throw();
    }
    expect(logEndpoint('h')).to.equal('https://h:8088');
    expect(logEndpoint('http://h:80')).to.equal('http://h:80');
  });

  describe('certificates', () => {
    const clientPair = makeCertificate();
    let folder = '/nowhere';
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'certificates-'));
      writeFileSync(join(folder, 'both.pem'), `${clientPair.key}${clientPair.cert}`);
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('may be PEM, base64 of PEM or a path, and pasted ones are stored as PEM', async () => {
      const connections = new ContainerConnections({
        stores: new MemoryPlatform().process(),
        plan: contract.plans.containers,
        certificates: certificateReader(async () => [folder]),
        settings: new MemorySettings(),
      });
      const base64 = (text: string) => Buffer.from(text).toString('base64');
      const path = join(folder, 'both.pem');
      const [plainCert, plainKey] = [clientPair.cert, clientPair.key].map((pem) => pem.replaceAll('\r', ''));
      const forms = [
        [clientPair.cert, clientPair.key, plainCert, plainKey],
        [base64(clientPair.cert), base64(clientPair.key), plainCert, plainKey],
        [path, path, path, path],
      ] as const;
      for (const [index, [cert, key, storedCert, storedKey]] of forms.entries()) {
        const input = { auth_mode: 'cert-key', client_cert: cert, client_key: key, connection_name: `form ${index}` };
        const draft = await connections.draft(await sent<ConnectionInput>('saveContainerConnection', kube(input)));
        const record = await connections.save(draft, caller('admin'), undefined);
        expect(record.client_cert).to.equal(storedCert);
        expect((await connections.sealed.unseal(record)).secrets.client_key).to.equal(storedKey);
        const target = await engineTarget(
          connections.certificates,
          ENGINE_KINDS.kubernetes,
          record,
          (await connections.sealed.unseal(record)).secrets,
          connections.loginServerOf(record),
        );
        expect(target).to.deep.include({
          identity: { mode: 'certificate', cert: plainCert, key: plainKey },
        });
      }
    });

    it('are read in any order, the certificate of the key first and each before its issuer', async () => {
      const root = makeCertificate({ ca: true });
      const between = makeCertificate({ ca: true, issuer: root });
      const own = makeCertificate({ names: ['client'], issuer: between });
      const stranger = makeCertificate({ ca: true });
      const plain = ({ cert }: { cert: string }) => cert.replaceAll('\r', '');
      const reader = certificateReader(async () => [folder]);
      const chain = [own, between, root].map(plain);
      for (const order of [
        [0, 1, 2],
        [2, 1, 0],
        [1, 0, 2],
        [2, 0, 1],
      ]) {
        const pem = (await reader.read(order.map((index) => chain[index]).join('')))?.pem ?? '';
        expect(pem, String(order)).to.equal(chain.join(''));
        expect(await reader.match(pem, own.key), String(order)).to.equal(true);
      }
      writeFileSync(join(folder, 'chain.pem'), [root, between, own].map(({ cert }) => cert).join('') + own.key);
      expect((await reader.read('chain.pem'))?.pem).to.equal(chain.join(''));
      const [, ...issuers] = chain;
      expect((await reader.read([...issuers, plain(stranger)].reverse().join('')))?.pem).to.equal(
        [plain(stranger), ...issuers].join(''),
      );
    });

    it('may have other keys than RSA', async () => {
      const reader = certificateReader(async () => []);
      for (const type of ['ec', 'ed25519'] as const) {
        const { privateKey } =
          type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
        const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
        expect(await reader.readKey(pem)).to.equal(pem);
        expect(await reader.match(clientPair.cert, pem)).to.equal(false);
      }
    });
  });
});
