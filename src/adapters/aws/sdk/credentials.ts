/** What is used of the package, named: the bundler gives no names to a dynamic import of CommonJS. */
export { defaultProvider } from '@aws-sdk/credential-provider-node';
