/** What is used of the package, named: the bundler gives no names to a dynamic import of CommonJS. */
export { BedrockAgentCoreControlClient } from '@aws-sdk/client-bedrock-agentcore-control';
