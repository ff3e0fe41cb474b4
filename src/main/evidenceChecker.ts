import { serveEvidence } from '../app/gateway/evidenceThread.ts';

/** Checks the claims of answers: a thread of a driver of the gateway. */
await serveEvidence();
