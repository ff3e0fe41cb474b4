import { contract } from '#contract';
import { managementHandlers } from '../app/request/createHandlers.ts';
import { runDriver } from './runDriver.ts';

/** The REST driver of `/ml`. */
export const main = (): Promise<void> =>
  runDriver(contract, ({ scopes }) => ({ scope: (request) => scopes(request, managementHandlers) }));
