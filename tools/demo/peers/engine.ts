import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson, sendJson } from './http.ts';

interface Container {
  id: string;
  name: string;
  labels: Record<string, string>;
  /** `5000/tcp` */
  ports: string[];
  created: string;
  /** Absent before its start. */
  started?: string;
  finished?: string;
}

const NEVER = '0001-01-01T00:00:00Z';
const HEADER_BYTES = 8;
const STDOUT = 1;

/**
 * The calls of the Docker Engine API that the app makes. Nothing runs: behind each published port of a container is the scripted
 * model. Containers are kept in a file, so that they are still there at the next start, as those of an engine are.
 */
export class ScriptedEngine {
  readonly #file: string;
  #containers: Container[];

  constructor(file: string) {
    this.#file = file;
    this.#containers = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Container[]) : [];
  }

  static isAsked({ url = '' }: IncomingMessage): boolean {
    return /^\/(_ping$|version$|containers\/|images\/)/.test(url);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine');
    const [, kind, reference = '', action] = pathname.split('/');
    const port = request.socket.localPort ?? 0;
    if (kind === '_ping') return void response.end('OK');
    if (kind === 'version') return sendJson(response, 200, { ApiVersion: '1.47' });
    if (kind === 'images') return sendJson(response, 200, { Id: `sha256:${reference}` });
    if (reference === 'json') return sendJson(response, 200, this.#list(searchParams.get('filters'), port));
    if (reference === 'create') return this.#create(searchParams.get('name') ?? '', await readJson(request), response);
    const container = this.#containers.find(({ id, name }) => id === reference || name === reference);
    if (!container) return sendJson(response, 404, { message: `No such container: ${reference}` });
    if (request.method === 'DELETE') this.#keep(this.#containers.filter((other) => other !== container));
    else if (action === 'start') this.#change({ ...container, started: now() });
    else if (action === 'stop') this.#change({ ...container, finished: now() });
    else if (action === 'logs') return void response.writeHead(200).end(logOf(container));
    else return sendJson(response, 200, detailsOf(container, port));
    response.writeHead(204).end();
  }

  #create(name: string, body: Record<string, unknown>, response: ServerResponse): void {
    if (this.#containers.some((container) => container.name === name)) {
      sendJson(response, 409, { message: `Conflict. The container name "/${name}" is already in use` });
      return;
    }
    const { Labels = {}, ExposedPorts = {} } = body as { Labels?: Record<string, string>; ExposedPorts?: object };
    const id = randomBytes(16).toString('hex');
    const made = { id, name, labels: Labels, ports: Object.keys(ExposedPorts), created: now() };
    this.#keep([...this.#containers, made]);
    sendJson(response, 201, { Id: id, Warnings: [] });
  }

  /** @param filters as JSON; of its filters those of labels hold */
  #list(filters: string | null, port: number): object[] {
    const { label = [] } = JSON.parse(filters ?? '{}') as { label?: string[] };
    const fits = ({ labels }: Container) => label.every((entry) => entriesOf(labels).includes(entry));
    return this.#containers.filter(fits).map((container) => ({
      Id: container.id,
      Names: [`/${container.name}`],
      State: stateOf(container),
      Labels: container.labels,
      Ports: container.ports.map((inside) => ({
        ...{ PrivatePort: Number.parseInt(inside, 10), PublicPort: port, Type: 'tcp', IP: '127.0.0.1' },
      })),
    }));
  }

  #change(changed: Container): void {
    this.#keep(this.#containers.map((container) => (container.id === changed.id ? changed : container)));
  }

  #keep(containers: Container[]): void {
    this.#containers = containers;
    writeFileSync(`${this.#file}.new`, JSON.stringify(containers), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

const now = (): string => new Date().toISOString();
/** A label in a filter is its name, or `name=value`. */
const entriesOf = (labels: Container['labels']): string[] =>
  Object.entries(labels).flatMap(([name, value]) => [name, `${name}=${value}`]);
const stateOf = ({ started, finished }: Container): string =>
  finished !== undefined ? 'exited' : started !== undefined ? 'running' : 'created';

function detailsOf(container: Container, port: number): object {
  const { id, name, labels, ports, created, started, finished } = container;
  const status = stateOf(container);
  const published = [{ HostIp: '127.0.0.1', HostPort: String(port) }];
  return {
    ...{ Id: id, Name: `/${name}`, Created: created, RestartCount: 0, Config: { Labels: labels } },
    NetworkSettings: { Ports: Object.fromEntries(ports.map((inside) => [inside, published])) },
    State: {
      ...{ Status: status, Running: status === 'running', Paused: false, OOMKilled: false, ExitCode: 0, Error: '' },
      ...{ StartedAt: started ?? NEVER, FinishedAt: finished ?? NEVER },
    },
  };
}

/** The log as the engine sends it: a frame for each line. */
function logOf({ started = now() }: Container): Buffer {
  const lines = [
    'Loading scripted-small',
    'Nothing runs in this container: the model is scripted',
    'Serving on port 5000',
  ];
  return Buffer.concat(
    lines.flatMap((line) => {
      const text = Buffer.from(`${started} ${line}\n`);
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt8(STDOUT, 0);
      header.writeUInt32BE(text.length, 4);
      return [header, text];
    }),
  );
}
