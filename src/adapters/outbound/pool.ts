import type { Agents } from './agents.ts';

/** Below the five seconds after which common servers close an idle connection. */
const IDLE_MS = 4_000;
const MAX_HOSTS = 64;

/** For agents of the pool: idle sockets close by themselves and keep no process alive. */
export const POOLED = { keepAlive: true, timeout: IDLE_MS, maxSockets: 64, maxFreeSockets: 8 } as const;

/** The agents of this process, by host, address policy, proxy and TLS settings. The last one used is last. */
const pool = new Map<string, Agents>();

/** @param key names everything that the agents depend on: what differs in it never shares a connection */
export function pooledAgents<T extends Agents>(key: readonly unknown[], create: () => T): T {
  const name = JSON.stringify(key);
  const agents = (pool.get(name) as T | undefined) ?? create();
  pool.delete(name);
  pool.set(name, agents);
  const oldest = pool.entries().next().value;
  if (pool.size > MAX_HOSTS && oldest !== undefined) {
    pool.delete(oldest[0]);
    retire(oldest[1]);
  }
  return agents;
}

/** Closes idle sockets now, and those in use after their request. */
function retire({ httpAgent, httpsAgent, tunnel = httpsAgent }: Agents): void {
  for (const agent of [httpAgent, httpsAgent, tunnel]) {
    agent.maxFreeSockets = 0;
    const idle = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
    for (const socket of idle) socket.destroy();
  }
}
