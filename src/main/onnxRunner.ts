import { serveModels } from '../app/dependencies/models/onnx.ts';

/** Runs one uploaded model: a thread of a search command, or a process of a driver. */
await serveModels();
