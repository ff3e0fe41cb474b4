import { isMainThread, parentPort, type TransferListItem } from 'node:worker_threads';
import type { RunnerOrder, RunnerReply } from './messages.ts';
import { createRunner } from './runner.ts';
import { startThread } from './thread.ts';

/** With the heap, the runtime's memory and copies of large outputs. */
const MAX_RSS = 1_800_000_000;
const RSS_CHECK_MS = 100;

/**
 * Runs a model: in a thread itself, in a process in a thread of it, since WebAssembly cannot be interrupted from within. The
 * process so ends with its parent, also while a model loops.
 * @param program the file that calls this
 */
export function serveRunner(program: URL, wasm: string): void {
  if (!isMainThread) {
    const run = createRunner(wasm);
    parentPort?.on('message', async (order: RunnerOrder) => {
      const reply = await run(order);
      parentPort?.postMessage(reply, buffersOf(reply));
    });
    return;
  }
  const thread = startThread(program);
  thread.on('message', (reply: RunnerReply) => process.send?.(reply));
  thread.on('error', () => process.exit(1));
  thread.on('exit', () => process.exit(1));
  process.on('message', (order: RunnerOrder) => thread.postMessage(order));
  process.on('disconnect', () => process.exit(0));
  setInterval(() => {
    if (process.memoryUsage.rss() > MAX_RSS) process.exit(1);
  }, RSS_CHECK_MS);
}

/** The memory of outputs is moved to the receiver. */
function buffersOf(reply: RunnerReply): TransferListItem[] {
  if (!('outputs' in reply)) return [];
  const buffers = Object.values(reply.outputs).flatMap(({ data }) =>
    ArrayBuffer.isView(data) ? [data.buffer as ArrayBuffer] : [],
  );
  return [...new Set(buffers)];
}
