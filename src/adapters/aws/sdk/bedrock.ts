/** What is used of the package, named: the bundler gives no names to a dynamic import of CommonJS. */
export { BedrockClient, ListFoundationModelsCommand, ListInferenceProfilesCommand } from '@aws-sdk/client-bedrock';
