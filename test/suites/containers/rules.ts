import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { expectCode } from '../../support/replies.ts';
import { type ContainerKit, docker, expectInvalid, expectOk, type Json, kube, PATH } from './kit.ts';

const named = { cloud_cluster_name: 'c', cloud_region_name: 'eu-west-1' };

export function ruleTests({ world, save, test }: ContainerKit): void {
  const DOCKER: [Json, string[]][] = [
    [{ docker_url: undefined }, ['docker_url']],
    [{ docker_url: 'ssh://h' }, ['docker_url']],
    [{ docker_url: 'tcp://u:p@h:1' }, ['docker_url']],
    [{ container_enable_https: 'yes please' }, ['container_enable_https']],
    [{ endpoint_hostname: 'http://h' }, ['endpoint_hostname']],
    [
      { docker_logging_endpoint_hostname: 'h/path', docker_logging_platform_token: 't' },
      ['docker_logging_endpoint_hostname'],
    ],
    [{ docker_logging_endpoint_hostname: 'h' }, ['docker_logging_platform_token']],
    [{ platform_access_port: '65536' }, ['platform_access_port']],
    [{ obs_otel_endpoint: 'otel:4317' }, ['obs_otel_endpoint']],
    [{ obs_enabled: 'maybe' }, ['obs_enabled']],
    [{ api_token: 'a\nb' }, ['api_token']],
    [{ client_cert: 'nonsense', client_key: 'nonsense' }, ['client_cert', 'client_key']],
    [
      { docker_url: 'ssh://x', cluster_ca: 'nonsense', api_token: 'two\nlines', client_cert: '\\\\host\\share\\a.pem' },
      ['docker_url', 'cluster_ca', 'client_cert', 'client_key', 'api_token'],
    ],
  ];
  const KUBERNETES: [Json, string[]][] = [
    [{ auth_mode: undefined }, ['auth_mode']],
    [{ auth_mode: 'kerberos' }, ['auth_mode']],
    [{ cluster_url: undefined }, ['cluster_url']],
    [{ user_token: undefined }, ['user_token']],
    [{ auth_mode: 'cert-key' }, ['client_cert', 'client_key']],
    [{ auth_mode: 'user-login' }, ['user_name', 'user_password']],
    [{ auth_mode: 'cloud-iam' }, ['cloud_cluster_name', 'cloud_region_name']],
    [{ auth_mode: 'cloud-iam', ...named, cloud_access_key_id: 'a' }, ['cloud_secret_access_key']],
    [{ auth_mode: 'cloud-iam', ...named, cloud_region_name: 'evil.example/x' }, ['cloud_region_name']],
    [{ auth_mode: 'service-account' }, ['service_account_token']],
    [{ in_cluster_mode: 'true' }, ['in_cluster_mode']],
    [{ namespace: 'Not_OK' }, ['namespace']],
    [{ service_type: 'route' }, ['service_type']],
    [{ service_type: 'ingress' }, ['ingress_host_pattern']],
    [{ ingress_host_pattern: 'fixed.example.com' }, ['ingress_host_pattern']],
    [{ ingress_annotations: '[1]' }, ['ingress_annotations']],
    [{ ingress_annotations: '{"a":1}' }, ['ingress_annotations']],
    [{ image_pull_secrets: 'a, B!' }, ['image_pull_secrets']],
    [{ cluster_ca: '/no/such/file' }, ['cluster_ca']],
    [{ namespace: 'Not_OK', service_type: 'x', cluster_url: 'ftp://h' }, ['cluster_url', 'namespace', 'service_type']],
  ];
  const OF_ITSELF: [Json, string[]][] = [
    [{ auth_mode: 'service-account', in_cluster_mode: '1' }, ['cluster_url']],
    [{ auth_mode: 'cloud-iam', ...named }, ['cluster_url']],
  ];
  const inTheOpen = (more: Json) => kube({ cluster_url: 'http://cluster:6443', user_token: undefined, ...more });
  const REFUSED = [
    ['docker', docker, DOCKER],
    ['kubernetes', kube, KUBERNETES],
    ["with the machine's own identity over http", inTheOpen, OF_ITSELF],
  ] as const;
  for (const [what, make, cases] of REFUSED) {
    for (const [more, fields] of cases) {
      it(`${what} ${JSON.stringify(more, (_, value) => value ?? 'absent')}: no ${fields.join(', ')}`, async () => {
        expectInvalid(await save(make(more)), fields);
      });
    }
  }

  it('take the pod of the platform, and a cloud that describes its cluster', async () => {
    const pod = { cluster_url: undefined, user_token: undefined, auth_mode: 'service-account', in_cluster_mode: 1 };
    expectOk(await save(kube(pod)));
    const cloud = { ...named, auth_mode: 'cloud-iam', cloud_region_name: 'us-gov-west-1', connection_name: 'eks' };
    expectOk(await save(kube({ cluster_url: undefined, user_token: undefined, ...cloud })));
  });

  it('name every problem of a body at once, that of the name too', async () => {
    const problems = { docker_url: 'ssh://x', endpoint_hostname: ':::', cluster_ca: '/proc/self/pagemap' };
    for (const send of [save, test]) {
      const reply = await send(docker({ ...problems, connection_name: '%' }));
      expectInvalid(reply, ['connection_name', ...Object.keys(problems)]);
    }
    const none = await save({ container_type: 'docker', connection_name: '%' });
    expectInvalid(none, ['connection_name', 'docker_url']);
    // An edit need not repeat required fields.
    const edit = { container_type: 'docker', connection_name: '%', endpoint_hostname: '1:2', api_token: MASK };
    const edits = [
      await save({ ...edit, is_edit: 'true' }),
      await world.call('root', 'POST', `${PATH}?is_edit=true`, { payload: edit }),
    ];
    for (const reply of edits) expectInvalid(reply, ['connection_name', 'endpoint_hostname']);
  });

  it('reveal nothing about existing files', async () => {
    const replies = [];
    for (const cluster_ca of ['/etc/passwd', '/no/such/file', '/proc/self/pagemap', '/dev/zero', '\\\\host\\share']) {
      replies.push(await save(docker({ cluster_ca })));
    }
    const [first] = replies;
    for (const reply of replies) {
      expectCode(reply, 400, 'validation_failed');
      expect(reply.json.errors).to.deep.equal(first?.json.errors);
    }
    expect(first?.json.message).to.contain('etc/auth').and.contain('certificate_folders');
  });
}
