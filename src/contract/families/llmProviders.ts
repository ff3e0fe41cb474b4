/** The providers by the names of interface 2.6, in its order: what `service` holds in bodies, addresses and records. */
export const PROVIDER_NAMES = [
  'General_Chat',
  'Enterprise_Cloud_Chat',
  'Assistant_Family',
  'Cloud_Model_Hub',
  'Fast_Inference',
  'Search_Vendor_Models',
  'Local_Runtime',
  'Platform_Hosted_Models',
] as const;
export type Provider = (typeof PROVIDER_NAMES)[number];

/** Names in OpenTelemetry's GenAI conventions (`gen_ai.provider.name`), which have none for services that a site runs itself. */
export const OTEL_NAMES: Readonly<Partial<Record<string, string>>> = {
  General_Chat: 'openai',
  Enterprise_Cloud_Chat: 'azure.ai.openai',
  Assistant_Family: 'anthropic',
  Cloud_Model_Hub: 'aws.bedrock',
  Fast_Inference: 'groq',
  Search_Vendor_Models: 'gcp.gemini',
};

/** The service whose prices hold behind a prefix, as LiteLLM, OpenRouter and Google write them. */
export const PRICE_PREFIXES: Readonly<Record<string, Provider>> = {
  openai: 'General_Chat',
  azure: 'Enterprise_Cloud_Chat',
  anthropic: 'Assistant_Family',
  amazon: 'Cloud_Model_Hub',
  bedrock: 'Cloud_Model_Hub',
  groq: 'Fast_Inference',
  gemini: 'Search_Vendor_Models',
  google: 'Search_Vendor_Models',
  models: 'Search_Vendor_Models',
  vertex_ai: 'Search_Vendor_Models',
};
/** The provider of OpenAI's dialect: a proxy that speaks it may have the models of any provider behind it. */
export const PROXY_SERVICE: Provider = 'General_Chat';
