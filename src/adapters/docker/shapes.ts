import type Docker from 'dockerode';
import { EngineFailure } from '../../ports/engines/containerEngine.ts';

/** Expected types of the fields that are read. `?` = may be absent or null. */
type Kind = 'text' | 'number' | 'boolean' | 'texts' | 'map' | 'id';
type Shape = Kind | `${Kind}?` | { [key: string]: Shape };

/** Ids are used in URL paths. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/;

const CONTAINER = { Id: 'id', State: 'text', Names: 'texts', Labels: 'map?' } as const satisfies Shape;
const PORT = { PrivatePort: 'number', PublicPort: 'number?', IP: 'text?' } as const satisfies Shape;
const DETAILS = {
  Id: 'id',
  Name: 'text',
  Created: 'text?',
  RestartCount: 'number?',
  Config: { Labels: 'map?' },
  NetworkSettings: { Ports: 'map?' },
  State: {
    Status: 'text',
    Running: 'boolean?',
    Paused: 'boolean?',
    OOMKilled: 'boolean?',
    ExitCode: 'number',
    Error: 'text?',
    StartedAt: 'text?',
    FinishedAt: 'text?',
  },
} as const satisfies Shape;

/** Each one costs a request, and no site runs more through one connection. */
const MAX_CONTAINERS = 1000;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasShape(value: unknown, shape: Shape): boolean {
  if (typeof shape !== 'string')
    return isMap(value) && Object.entries(shape).every(([key, below]) => hasShape(value[key], below));
  if (shape.endsWith('?')) return value === undefined || value === null || hasShape(value, shape.slice(0, -1) as Shape);
  switch (shape) {
    case 'text':
      return typeof value === 'string';
    case 'id':
      return typeof value === 'string' && ID.test(value);
    case 'texts':
      return Array.isArray(value) && value.every((text) => typeof text === 'string');
    case 'map':
      return isMap(value);
    default:
      return typeof value === shape;
  }
}

export function notDocker(): EngineFailure {
  return new EngineFailure('upstream_error', 'The server at this address is not a Docker engine');
}

function assertShape<T>(value: unknown, shape: Shape): T {
  if (!hasShape(value, shape)) throw notDocker();
  return value as T;
}

export const versionOf = (value: unknown): string =>
  assertShape<{ ApiVersion: string }>(value, { ApiVersion: 'text' }).ApiVersion;

/** For a network or an image, of which only the existence matters. */
export function assertObject(value: unknown): void {
  assertShape(value, { Id: 'text' });
}

export function containersOf(value: unknown): Docker.ContainerInfo[] {
  if (!Array.isArray(value)) throw notDocker();
  if (value.length > MAX_CONTAINERS) {
    throw new EngineFailure(
      'upstream_error',
      `The Docker engine lists more than ${MAX_CONTAINERS} containers of this app`,
    );
  }
  return value.map((item) => {
    const container = assertShape<Docker.ContainerInfo>(item, CONTAINER);
    const ports: unknown = container.Ports ?? [];
    if (!Array.isArray(ports)) throw notDocker();
    for (const port of ports) assertShape(port, PORT);
    return { ...container, Labels: textsIn(container.Labels), Ports: ports as Docker.Port[] };
  });
}

export function detailsOf(value: unknown): Docker.ContainerInspectInfo {
  const info = assertShape<Docker.ContainerInspectInfo>(value, DETAILS);
  return { ...info, Config: { ...info.Config, Labels: textsIn(info.Config.Labels) } };
}

function textsIn(labels: unknown): Record<string, string> {
  const entries = Object.entries(isMap(labels) ? labels : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
