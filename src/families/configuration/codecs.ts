import type { RecordCodec } from '../../resources/recordCodec.ts';
import { agentCodec } from '../agents/public.ts';
import { containerConnectionCodec } from '../containers/public.ts';
import { experimentCodec } from '../experiments/public.ts';
import { llmConfigurationCodec } from '../llm-providers/public.ts';
import { policyCodec } from '../masking-policies/public.ts';
import { mcpConnectionCodec } from '../mcp-connections/public.ts';
import { aliasCodec } from '../model-aliases/public.ts';
import { registrationCodec } from '../sagemaker-endpoints/public.ts';
import { searchToolCodec } from '../search-tools/public.ts';
import { limitCodec } from '../usage-limits/public.ts';
import { vectorStoreCodec } from '../vector-stores/public.ts';
import type { Family } from './constants.ts';

export const CODECS: { readonly [F in Family]: RecordCodec } = {
  agents: agentCodec,
  'container-connections': containerConnectionCodec,
  experiments: experimentCodec,
  'llm-providers': llmConfigurationCodec,
  masking_policies: policyCodec,
  'mcp-connections': mcpConnectionCodec,
  'model-registrations': registrationCodec,
  model_aliases: aliasCodec,
  search_tools: searchToolCodec,
  usage_limits: limitCodec,
  'vector-stores': vectorStoreCodec,
};
