import type { Agents } from './agents.ts';

/** Common servers close idle connections after five seconds. */
const IDLE_MS = 4_000;
const MAX_HOSTS = 64;

/** Options of pooled agents. */
export const POOLED = { keepAlive: true, timeout: IDLE_MS, maxSockets: 64, maxFreeSockets: 8 } as const;

/** Agents by host, address policy, proxy and TLS settings; the most recently used one is last. */
const pool = new Map<string, Agents>();

/** @param key everything that the agents depend on */
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

/** Closes idle sockets now, others after their request. */
function retire({ httpAgent, httpsAgent, tunnel = httpsAgent }: Agents): void {
  for (const agent of [httpAgent, httpsAgent, tunnel]) {
    agent.maxFreeSockets = 0;
    const idle = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
    for (const socket of idle) socket.destroy();
  }
}
