import http from 'node:http';
import https from 'node:https';
import Docker from 'dockerode';
import type { DockerTarget } from '../../ports/containerEngine.ts';
import { type AddressPolicy, checkLiteral, guardedLookup } from '../outbound/guard.ts';

export interface DockerClient {
  docker: Docker;
  close(): void;
}

/** A client of one engine with sockets of its own. @throws OutboundError `blocked_by_policy` */
export function openDocker(target: DockerTarget, policy: AddressPolicy): DockerClient {
  const { address } = target;
  if ('socket' in address) {
    const agent = new http.Agent({ keepAlive: true });
    return withAgent({ socketPath: address.socket, protocol: 'http', agent }, agent);
  }
  const url = new URL(address.url);
  checkLiteral(url, policy);
  const lookup = guardedLookup(policy);
  const secure = url.protocol === 'https:';
  const agent = secure
    ? new https.Agent({ keepAlive: true, lookup, ...target.tls })
    : new http.Agent({ keepAlive: true, lookup });
  return withAgent(
    { host: address.url, port: Number(url.port), protocol: secure ? 'https' : 'http', agent: agent as http.Agent },
    agent,
  );
}

/** The library passes an agent on to node; its types do not know it. */
type Options = Docker.DockerOptions & { agent: http.Agent };

function withAgent(options: Options, agent: http.Agent | https.Agent): DockerClient {
  return { docker: construct(options), close: () => agent.destroy() };
}

/** The library fills in what is not given from DOCKER_HOST: of another engine, or of none at all. */
function construct(options: Options): Docker {
  const { DOCKER_HOST } = process.env;
  delete process.env.DOCKER_HOST;
  try {
    return new Docker(options);
  } finally {
    if (DOCKER_HOST !== undefined) process.env.DOCKER_HOST = DOCKER_HOST;
  }
}
