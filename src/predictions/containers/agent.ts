import { objectIn } from './answers.ts';
import type { ContainerProtocol } from './protocol.ts';
import { shapeProblem } from './status.ts';

const STATUSES: readonly unknown[] = ['Healthy', 'HealthyBusy'];

/** Agents by the contract of AgentCore's runtimes. */
export const agent: ContainerProtocol = {
  probe: async (read) => shapeProblem(await read('/ping'), (text) => STATUSES.includes(objectIn(text).status)),
  rows: { instead: (model) => `${model} is an agent, which takes no rows.` },
};
