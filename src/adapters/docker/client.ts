import http from 'node:http';
import https from 'node:https';
import Docker from 'dockerode';
import type { DockerTarget } from '../../ports/engines/containerEngine.ts';
import { VERIFIED } from '../outbound/agents.ts';
import { type AddressPolicy, checkLiteral, guardedLookup } from '../outbound/guard.ts';
import { DockerModem, type EngineAddress } from './modem.ts';

export interface DockerClient {
  docker: Docker;
  close(): void;
}

/** A client with separate sockets for one engine. @throws OutboundError `blocked_by_policy` */
export function openDocker(target: DockerTarget, policy: AddressPolicy): DockerClient {
  const engine = resolveAddress(target, policy);
  // A custom modem stops the library from reading DOCKER_HOST and DOCKER_CERT_PATH.
  const docker = new Docker({ modem: new DockerModem(engine) } as Docker.DockerOptions);
  return { docker, close: () => engine.agent.destroy() };
}

function resolveAddress({ address, tls }: DockerTarget, policy: AddressPolicy): EngineAddress {
  if ('socket' in address) {
    const agent = new http.Agent({ keepAlive: true });
    return { url: new URL('http://docker-engine/'), socketPath: address.socket, agent, policy };
  }
  const url = new URL(address.url);
  checkLiteral(url, policy);
  const lookup = guardedLookup(policy);
  // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
  const verified = { ...VERIFIED, ...tls };
  const agent =
    url.protocol === 'https:'
      ? new https.Agent({ keepAlive: true, lookup, ...verified })
      : new http.Agent({ keepAlive: true, lookup });
  return { url, agent, policy };
}
