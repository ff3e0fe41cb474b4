import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { atEnd } from './cleanup.ts';

interface StubContainer {
  id: string;
  name: string;
  labels: Record<string, string>;
  running: boolean;
}

/** As much of a Docker Engine as starts and stops need, with every image present and pauses as an engine makes them. */
export class DockerStub {
  readonly containers = new Map<string, StubContainer>();
  /** Most containers at once with one label of a model. */
  url = '';
  readonly #pauseMs: number;

  private constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  static async start(pauseMs = 5): Promise<DockerStub> {
    const stub = new DockerStub(pauseMs);
    const peer = await startHttp((request, response) => void stub.#answer(request, response));
    atEnd(peer.close);
    stub.url = peer.url;
    return stub;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request).catch(() => '');
    const url = new URL(request.url ?? '', 'http://engine');
    const path = url.pathname.replace(/^\/v\d+\.\d+/, '');
    await new Promise((resolve) => setTimeout(resolve, Math.random() * this.#pauseMs));
    if (path === '/_ping') response.end('OK');
    else if (path === '/version') sendJson(response, 200, { ApiVersion: '1.47', Version: '27.0.0' });
    else if (path === '/containers/json') sendJson(response, 200, this.#list());
    else if (path === '/containers/create') this.#create(response, url.searchParams.get('name') ?? '', body);
    else if (path.startsWith('/containers/')) this.#one(response, request.method ?? '', path);
    else sendJson(response, 404, { message: 'no such path' });
  }

  #create(response: ServerResponse, name: string, body: string): void {
    const taken = [...this.containers.values()].find((container) => container.name === name);
    if (taken) {
      const message = `Conflict. The container name "/${name}" is already in use by container "${taken.id}".`;
      sendJson(response, 409, { message });
      return;
    }
    const id = randomBytes(32).toString('hex');
    const { Labels } = JSON.parse(body) as { Labels: Record<string, string> };
    this.containers.set(id, { id, name, labels: Labels, running: false });
    sendJson(response, 201, { Id: id, Warnings: [] });
  }

  #one(response: ServerResponse, method: string, path: string): void {
    const [, , reference = '', action = ''] = path.split('/');
    const container = this.#find(decodeURIComponent(reference));
    if (!container) {
      sendJson(response, 404, { message: `No such container: ${reference}` });
      return;
    }
    if (action === 'json') sendJson(response, 200, inspect(container));
    else if (action === 'start' || action === 'stop') {
      const isSame = container.running === (action === 'start');
      container.running = action === 'start';
      response.writeHead(isSame ? 304 : 204).end();
    } else if (method === 'DELETE') {
      this.containers.delete(container.id);
      response.writeHead(204).end();
    } else sendJson(response, 404, { message: 'no such path' });
  }

  #find(reference: string): StubContainer | undefined {
    return [...this.containers.values()].find(({ id, name }) => id === reference || name === reference);
  }

  #list() {
    return [...this.containers.values()].map(({ id, name, labels, running }) => ({
      Id: id,
      Names: [`/${name}`],
      Labels: labels,
      State: running ? 'running' : 'created',
      Ports: running ? [{ PrivatePort: 5000, PublicPort: 1, Type: 'tcp', IP: '127.0.0.1' }] : [],
    }));
  }
}

function inspect({ id, name, labels, running }: StubContainer) {
  return {
    Id: id,
    Name: `/${name}`,
    Created: new Date().toISOString(),
    RestartCount: 0,
    Config: { Labels: labels },
    State: {
      Status: running ? 'running' : 'created',
      Running: running,
      ExitCode: 0,
      Error: '',
      StartedAt: new Date().toISOString(),
      FinishedAt: '0001-01-01T00:00:00Z',
    },
    NetworkSettings: { Ports: running ? { '5000/tcp': [{ HostIp: '127.0.0.1', HostPort: '1' }] } : {} },
  };
}
