import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { certificateReader } from '../../src/adapters/certificates/certificates.ts';
import { CONNECTIONS, FAMILY } from '../../src/families/containers/connections/records.ts';
import { ContainerConnections } from '../../src/families/containers/connections/service.ts';
import { engineTarget } from '../../src/families/containers/connections/target.ts';
import { dockerAddress, logEndpoint } from '../../src/families/containers/engines/dockerAddress.ts';
import { ENGINE_KINDS, secretFields } from '../../src/families/containers/engines/registry.ts';
import type { ConnectionInput } from '../../src/families/containers/schemas.ts';
import { sent } from '../support/containers/sent.ts';
import { faultOf, fieldsOf } from '../support/fault.ts';
import { caller, MemoryPlatform, MemorySettings } from '../support/memory/platform.ts';
import { makeCertificate } from '../support/peers/certificates.ts';

const MASK = '***MASKED***';
const ADMIN = caller('admin');

describe('container connections', () => {
  let platform: MemoryPlatform;
  let connections: ContainerConnections;
  let folder = '/nowhere';
  const settings = new MemorySettings();

  beforeEach(() => {
    platform = new MemoryPlatform();
    const certificates = certificateReader(async () => [folder]);
    connections = new ContainerConnections({
      stores: platform.process(),
      secretPaths: Object.keys(secretFields(ENGINE_KINDS)),
      certificates,
      settings,
    });
  });

  const draftOf = async (input: object) =>
    connections.draft(await sent<ConnectionInput>('saveContainerConnection', input));
  const save = async (input: object, condition?: number) => connections.save(await draftOf(input), ADMIN, condition);
  const docker = (more: object = {}) => ({
    container_type: 'docker',
    connection_name: 'Local',
    docker_url: '/run/docker.sock',
    ...more,
  });
  const kube = (more: object = {}) => ({
    container_type: 'kubernetes',
    connection_name: 'Local',
    cluster_url: 'https://cluster.example:6443',
    auth_mode: 'user-token',
    user_token: 'user-token-secret',
    ...more,
  });
  const edit = (more: object = {}) => save(docker({ docker_url: undefined, is_edit: 'true', ...more }));

  it('fills in defaults and makes a token of 64 characters', async () => {
    const view = connections.view(await save(docker()));
    expect(view).to.include({ container_type: 'docker', container_enable_https: 'false', api_token: MASK, version: 1 });
    const [value = '{}'] = [...platform.secrets.values.values()];
    expect(JSON.parse(value).api_token).to.match(/^[A-Za-z0-9]{64}$/);
    expect(connections.view(await save(kube()))).to.include({
      namespace: 'default',
      in_cluster_mode: '0',
      service_type: 'nodeport',
      image_pull_secrets: 'None',
    });
  });

  it('keeps no secret in the record, and masks what is stored', async () => {
    const secrets = Object.fromEntries(
      Object.keys(secretFields(ENGINE_KINDS))
        .filter((name) => name !== 'client_key')
        .map((name) => [name, `canary-${name}`]),
    );
    const record = await save(docker({ ...secrets, docker_logging_endpoint_hostname: 'log' }));
    expect(platform.records.dump()).to.not.contain('canary');
    for (const name of Object.keys(secrets)) expect(connections.view(record)).to.have.property(name, MASK);
    expect(connections.view(record)).to.not.have.any.keys('secret_ref', 'secret_fields', '_key', 'is_edit');
    expect(platform.log.text()).to.not.contain('canary');
  });

  it('takes booleans and numbers for texts', async () => {
    const record = await save(
      docker({ platform_access_port: 8089, obs_enabled: true, container_enable_https: true, api_token: 12_345_678 }),
    );
    expect(record).to.include({ platform_access_port: '8089', obs_enabled: 'true', container_enable_https: 'true' });
    expect([...platform.secrets.values.values()][0]).to.contain('"api_token":"12345678"');
  });

  it('has names of their own for each type, without regard to case', async () => {
    await save(docker());
    await save(kube());
    expect((await faultOf(save(docker({ connection_name: 'LOCAL' })))).code).to.equal('duplicate_name');
    expect((await faultOf(edit({ connection_name: 'other' }))).code).to.equal('not_found');
    expect((await edit({ connection_name: 'LOCAL', endpoint_hostname_external: 'ext' })).connection_name).to.equal(
      'Local',
    );
  });

  it('merges an edit, honours its condition, and unsets with null or ""', async () => {
    await save(docker({ endpoint_hostname_external: 'ext', jupyter_passwd: 'hash', docker_network: 'net' }));
    const record = await edit({ docker_network: '', jupyter_passwd: null });
    expect(record).to.include({ endpoint_hostname_external: 'ext', docker_url: '/run/docker.sock', version: 2 });
    expect(record).to.not.have.property('docker_network');
    expect(record.secret_fields).to.deep.equal(['api_token']);
    expect((await edit({ container_enable_https: 'true' })).container_enable_https).to.equal('true');
    expect((await edit({ container_enable_https: '', api_token: '' })).container_enable_https).to.equal('false');
    expect((await faultOf(save(docker({ is_edit: 'true' }), 1))).code).to.equal('version_conflict');
    expect((await faultOf(edit({ is_edit: 'perhaps' }))).code).to.equal('validation_failed');
  });

  it('makes a token that is taken away anew, and keeps one that is masked or left out', async () => {
    await save(docker({ api_token: 'first-token' }));
    const stored = async () =>
      (await connections.sealed.unseal(await connections.get('docker', 'local'))).secrets.api_token;
    await edit({ api_token: MASK });
    await edit({});
    expect(await stored()).to.equal('first-token');
    await edit({ api_token: '' });
    expect(await stored()).to.match(/^[A-Za-z0-9]{64}$/);
    expect((await faultOf(save(docker({ connection_name: 'new', api_token: MASK })))).code).to.equal(
      'masked_value_without_stored_secret',
    );
  });

  describe('binding', () => {
    const secrets = {
      api_token: 't-api',
      obs_access_token: 't-obs',
      platform_access_token: 't-access',
      platform_ingest_token: 't-ingest',
      docker_logging_platform_token: 't-log',
    };
    const addresses = {
      docker_url: 'tcp://engine:2375',
      endpoint_hostname: 'inside',
      obs_otel_endpoint: 'http://otel:4317/v1',
      platform_access_host: 'platform',
      platform_access_port: '8089',
      platform_ingest_url: 'https://ingest:8088',
      docker_logging_endpoint_hostname: 'log',
    };
    beforeEach(() => save(docker({ ...addresses, ...secrets })));

    const BOUND: [object, string[]][] = [
      [{ docker_url: 'tcp://other:2375' }, Object.keys(secrets)],
      [{ docker_url: '/run/docker.sock' }, Object.keys(secrets)],
      [{ endpoint_hostname: 'elsewhere' }, ['api_token']],
      [{ endpoint_hostname: '' }, ['api_token']],
      [{ obs_otel_endpoint: 'http://other:4317' }, ['obs_access_token']],
      [{ platform_access_host: 'other' }, ['platform_access_token']],
      [{ platform_access_port: '1' }, ['platform_access_token']],
      [{ platform_ingest_url: 'http://ingest:8088' }, ['platform_ingest_token']],
      [{ docker_logging_endpoint_hostname: 'log:1' }, ['docker_logging_platform_token']],
    ];
    for (const [change, fields] of BOUND) {
      it(`${JSON.stringify(change)} asks for ${fields.join(', ')} anew`, async () => {
        for (const how of [{}, Object.fromEntries(fields.map((field) => [field, MASK]))]) {
          const fault = await faultOf(edit({ ...change, ...how }));
          expect(fault.code).to.equal('secret_required_for_new_host');
          expect(fieldsOf(fault)).to.have.members(fields);
        }
        await edit({ ...change, ...Object.fromEntries(fields.map((field) => [field, 'anew'])) });
      });
    }

    const FREE = [
      { endpoint_hostname_external: 'anywhere' },
      { docker_url: 'https://engine:2375' },
      { endpoint_hostname: 'INSIDE' },
      { obs_otel_endpoint: 'https://otel:4317/other' },
      { platform_ingest_url: 'https://INGEST:8088/path' },
      { docker_logging_endpoint_hostname: 'https://log:8088' },
      { container_enable_https: 'true' },
    ];
    for (const change of FREE) {
      it(`${JSON.stringify(change)} keeps every secret`, async () => {
        expect((await edit(change)).secret_fields).to.have.members(Object.keys(secrets));
      });
    }

    it('never goes from https to http', async () => {
      await edit({ container_enable_https: 'true' });
      expect((await faultOf(edit({ container_enable_https: 'false' }))).code).to.equal('secret_required_for_new_host');
    });
  });

  describe('rules', () => {
    const BAD: [object, string[]][] = [
      [docker({ docker_url: undefined }), ['docker_url']],
      [docker({ docker_url: 'ssh://h' }), ['docker_url']],
      [docker({ docker_url: 'tcp://u:p@h:1' }), ['docker_url']],
      [docker({ container_enable_https: 'yes please' }), ['container_enable_https']],
      [docker({ endpoint_hostname: 'http://h' }), ['endpoint_hostname']],
      [
        docker({ docker_logging_endpoint_hostname: 'h/path', docker_logging_platform_token: 't' }),
        ['docker_logging_endpoint_hostname'],
      ],
      [docker({ docker_logging_endpoint_hostname: 'h' }), ['docker_logging_platform_token']],
      [docker({ platform_access_port: '65536' }), ['platform_access_port']],
      [docker({ obs_otel_endpoint: 'otel:4317' }), ['obs_otel_endpoint']],
      [docker({ obs_enabled: 'maybe' }), ['obs_enabled']],
      [docker({ api_token: 'a\nb' }), ['api_token']],
      [docker({ client_cert: 'nonsense', client_key: 'nonsense' }), ['client_cert', 'client_key']],
      [kube({ auth_mode: undefined }), ['auth_mode']],
      [kube({ auth_mode: 'kerberos' }), ['auth_mode']],
      [kube({ cluster_url: undefined }), ['cluster_url']],
      [kube({ user_token: undefined }), ['user_token']],
      [kube({ auth_mode: 'cert-key' }), ['client_cert', 'client_key']],
      [kube({ auth_mode: 'user-login' }), ['user_name', 'user_password']],
      [kube({ auth_mode: 'cloud-iam' }), ['cloud_cluster_name', 'cloud_region_name']],
      [
        kube({
          auth_mode: 'cloud-iam',
          cloud_cluster_name: 'c',
          cloud_region_name: 'eu-west-1',
          cloud_access_key_id: 'a',
        }),
        ['cloud_secret_access_key'],
      ],
      [
        kube({ auth_mode: 'cloud-iam', cloud_cluster_name: 'c', cloud_region_name: 'evil.example/x' }),
        ['cloud_region_name'],
      ],
      [kube({ auth_mode: 'service-account' }), ['service_account_token']],
      [kube({ in_cluster_mode: 'true' }), ['in_cluster_mode']],
      [kube({ namespace: 'Not_OK' }), ['namespace']],
      [kube({ service_type: 'route' }), ['service_type']],
      [kube({ service_type: 'ingress' }), ['ingress_host_pattern']],
      [kube({ ingress_host_pattern: 'fixed.example.com' }), ['ingress_host_pattern']],
      [kube({ ingress_annotations: '[1]' }), ['ingress_annotations']],
      [kube({ ingress_annotations: '{"a":1}' }), ['ingress_annotations']],
      [kube({ image_pull_secrets: 'a, B!' }), ['image_pull_secrets']],
      [kube({ cluster_ca: '/no/such/file' }), ['cluster_ca']],
      [
        kube({ namespace: 'Not_OK', service_type: 'x', cluster_url: 'ftp://h' }),
        ['cluster_url', 'namespace', 'service_type'],
      ],
    ];
    for (const [input, fields] of BAD) {
      it(`${fields.join(', ')} in ${JSON.stringify(input).slice(17, 120)}`, async () => {
        const fault = await faultOf(save(input));
        expect(fault.code).to.equal('validation_failed');
        expect(fieldsOf(fault)).to.have.members(fields);
      });
    }

    it('takes the pod of the platform, and a cloud that describes its cluster', async () => {
      await save(
        kube({ cluster_url: undefined, user_token: undefined, auth_mode: 'service-account', in_cluster_mode: 1 }),
      );
      await save(
        kube({
          connection_name: 'eks',
          cluster_url: undefined,
          user_token: undefined,
          auth_mode: 'cloud-iam',
          cloud_cluster_name: 'c',
          cloud_region_name: 'us-gov-west-1',
        }),
      );
    });

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
  });

  describe('certificates', () => {
    const own = makeCertificate();
    const other = makeCertificate();
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'certificates-'));
      writeFileSync(join(folder, 'both.pem'), `${own.key}${own.cert}`);
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    const certKey = (client_cert: string, client_key: string) =>
      kube({ auth_mode: 'cert-key', client_cert, client_key });

    it('are PEM, base64 of PEM, or a path, and are kept as they were sent', async () => {
      const base64 = (text: string) => Buffer.from(text).toString('base64');
      const path = join(folder, 'both.pem');
      const forms = [
        [own.cert, own.key],
        [base64(own.cert), base64(own.key)],
        [path, path],
      ] as const;
      for (const [index, [cert, key]] of forms.entries()) {
        const record = await save({ ...certKey(cert, key), connection_name: `form ${index}` });
        expect(record.client_cert).to.equal(cert.trim());
        const target = await engineTarget(
          connections.certificates,
          ENGINE_KINDS.kubernetes,
          record,
          (await connections.sealed.unseal(record)).secrets,
        );
        expect(target).to.deep.include({
          identity: { mode: 'certificate', cert: `${own.cert.trim()}\n`, key: `${own.key.trim()}\n` },
        });
      }
    });

    it('have to match their key, on an edit with the stored one too', async () => {
      expect(fieldsOf(await faultOf(save(certKey(own.cert, other.key))))).to.deep.equal(['client_key']);
      await save(certKey(own.cert, own.key));
      const change = { container_type: 'kubernetes', connection_name: 'local', is_edit: true };
      expect(fieldsOf(await faultOf(save({ ...change, client_cert: other.cert })))).to.deep.equal(['client_key']);
      await save({ ...change, client_cert: other.cert, client_key: other.key });
    });

    it('may be of other kinds than RSA', async () => {
      const reader = certificateReader(async () => []);
      for (const type of ['ec', 'ed25519'] as const) {
        const { privateKey } =
          type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
        const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
        expect(await reader.readKey(pem)).to.equal(pem);
        expect(await reader.match(own.cert, pem)).to.equal(false);
      }
    });

    it('never hold a key, and warn before they expire', async () => {
      expect(fieldsOf(await faultOf(save(kube({ cluster_ca: `${own.cert}${own.key}` }))))).to.deep.equal([
        'cluster_ca',
      ]);
      const now = platform.clock.now();
      const day = 86_400_000;
      const soon = makeCertificate({ notBefore: new Date(now - day), notAfter: new Date(now + 10 * day) });
      const { warnings } = await connections.draft(kube({ cluster_ca: soon.cert }) as ConnectionInput);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^cluster_ca: the certificate expires on 2026-01-11$/);
    });
  });

  it('is not deleted while containers run through it', async () => {
    await save(docker());
    const runtime = { _key: 'm', model: 'M', connection_key: 'docker.local' };
    await platform.process().records.insert('ml_containers', runtime);
    const fault = await faultOf(connections.remove('docker', 'LOCAL', undefined));
    expect(fault.code).to.equal('in_use');
    expect(fault.extra.used_by).to.deep.equal(['M']);
    await platform.process().records.remove('ml_containers', 'm');
    await connections.remove('docker', 'LOCAL', undefined);
    expect(platform.orphans(CONNECTIONS)).to.deep.equal([]);
    expect(FAMILY).to.equal('containers');
  });
});
