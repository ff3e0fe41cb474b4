import type { Provider } from '../../../contract/families/llmProviders.ts';
import { anthropic } from './anthropic.ts';
import { azure } from './azure.ts';
import { bedrock } from './bedrock.ts';
import { gemini } from './gemini.ts';
import { groq } from './groq.ts';
import { hosted } from './hosted.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import type { LlmProvider } from './provider.ts';

export { openAiClient } from './openai.ts';

/** A name without a provider does not compile. */
export const LLM_PROVIDERS: Readonly<Record<Provider, LlmProvider>> = {
  General_Chat: openai,
  Enterprise_Cloud_Chat: azure,
  Assistant_Family: anthropic,
  Cloud_Model_Hub: bedrock,
  Fast_Inference: groq,
  Search_Vendor_Models: gemini,
  Local_Runtime: ollama,
  Platform_Hosted_Models: hosted,
};
