import type { NodeHttpHandler } from '@smithy/node-http-handler';

export interface AwsIdentity {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Retries are done by `withRetries`, since the SDK's retries ignore the deadline. */
export interface ClientConfig {
  region: string;
  credentials: AwsIdentity;
  requestHandler: Pick<NodeHttpHandler, 'handle' | 'metadata' | 'updateHttpClientConfig' | 'httpHandlerConfigs'>;
  maxAttempts: 1;
  /** Set explicitly: `auto` would ask the instance's metadata service for its region. */
  defaultsMode: 'standard';
  userAgentAppId: string;
  endpoint?: string;
  token?: { token: string };
  authSchemePreference?: string[];
}

/** The official clients, each loaded when a request first needs it. A service is one line here and one of `AWS_PEERS`. */
export const CLIENTS = {
  sts: async (config: ClientConfig) => new (await import('@aws-sdk/client-sts')).STSClient(config),
  sagemaker: async (config: ClientConfig) => new (await import('@aws-sdk/client-sagemaker')).SageMakerClient(config),
  sagemaker_runtime: async (config: ClientConfig) =>
    new (await import('@aws-sdk/client-sagemaker-runtime')).SageMakerRuntimeClient(config),
  bedrock: async (config: ClientConfig) => new (await import('@aws-sdk/client-bedrock')).BedrockClient(config),
  bedrock_runtime: async (config: ClientConfig) =>
    new (await import('@aws-sdk/client-bedrock-runtime')).BedrockRuntimeClient(config),
  bedrock_agent: async (config: ClientConfig) =>
    new (await import('@aws-sdk/client-bedrock-agent')).BedrockAgentClient(config),
  bedrock_agent_runtime: async (config: ClientConfig) =>
    new (await import('@aws-sdk/client-bedrock-agent-runtime')).BedrockAgentRuntimeClient(config),
  bedrock_agentcore: async (config: ClientConfig) =>
    new (await import('@aws-sdk/client-bedrock-agentcore')).BedrockAgentCoreClient(config),
  bedrock_agentcore_control: async (config: ClientConfig) =>
    new (await import('@aws-sdk/client-bedrock-agentcore-control')).BedrockAgentCoreControlClient(config),
  eks: async (config: ClientConfig) => new (await import('@aws-sdk/client-eks')).EKSClient(config),
} as const;

export type AwsService = keyof typeof CLIENTS;
export type ClientOf<S extends AwsService> = Awaited<ReturnType<(typeof CLIENTS)[S]>>;

/** Service names for messages. */
export const AWS_PEERS: Readonly<Record<AwsService, string>> = {
  sts: 'AWS STS',
  sagemaker: 'Amazon SageMaker',
  sagemaker_runtime: 'Amazon SageMaker (inference)',
  bedrock: 'Amazon Bedrock',
  bedrock_runtime: 'Amazon Bedrock',
  bedrock_agent: 'Amazon Bedrock (knowledge bases)',
  bedrock_agent_runtime: 'Amazon Bedrock (retrieval)',
  bedrock_agentcore: 'Amazon Bedrock AgentCore (runtime)',
  bedrock_agentcore_control: 'Amazon Bedrock AgentCore',
  eks: 'Amazon EKS',
};
