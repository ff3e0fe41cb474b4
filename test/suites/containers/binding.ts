import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { type ContainerKit, docker, expectBound, expectOk, type Json, SAVED } from './kit.ts';

const SECRETS = {
  api_token: 't-api',
  obs_access_token: 't-obs',
  platform_access_token: 't-access',
  platform_ingest_token: 't-ingest',
  docker_logging_platform_token: 't-log',
};
const ADDRESSES = {
  docker_url: 'tcp://engine:2375',
  endpoint_hostname: 'inside',
  obs_otel_endpoint: 'http://otel:4317/v1',
  platform_access_host: 'platform',
  platform_access_port: '8089',
  platform_ingest_url: 'https://ingest:8088',
  docker_logging_endpoint_hostname: 'log',
};
const ALL = Object.keys(SECRETS);

/** Each secret goes where it was saved for, and its receiver is verified as it was then. */
export function bindingTests(kit: ContainerKit, one: string, other: string): void {
  const { save, edit, secretsOf } = kit;

  const https = { container_enable_https: 'true' };
  const checked = { ...https, endpoint_cert_check_hostname: 'true' };
  const certified = { ...https, endpoint_cert_filename_or_path: one };
  const both = { ...checked, ...certified };
  const bases = { addressed: docker({ ...ADDRESSES, ...SECRETS }), ...SAVED };
  type Base = keyof typeof bases;
  const OF_ENGINE = ['api_token', 'jupyter_passwd'];
  const OF_CLUSTER = [...OF_ENGINE, 'user_token'];

  const bare = (text: string) => text.replace(/\s/g, '');
  const render = (fields: Json) =>
    JSON.stringify(fields, (_, value) =>
      /BEGIN/.test(value) ? `certificate ${bare(value).includes(bare(one)) ? 1 : 2}` : value,
    );

  const BOUND: [base: Base, more: Json, change: Json, fields: string[]][] = [
    ['addressed', {}, { docker_url: 'tcp://other:2375' }, ALL],
    ['addressed', {}, { docker_url: '/run/docker.sock' }, ALL],
    ['addressed', {}, { endpoint_hostname: 'elsewhere' }, ['api_token']],
    ['addressed', {}, { endpoint_hostname: '' }, ['api_token']],
    ['addressed', {}, { obs_otel_endpoint: 'http://other:4317' }, ['obs_access_token']],
    ['addressed', {}, { platform_access_host: 'other' }, ['platform_access_token']],
    ['addressed', {}, { platform_access_port: '1' }, ['platform_access_token']],
    ['addressed', {}, { platform_ingest_url: 'http://ingest:8088' }, ['platform_ingest_token']],
    ['addressed', {}, { docker_logging_endpoint_hostname: 'log:1' }, ['docker_logging_platform_token']],
    ['addressed', https, { container_enable_https: 'false' }, ['api_token']],
    ['engine', {}, { cluster_ca: one }, OF_ENGINE],
    ['engine', { cluster_ca: one }, { cluster_ca: other }, OF_ENGINE],
    ['cluster', {}, { cluster_ca: one }, OF_CLUSTER],
    ['cluster', { cluster_ca: one }, { cluster_ca: other }, OF_CLUSTER],
    ['cluster', {}, { namespace: 'other' }, OF_ENGINE],
    ['cloud', {}, { cloud_cluster_name: 'other' }, OF_CLUSTER],
    ['engine', both, { endpoint_cert_check_hostname: 'false' }, ['api_token']],
    ['engine', both, { endpoint_cert_check_hostname: '' }, ['api_token']],
    ['engine', both, { endpoint_cert_filename_or_path: other }, ['api_token']],
    ['engine', checked, { endpoint_cert_check_hostname: 'false' }, ['api_token']],
    ['engine', checked, { endpoint_cert_filename_or_path: one }, ['api_token']],
    ['cluster', certified, { endpoint_cert_filename_or_path: '' }, ['api_token']],
    ['cluster', certified, { endpoint_cert_filename_or_path: other }, ['api_token']],
  ];
  for (const [base, more, change, fields] of BOUND) {
    const { container_type } = bases[base];
    it(`${base} ${render(more)} ${render(change)}: ${fields.join(', ')} anew`, async () => {
      expectOk(await save({ ...bases[base], ...more }));
      const all = (value: string) => Object.fromEntries(fields.map((field) => [field, value]));
      for (const how of [{}, all(MASK)]) expectBound(await edit({ container_type, ...change, ...how }), fields);
      expectOk(await edit({ container_type, ...change, ...all('anew') }));
    });
  }

  const FREE: [base: Base, more: Json, change: Json][] = [
    ['addressed', {}, { endpoint_hostname_external: 'anywhere' }],
    ['addressed', {}, { docker_url: 'https://engine:2375' }],
    ['addressed', {}, { endpoint_hostname: 'INSIDE' }],
    ['addressed', {}, { obs_otel_endpoint: 'https://otel:4317/other' }],
    ['addressed', {}, { platform_ingest_url: 'https://INGEST:8088/path' }],
    ['addressed', {}, { docker_logging_endpoint_hostname: 'https://log:8088' }],
    ['addressed', {}, https],
    ['engine', {}, https],
    ['engine', { docker_url: '/run/d.sock' }, { cluster_ca: one }],
    ['engine', { endpoint_cert_filename_or_path: one }, { endpoint_cert_filename_or_path: other }],
    ['engine', https, checked],
    ['engine', https, certified],
    ['engine', certified, checked],
    ['engine', { cluster_ca: one }, { cluster_ca: `\n${one.replaceAll('\n', '\r\n')}\n` }],
    ['cluster', { cluster_ca: one }, { cluster_ca: '' }],
    ['cluster', {}, { namespace: 'default', in_cluster_mode: '0' }],
  ];
  for (const [base, more, change] of FREE) {
    const { container_type } = bases[base];
    it(`${base} ${render(more)} ${render(change)}: all kept`, async () => {
      expectOk(await save({ ...bases[base], ...more }));
      expectOk(await edit({ container_type, ...change }));
      const names = base === 'addressed' ? ALL : base === 'engine' ? OF_ENGINE : OF_CLUSTER;
      const input = names.map((name) => [name, bases[base][name]]);
      expect(await secretsOf('Local')).to.deep.equal(Object.fromEntries(input));
    });
  }
}
