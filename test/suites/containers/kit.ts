import { expect } from 'chai';
import { expectCode, fieldsOf } from '../../support/replies.ts';
import type { Answer, World } from '../../support/worlds/world.ts';

export type Json = Record<string, unknown>;

export const PATH = '/container_connection';
export const CONNECTIONS = 'ml_container_connections';
export const CONTAINERS = 'ml_containers';

export const docker = (more: Json = {}): Json => ({
  container_type: 'docker',
  connection_name: 'Local',
  docker_url: '/run/none.sock',
  ...more,
});

export const kube = (more: Json = {}): Json => ({
  container_type: 'kubernetes',
  connection_name: 'Local',
  cluster_url: 'https://cluster.example:6443',
  auth_mode: 'user-token',
  user_token: 'user-token-secret',
  ...more,
});

const secrets = { api_token: 't-api', jupyter_passwd: 'hash' };
const cluster = kube(secrets);

/** Saved connections: a Docker engine, a cluster with an address, and a cluster described by a cloud. */
export const SAVED = {
  engine: docker({ docker_url: 'https://engine:2376', ...secrets }),
  cluster,
  cloud: {
    ...cluster,
    cluster_url: undefined,
    auth_mode: 'cloud-iam',
    cloud_region_name: 'eu-west-1',
    cloud_cluster_name: 'prod',
  } as Json,
};

export class ContainerKit {
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  save = (payload: Json, query = ''): Promise<Answer> => this.#send(`${PATH}${query}`, payload);
  /** Tests a connection and saves it if the engine answers. */
  test = (payload: Json, query = ''): Promise<Answer> => this.#send(`/test_container_connection${query}`, payload);
  /** Edits the connection made by `docker()` or `kube()`. */
  edit = (change: Json, query = ''): Promise<Answer> =>
    this.save({ container_type: 'docker', connection_name: 'Local', is_edit: 'true', ...change }, query);
  read = (path: string): Promise<Answer> => this.world.call('reader', 'GET', `${PATH}/${path}`);
  remove = (path: string, headers?: Record<string, string>): Promise<Answer> =>
    this.world.call('root', 'DELETE', `${PATH}/${path}`, undefined, headers);
  secretsOf = async (name: string) => (await this.world.secretsOf(CONNECTIONS, name)) ?? {};

  /** A container of the model M runs through this connection. */
  uses = (key: string): Promise<void> =>
    this.world.store(CONTAINERS, { _key: 'm', model: 'M', connection_key: key, cluster: key.split('.')[0] });

  unused = (): Promise<void> => this.world.remove(CONTAINERS, 'm');

  #send = (path: string, payload: Json) => this.world.call('root', 'POST', path, { payload });
}

export function expectOk(reply: Answer): Json {
  expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
  return reply.json.updated_config;
}

/** @param what shown if other fields are refused */
export function expectInvalid(reply: Answer, fields: readonly string[], what?: string): void {
  expectCode(reply, 400, 'validation_failed');
  expect(fieldsOf(reply), what).to.have.members(fields);
}

export function expectBound(reply: Answer, fields: readonly string[]): void {
  expectCode(reply, 400, 'secret_required_for_new_host');
  expect(fieldsOf(reply)).to.have.members(fields);
}
