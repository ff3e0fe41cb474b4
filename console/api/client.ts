import { MlExtension } from '../../client/src/index.ts';

/** The proxy ends calls after 30 s: what is later than that has no answer. */
export const TIMEOUT_MS = 35_000;

/** The app, as the user of this page. */
export const ml = new MlExtension({ auth: 'browser', timeoutMs: TIMEOUT_MS, retries: 1 });
