import type { Memory } from '../ports/memory.ts';
import type { RestReply, RestRequest } from '../rest/request.ts';
import type { Serve } from './serve.ts';

/** Shorter pauses are those of somebody who goes on. */
const IDLE_MS = 3_000;
/** By so much of what was in use before, memory has to have grown: the more there is, the longer it takes to look through it. */
const GROWN = 1 / 8;

/**
 * A driver that rests gives memory back. By itself the runtime keeps what its busiest moment took, for as long as nobody asks for
 * more; a site has several drivers on every host.
 */
export function resting(serve: Serve, memory: Memory, idleMs = IDLE_MS): Serve {
  let active = 0;
  /** In use when it was last little. */
  let least: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const rest = () => {
    if (active > 0 || memory.resident() < (least ?? 0) * (1 + GROWN)) return;
    memory.giveBack();
    least = memory.resident();
  };
  return async (request: RestRequest): Promise<RestReply> => {
    active += 1;
    least ??= memory.resident();
    try {
      return await serve(request);
    } finally {
      active -= 1;
      timer = timer?.refresh() ?? setTimeout(rest, idleMs).unref();
    }
  };
}
