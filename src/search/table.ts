import { agentStatus } from './agentStatus.ts';
import type { Command } from './command.ts';
import { mlHealth } from './mlHealth.ts';

/** The search commands of this app: conf files, launchers and documentation are generated from it. */
export const commands: readonly Command[] = [agentStatus, mlHealth];
