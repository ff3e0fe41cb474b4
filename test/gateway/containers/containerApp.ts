import { expect } from 'chai';
import { applications } from '../../../src/adapters/outbound/applications.ts';
import type { Answer, Json, MemoryApp } from '../../support/memory/app.ts';

const CAPABILITIES = ['edit_container_connections', 'list_container_connections', 'control_containers'];
export const TOKEN = 'container-canary-token';

export type Images = Record<string, { protocol?: string; port?: number; https?: string }>;

/**
 * Starts a container for each entry, in an engine in memory, and adds a user `operator`, who may control containers, and `asker`,
 * who may read them. Containers with a port are called over HTTP at this port of the machine.
 */
export async function startContainers(app: MemoryApp, images: Images): Promise<void> {
  app.user('operator', { capabilities: CAPABILITIES });
  app.user('asker', { capabilities: ['list_ai_commander_config', 'list_containers', 'use_ai_gateway'] });
  const stanzas = Object.entries(images).map(([name, { protocol, https }]) => [
    name.toLowerCase(),
    { image: `${name}:1`, ...(protocol ? { protocol } : {}), ...(https ? { https } : {}) },
  ]);
  app.containers.images.stanzas = Object.fromEntries(stanzas);
  const payload = {
    container_type: 'docker',
    connection_name: 'Desk',
    docker_url: 'tcp://127.0.0.1:2375',
    api_token: TOKEN,
  };
  await succeed(app.call('operator', 'POST', '/container_connection', { payload }));
  for (const [model, { port }] of Object.entries(images)) {
    await succeed(app.call('operator', 'POST', '/start_container', { payload: { image: model.toLowerCase(), model } }));
    for (const state of app.containers.docker('127.0.0.1').running.values())
      if (state.model === model && port) state.published = { api: { port } };
  }
}

/** Containers are called over HTTP from now on. */
export function callContainers(app: MemoryApp): void {
  app.containers.applications = applications({ allowPrivate: true });
}

async function succeed(call: Promise<Answer>): Promise<void> {
  const { status, json } = await call;
  expect(status, JSON.stringify(json)).to.equal(200);
}

export const observe = async (app: MemoryApp): Promise<Json> =>
  (await app.call('operator', 'GET', '/container_data')).json.config as Json;

export const predict = (app: MemoryApp, model: string, rows: readonly object[], more: Json = {}, user = 'asker') =>
  app.call(user, 'POST', '/ai_gateway/predict', { model: `container:${model}`, rows, ...more });

/** Counts how often the engine is asked for its containers. */
export function countLooks(app: MemoryApp): { count: number } {
  const engine = app.containers.docker('127.0.0.1');
  const list = engine.list.bind(engine);
  const looks = { count: 0 };
  engine.list = (...order) => {
    looks.count += 1;
    return list(...order);
  };
  return looks;
}
