import { parentPort } from 'node:worker_threads';

/** The first message of a thread. */
const READY = 'ready';

/** Answers the orders of an `EndableThread` in this thread, one after the other, until its parent ends it. */
export function serveOrders<Order, Answer>(answer: (order: Order) => Answer): void {
  parentPort?.on('message', (order: Order) => parentPort?.postMessage(answer(order)));
  parentPort?.postMessage(READY);
}
