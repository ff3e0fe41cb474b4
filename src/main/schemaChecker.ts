import { serveChecks } from '../app/gateway/schemaChecks.ts';

/** Checks values against schemas: a thread of a driver of the gateway. */
await serveChecks();
