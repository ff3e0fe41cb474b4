import { MlExtension } from '../../client/src/index.ts';

/** The proxy ends calls after 30 s. */
export const TIMEOUT_MS = 35_000;

export const ml = new MlExtension({ auth: 'browser', timeoutMs: TIMEOUT_MS, retries: 1 });
