import { serveSchemas } from '../app/gateway/schemaThread.ts';

/** Checks values against schemas: a thread of a driver of the gateway. */
await serveSchemas();
