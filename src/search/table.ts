import { agentStatus } from './agentStatus.ts';
import type { Command } from './command.ts';
import { mlAgent } from './gateway/agent/mlAgent.ts';
import { mlIndex } from './gateway/documents/mlIndex.ts';
import { mlChat } from './gateway/mlChat.ts';
import { mlEmbed } from './gateway/mlEmbed.ts';
import { mlRetrieve } from './gateway/mlRetrieve.ts';
import { mlPredict } from './gateway/predict/mlPredict.ts';
import { mlTool } from './gateway/tool/mlTool.ts';
import { mlList } from './list/mlList.ts';
import { mlHealth } from './mlHealth.ts';
import { mlUsage } from './mlUsage.ts';

/** All search commands; conf files, launchers and documentation are generated from this table. */
export const commands: readonly Command[] = [
  agentStatus,
  mlHealth,
  mlUsage,
  mlList,
  mlChat,
  mlEmbed,
  mlRetrieve,
  mlIndex,
  mlTool,
  mlPredict,
  mlAgent,
];
