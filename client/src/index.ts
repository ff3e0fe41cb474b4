export { MlExtension } from './client.ts';
export { isFailure, MlExtensionError, TransportError, type TransportProblem } from './errors.ts';
export { type FollowOptions, followAgent, followContainer, followLog, type LogOptions } from './follow.ts';
export type { Operations } from './operations.ts';
export { operations } from './operations.ts';
export type { ClientOptions, Credentials } from './options.ts';
export type * from './schemas.ts';
export type {
  CallOptions,
  Input,
  Item,
  ListingId,
  ListingInput,
  ListingOptions,
  OperationId,
  Reply,
} from './types.ts';
