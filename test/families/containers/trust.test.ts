import { expect } from 'chai';
import { contract } from '../../../src/codegen/bundle/live.ts';
import { movesEngine, reachOf } from '../../../src/families/containers/connections/addresses.ts';
import type { ConnectionStored } from '../../../src/families/containers/connections/records.ts';
import { ContainerConnections } from '../../../src/families/containers/connections/service.ts';
import { annotationProblem } from '../../../src/families/containers/engines/ingressAnnotations.ts';
import { ENGINE_KINDS } from '../../../src/families/containers/engines/registry.ts';
import type { ConnectionInput } from '../../../src/families/containers/schemas.ts';
import { faultOf, fieldsOf } from '../../support/fault.ts';
import { caller, MemoryPlatform, MemorySettings } from '../../support/memory/platform.ts';
import { patience } from '../../support/time.ts';

const ADMIN = caller('admin');

describe('validation of a container connection', () => {
  let platform: MemoryPlatform;
  let settings: MemorySettings;
  let connections: ContainerConnections;

  beforeEach(() => {
    platform = new MemoryPlatform();
    settings = new MemorySettings();
    connections = new ContainerConnections({
      stores: platform.process(),
      plan: contract.plans.containers,
      certificates: {
        read: async (text) => (text.includes('BEGIN') ? { pem: text, expiresAt: Date.UTC(2099, 0) } : undefined),
        readKey: async () => undefined,
        match: async () => true,
      },
      settings,
    });
  });

  const save = async (input: object): Promise<ConnectionStored> =>
    connections.save(await connections.draft(input as ConnectionInput), ADMIN, undefined);
  const BASES = {
    docker: { docker_url: 'https://engine:2376', jupyter_passwd: 'hash' },
    kubernetes: {
      cluster_url: 'https://cluster:6443',
      auth_mode: 'user-token',
      user_token: 't',
      jupyter_passwd: 'hash',
    },
  };
  type Type = keyof typeof BASES;
  const base = (type: Type) => ({ container_type: type, connection_name: 'c', ...BASES[type] });
  const edit = (type: Type, change: object) =>
    save({ container_type: type, connection_name: 'c', is_edit: 'true', ...change });

  describe('the engine in which containers run', () => {
    const anew = { api_token: 'a', jupyter_passwd: 'b', user_token: 'c' };
    const uses = (key: string) =>
      platform.process().records.insert('ml_containers', { _key: 'm', model: 'M', connection_key: key } as never);

    it('is the same under another name for its address', () => {
      expect(
        movesEngine(ENGINE_KINDS.kubernetes, { cluster_url: 'http://c:6443/' }, { cluster_url: 'https://C:6443' }),
      ).to.equal(false);
    });

    it('is identified by the reach in runtime records, whose format is stable', () => {
      const daemon = { docker_url: 'tcp://Engine:2376', container_enable_https: 'true' };
      expect(reachOf(ENGINE_KINDS.docker, daemon)).to.equal(
        '["https://engine:2376","https://engine/",null,null,null,null,"",null]',
      );
      const cluster = { cluster_url: 'https://c:6443', namespace: 'ns', service_type: 'nodeport' };
      expect(reachOf(ENGINE_KINDS.kubernetes, { ...cluster, ingress_host_pattern: '*.x.example' })).to.equal(
        '[null,null,"https://c:6443","http://c/","http://any.x.example/","ns","https://c:6443","nodeport"]',
      );
    });

    it('is compared again when the connection is written, since a container may have started during the test', async () => {
      await save(base('docker'));
      const change = {
        container_type: 'docker',
        connection_name: 'c',
        is_edit: 'true',
        docker_url: '/run/d.sock',
        ...anew,
      };
      const draft = await connections.draft(change as ConnectionInput);
      await uses('docker.c');
      expect((await faultOf(connections.save(draft, ADMIN, undefined))).code).to.equal('in_use');
    });
  });

  describe('rules', () => {
    it('refuse invalid hosts in linear time', async () => {
      const fields = ['endpoint_hostname', 'endpoint_hostname_external', 'platform_access_host'];
      const nodes = ['node_port_hostname_internal', 'node_port_hostname_external'];
      const begun = performance.now();
      for (const bad of [
        '1:2',
        ':::',
        '127.1',
        `${'a.'.repeat(32_000)}!`,
        `${'a'.repeat(65_000)}!`,
        `${':'.repeat(65_000)}`,
      ]) {
        const docker = await faultOf(save({ ...base('docker'), ...Object.fromEntries(fields.map((f) => [f, bad])) }));
        expect(fieldsOf(docker), bad.slice(0, 10)).to.have.members(fields);
        const cluster = await faultOf(
          save({ ...base('kubernetes'), ...Object.fromEntries(nodes.map((f) => [f, bad])) }),
        );
        expect(fieldsOf(cluster), bad.slice(0, 10)).to.have.members(nodes);
      }
      expect(performance.now() - begun).to.be.below(patience(500));
    });

    it('check lengths first', async () => {
      const long = `https://${'a'.repeat(60_000)}`;
      for (const field of [
        'obs_otel_endpoint',
        'docker_url',
        'docker_logging_endpoint_hostname',
        'image_pull_secrets',
      ]) {
        const input = { ...base('docker'), docker_logging_platform_token: 't', [field]: long };
        expect((await faultOf(save(input))).message).to.equal(`${field}: must be at most 4096 characters`);
      }
    });
  });

  describe('ingress annotations', () => {
    const nginx = (name: string) => `nginx.ingress.kubernetes.io/${name}`;
    const GOOD = [
      nginx('proxy-body-size'),
      nginx('proxy-read-timeout'),
      nginx('rewrite-target'),
      nginx('ssl-redirect'),
      nginx('force-ssl-redirect'),
      nginx('backend-protocol'),
      nginx('auth-type'),
      nginx('auth-secret'),
      nginx('auth-tls-secret'),
      nginx('whitelist-source-range'),
      'kubernetes.io/ingress.class',
      'cert-manager.io/cluster-issuer',
      'traefik.ingress.kubernetes.io/router.entrypoints',
      'haproxy.org/timeout-server',
      'haproxy.org/ssl-redirect',
      'alb.ingress.kubernetes.io/scheme',
      'external-dns.alpha.kubernetes.io/hostname',
    ];
    const BAD = [
      nginx('mirror-target'),
      nginx('mirror-host'),
      nginx('auth-url'),
      nginx('auth-signin'),
      nginx('Auth-Snippet'),
      nginx('auth-proxy-set-headers'),
      nginx('auth-tls-error-page'),
      nginx('configuration-snippet'),
      nginx('server-snippet'),
      nginx('stream-snippet'),
      nginx('modsecurity-snippet'),
      nginx('permanent-redirect'),
      nginx('temporal-redirect'),
      nginx('default-backend'),
      nginx('server-alias'),
      nginx('fastcgi-params-configmap'),
      'nginx.org/location-snippets',
      'nginx.org/server-snippets',
      'auth-url',
      'traefik.ingress.kubernetes.io/router.middlewares',
      'ingress.kubernetes.io/auth-url',
      'haproxy.org/backend-config-snippet',
      'haproxy.org/request-redirect',
      'haproxy.org/auth-external',
      'haproxy-ingress.github.io/config-backend',
      'haproxy-ingress.github.io/oauth',
      'alb.ingress.kubernetes.io/actions.elsewhere',
      'alb.ingress.kubernetes.io/auth-idp-oidc',
      'konghq.com/plugins',
      'getambassador.io/config',
      'external-dns.alpha.kubernetes.io/target',
    ];
    const text = (name: string, value = 'x') => JSON.stringify({ [name]: value });

    it('that tune the proxy are accepted', () => {
      for (const name of GOOD) expect(annotationProblem(text(name), []), name).to.equal(undefined);
    });

    it('that redirect requests or contain code need permission of the administrator', () => {
      for (const name of BAD) {
        expect(annotationProblem(text(name), []), name)
          .to.contain(name)
          .and.contain('[containers] ingress_annotations');
        expect(annotationProblem(text(name), [name.toUpperCase()]), name).to.equal(undefined);
        expect(annotationProblem(text(name), ['other', 'nginx.ingress.kubernetes.io/auth-ur']), name).to.be.a('string');
      }
      expect(annotationProblem(text(nginx('auth-url')), ['nginx.ingress.kubernetes.io/auth-*'])).to.equal(undefined);
      expect(annotationProblem(text(nginx('x-forwarded-prefix'), 'a;\n}'), [])).to.contain('x-forwarded-prefix');
      const several = JSON.stringify({ [nginx('auth-url')]: 'x', [nginx('mirror-target')]: 'x', [GOOD[0] ?? '']: 'x' });
      expect(annotationProblem(several, [nginx('auth-url')]))
        .to.contain('mirror-target')
        .and.not.contain('auth-url,');
    });

    it('are checked against the current settings', async () => {
      const input = { ...base('kubernetes'), ingress_annotations: text(nginx('auth-url')) };
      expect(fieldsOf(await faultOf(save(input)))).to.deep.equal(['ingress_annotations']);
      settings.stanzas = { containers: { ingress_annotations: `a/b, ${nginx('auth-url')}` } };
      await save(input);
      settings.stanzas = {};
      expect(fieldsOf(await faultOf(edit('kubernetes', { obs_enabled: '1' })))).to.deep.equal(['ingress_annotations']);
    });
  });
});
