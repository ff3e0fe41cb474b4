import { serveChecks } from '../adapters/schema/checkThread.ts';

/** Checks values against schemas: a thread of a driver of the gateway. */
await serveChecks();
