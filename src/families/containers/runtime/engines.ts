import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { UnsealedRecord } from '../../../domain/records/sealedRecord.ts';
import type { Secrets } from '../../../domain/secrets/secrets.ts';
import type { ContainerDependencies } from '../../../ports/engines/containerDependencies.ts';
import { type ContainerEngine, EngineFailure, type Scope } from '../../../ports/engines/containerEngine.ts';
import type { ConnectionStored } from '../connections/records.ts';
import type { ContainerConnections } from '../connections/service.ts';
import { engineTarget } from '../connections/target.ts';
import { installationId } from './installation.ts';
import type { RuntimeStored } from './records.ts';

export interface OpenEngine {
  engine: ContainerEngine;
  connection: ConnectionStored;
  secrets: Readonly<Secrets>;
  scope: Scope;
}

/** Opens an engine, runs the work and closes it. */
export class Engines {
  readonly connections: ContainerConnections;
  readonly deps: ContainerDependencies;
  #installation: Promise<string> | undefined;

  constructor(connections: ContainerConnections, deps: ContainerDependencies) {
    this.connections = connections;
    this.deps = deps;
  }

  installation(): Promise<string> {
    this.#installation ??= installationId(this.connections.stores, this.deps.settings, this.deps.conf);
    return this.#installation;
  }

  /** Undefined if the connection was deleted. Throws if the store does not answer. */
  async connectionOf(record: RuntimeStored): Promise<ConnectionStored | undefined> {
    try {
      return await this.connections.sealed.get(record.connection_key);
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  async scopeOf(connectionKey: string): Promise<Scope> {
    return { installation: await this.installation(), connectionKey };
  }

  /** @throws EngineFailure when the work fails or the engine cannot be opened */
  async withEngine<T>(connection: ConnectionStored, work: (open: OpenEngine) => Promise<T>): Promise<T> {
    return this.withUnsealedEngine(await this.connections.sealed.unseal(connection), work);
  }

  /** @throws EngineFailure */
  async withUnsealedEngine<T>(
    unsealed: UnsealedRecord<ConnectionStored>,
    work: (open: OpenEngine) => Promise<T>,
  ): Promise<T> {
    const { record: connection, secrets } = unsealed;
    const scope = await this.scopeOf(connection._key);
    const engine = await this.#open(unsealed);
    try {
      return await work({ engine, connection, secrets, scope });
    } finally {
      engine.close();
    }
  }

  async #open({ record, secrets, hidden }: UnsealedRecord<ConnectionStored>): Promise<ContainerEngine> {
    try {
      const { connections } = this;
      const kind = connections.kindOf(record);
      const server = connections.loginServerOf(record);
      return await this.deps.open(await engineTarget(connections.certificates, kind, record, secrets, server), hidden);
    } catch (error) {
      if (error instanceof OutboundError) throw new EngineFailure(error.code, error.message, { cause: error });
      throw error;
    }
  }
}

/** 502 with the engine's reason, or 504 when it timed out. */
export function engineFault(error: unknown, doing: string): Fault {
  if (!(error instanceof EngineFailure)) throw error;
  const code = error.timedOut ? 'upstream_timeout' : 'upstream_error';
  return new Fault(code, `${doing}: ${error.message}`, { reason: error.reason }, { cause: error });
}

/** Takes precedence over the engine's error about the removed container. */
export const stoppedDuringStart = ({ model }: { model: string }): Fault =>
  new Fault('invalid_state', `${model} was stopped while it was being started`);
