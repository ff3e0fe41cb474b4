import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppsV1Api, CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { expect } from 'chai';
import Docker from 'dockerode';
import type { Context } from 'mocha';
import { expectStatus, type Reply, type TestPlatform } from '../../support/e2e/platform.ts';
import { needs } from '../../support/programs/part.ts';
import { eventually } from '../../support/time.ts';

const INSTALLATION = 'ml_extension.installation';
export const KUBE_INSTALLATION = 'ml-extension/installation';

/** Images of the testbed beside those of the catalog: each does one thing wrong. */
const IMAGES = {
  crash: 'crash:1',
  slow: 'slow:1',
  broken: 'broken:1',
  oom: 'oom:1',
  wrong: 'wrong-app:1',
  plain: 'plain-banner:1',
};

export const dockerUrl = process.env.DOCKER_HOST ?? '';

export function needsDocker(test: Context): void {
  needs(test, dockerUrl !== '', 'a Docker engine (DOCKER_HOST; see docs/testbeds.md)');
}

export function needsKubernetes(test: Context): void {
  const present = process.env.KUBECONFIG !== undefined && process.env.KUBE_TESTBED !== undefined;
  needs(test, present, 'the Kubernetes testbed (KUBECONFIG, KUBE_TESTBED; see docs/testbeds.md)');
}

/** A credential of the Kubernetes testbed. */
export const credential = (name: string): string => readFileSync(join(process.env.KUBE_TESTBED ?? '', name), 'utf8');

export async function addImage(platform: TestPlatform, name: string, image: string, more: Record<string, string> = {}) {
  const path = '/servicesNS/nobody/ml_extension/configs/conf-ml_images';
  expectStatus(await platform.admin('POST', path, { name, title: name, image, ...more }), 201, `image ${name}`);
}

export async function addTestImages(platform: TestPlatform): Promise<void> {
  for (const [name, image] of Object.entries(IMAGES)) {
    await addImage(platform, name, image, { repo: 'testbed/', runtime: 'none,nvidia' });
  }
}

export type Payload = Record<string, unknown>;

export class ContainerClient {
  readonly platform: TestPlatform;

  constructor(platform: TestPlatform) {
    this.platform = platform;
  }

  save = (payload: Payload): Promise<Reply> => this.platform.ml('admin', 'POST', '/container_connection', { payload });
  test = (payload: Payload): Promise<Reply> =>
    this.platform.ml('admin', 'POST', '/test_container_connection', { payload });
  start = (payload: Payload): Promise<Reply> => this.platform.ml('admin', 'POST', '/start_container', { payload });
  stop = (model: string): Promise<Reply> =>
    this.platform.ml('admin', 'POST', '/stop_container', { payload: { model } });
  logs = (payload: Payload): Promise<Reply> => this.platform.ml('admin', 'POST', '/container_logs', { payload });
  data = (model?: string): Promise<Reply> =>
    this.platform.ml('admin', 'GET', `/container_data${model === undefined ? '' : `?model=${model}`}`);

  async record(model: string): Promise<Record<string, string>> {
    const reply = await this.data(model);
    expectStatus(reply, 200, `container_data of ${model}`);
    return reply.json.config[model];
  }

  /** Looks until the record has this status; the last one is in the message when it never does. */
  async until(model: string, status: string, within = 60_000): Promise<Record<string, string>> {
    let last: Record<string, string> = {};
    await eventually(
      async () => {
        last = await this.record(model);
        return last.status === status;
      },
      within,
      `${model} to be ${status}`,
    ).catch((error) => {
      throw new Error(`${error.message}; it is ${JSON.stringify(last)}`);
    });
    return last;
  }

  async stopAll(): Promise<void> {
    const reply = await this.data();
    for (const model of Object.keys(reply.json?.config ?? {})) await this.stop(model);
  }

  async installation(): Promise<string> {
    const [doc] = await this.platform.documents('ml_containers_installation');
    return String(doc?.id ?? '');
  }
}

/** The testbed's engine as the tests themselves see it. */
export function testDocker(url = dockerUrl): Docker {
  return new Docker({ socketPath: url.replace(/^unix:\/\//, '') });
}

export async function ourContainers(docker: Docker, installation: string): Promise<Docker.ContainerInfo[]> {
  return docker.listContainers({ all: true, filters: { label: [`${INSTALLATION}=${installation}`] } });
}

/** Nothing of this installation stays in the engine, but what a test has asked for; volumes are kept by the product. */
export async function cleanDocker(docker: Docker, installation: string): Promise<void> {
  if (installation === '') return;
  for (const { Id } of await ourContainers(docker, installation)) {
    await docker
      .getContainer(Id)
      .remove({ force: true, v: true })
      .catch(() => {});
  }
  const { Volumes } = await docker.listVolumes({ filters: { label: [`${INSTALLATION}=${installation}`] } });
  for (const { Name } of Volumes)
    await docker
      .getVolume(Name)
      .remove()
      .catch(() => {});
}

export function testCluster() {
  const config = new KubeConfig();
  config.loadFromFile(process.env.KUBECONFIG ?? '');
  return { core: config.makeApiClient(CoreV1Api), apps: config.makeApiClient(AppsV1Api) };
}

export type TestCluster = ReturnType<typeof testCluster>;

/** Names of all objects of this installation in a namespace, but the volume claims. */
export async function ourObjects(
  { core, apps }: TestCluster,
  namespace: string,
  installation: string,
): Promise<string[]> {
  const labelSelector = `${KUBE_INSTALLATION}=${installation}`;
  const lists = await Promise.all([
    apps.listNamespacedDeployment({ namespace, labelSelector }),
    apps.listNamespacedReplicaSet({ namespace, labelSelector }),
    core.listNamespacedPod({ namespace, labelSelector }),
    core.listNamespacedService({ namespace, labelSelector }),
    core.listNamespacedSecret({ namespace, labelSelector }),
  ]);
  return lists.flatMap(({ items }) =>
    (items as { metadata?: { name?: string } }[]).map((item) => item.metadata?.name ?? ''),
  );
}

export async function cleanCluster(
  { core, apps }: TestCluster,
  namespace: string,
  installation: string,
): Promise<void> {
  if (installation === '') return;
  const labelSelector = `${KUBE_INSTALLATION}=${installation}`;
  await apps.deleteCollectionNamespacedDeployment({ namespace, labelSelector });
  await core.deleteCollectionNamespacedPersistentVolumeClaim({ namespace, labelSelector });
}

export function expectFail(reply: Reply, status: number, code: string): void {
  expect(reply.status, reply.text).to.equal(status);
  expect(reply.json.status).to.equal('fail');
  expect(reply.json.error_code, reply.text).to.equal(code);
}

export const registryBinary = ['/usr/bin/docker-registry', '/usr/local/bin/registry'].find((path) => existsSync(path));
