/** What is used of the package, named: the bundler gives no names to a dynamic import of CommonJS. */
export { DescribeEndpointCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
