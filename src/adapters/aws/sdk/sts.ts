/** What is used of the package, named: the bundler gives no names to a dynamic import of CommonJS. */
export { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
