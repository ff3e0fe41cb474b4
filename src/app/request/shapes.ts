import type { Shapes } from '../../domain/records/checkedRecords.ts';
import { agentShapes } from '../../families/agents/records.ts';
import { auditShapes } from '../../families/audit/stored.ts';
import { containerConnectionShapes } from '../../families/containers/connections/records.ts';
import { runtimeShapes } from '../../families/containers/runtime/records.ts';
import { experimentShapes, historyShapes } from '../../families/experiments/records.ts';
import { llmShapes } from '../../families/llm-providers/records/connection.ts';
import { mcpShapes } from '../../families/mcp-connections/records.ts';
import { aliasShapes } from '../../families/model-aliases/stored.ts';
import { registrationShapes } from '../../families/model-registrations/stored.ts';
import { uploadedModelShapes } from '../../families/models/stored.ts';
import { usageShapes } from '../../families/usage/stored.ts';
import { limitShapes } from '../../families/usage-limits/stored.ts';
import { vectorStoreShapes } from '../../families/vector-stores/stored.ts';

/** Logs hold too many documents to be searched for unreadable ones by a request. */
const LOGS: Shapes = { ...auditShapes, ...historyShapes, ...usageShapes };

const RECORDS: Shapes = {
  ...mcpShapes,
  ...llmShapes,
  ...containerConnectionShapes,
  ...runtimeShapes,
  ...agentShapes,
  ...experimentShapes,
  ...vectorStoreShapes,
  ...registrationShapes,
  ...aliasShapes,
  ...limitShapes,
  ...uploadedModelShapes,
};

export const SHAPES: Shapes = { ...RECORDS, ...LOGS };

/** The collections in which health looks for unreadable records. */
export const SEARCHED: readonly string[] = Object.keys(RECORDS);
