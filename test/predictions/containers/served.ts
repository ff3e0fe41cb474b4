import { contract } from '../../../src/codegen/bundle/live.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { containerParts } from '../../../src/families/containers/parts.ts';
import { openContainerPredictor } from '../../../src/families/containers/public.ts';
import type { StartInput } from '../../../src/families/containers/runtime/schemas.ts';
import { startContainer } from '../../../src/families/containers/runtime/start/start.ts';
import type { ConnectionInput } from '../../../src/families/containers/schemas.ts';
import { unmasked } from '../../../src/masking/outgoing.ts';
import type { ProtocolName } from '../../../src/predictions/containers/registry.ts';
import type { Predictions } from '../../../src/predictions/rows/prediction.ts';
import { rejection } from '../../support/fault.ts';
import { MemoryContainers } from '../../support/memory/containers.ts';
import { caller, MemoryPlatform } from '../../support/memory/platform.ts';

/** The outbound error that this rejects with. */
export const outboundOf = (work: Promise<unknown>): Promise<OutboundError> => rejection(work, OutboundError);

export const TOKEN = 'application-canary-token';

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked at as a server sees them.
type Body = any;
export type Answer = { status: number; text: string };
/** An answer as a server of Python writes it, or its value with 200. */
export type Served = (path: string, body: Body) => Answer | object | undefined;

const READY: Record<ProtocolName, (path: string) => Answer | undefined> = {
  dsdl: (path) => (path === '' ? ok('{"app":"deep learning"}') : undefined),
  v2: (path) => (path === '/v2' ? ok('{"name":"s","version":"1"}') : path === '/v2/health/ready' ? ok('') : undefined),
  openai: (path) => (path === '/v1/models' ? ok('{"data":[{"id":"m"}]}') : undefined),
  mlflow: (path) => (path === '/version' ? ok('3.1.0') : path === '/ping' ? ok('\n') : undefined),
  agent: (path) => (path === '/ping' ? ok('{"status":"Healthy"}') : undefined),
};
const ok = (text: string): Answer => ({ status: 200, text });

/** A container `Churn` whose application is ready in a protocol. */
export class ServedContainer {
  readonly platform = new MemoryPlatform();
  readonly containers = new MemoryContainers();
  /** Calls with a body. */
  asked: { path: string; body: Body }[] = [];
  serve: Served = () => undefined;
  isReady = true;

  site = () => containerParts(this.platform.process(), this.containers, contract.plans);

  async start(protocol: ProtocolName): Promise<this> {
    this.containers.images.stanzas = { own: { image: 'own:1' } };
    this.containers.answer = (path, text) => {
      if (text !== undefined) this.asked.push({ path, body: JSON.parse(text) });
      const found = (this.isReady && READY[protocol](path)) || this.serve(path, text && JSON.parse(text));
      if (found === undefined) return { status: 404, text: '{"detail":"Not Found"}' };
      return 'status' in found && 'text' in found ? (found as Answer) : ok(JSON.stringify(found));
    };
    const { connections } = this.site();
    const input = { container_type: 'docker', connection_name: 'one', docker_url: 'tcp://one:2375', api_token: TOKEN };
    await connections.save(await connections.draft(input as ConnectionInput), caller('admin'), undefined);
    await startContainer(this.site(), { image: 'own', model: 'Churn' } as StartInput, []);
    return this;
  }

  open = (name = 'churn') => openContainerPredictor(this.platform.process(), this.containers, contract.plans, name);

  async predict(rows: readonly Record<string, unknown>[], ms = 5000): Promise<Predictions> {
    using deadline = startDeadline(ms);
    return await (await this.open()).predict(unmasked({ rows }), unmetered(deadline), () => {});
  }
}
