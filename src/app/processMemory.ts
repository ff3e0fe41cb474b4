import type { Memory } from '../ports/memory.ts';

type Collect = (how: { type: 'major'; flavor: 'last-resort'; execution: 'sync' }) => void;

let collect: Collect | undefined;

/** Loaded when it is first needed, seconds after a request. */
export const processMemory: Memory = {
  resident: () => process.memoryUsage.rss(),
  giveBack() {
    collect ??= collector();
    // As if memory had run out: V8 gives back what it keeps for growing, and code that has not run for long.
    collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
  },
};

/**
 * V8 shows it to contexts that are made while the flag is set, which does not stay so: with other flags compiled code that was kept would
 * not be used.
 */
function collector(): Collect {
  const v8 = process.getBuiltinModule('node:v8');
  v8.setFlagsFromString('--expose-gc');
  try {
    return process.getBuiltinModule('node:vm').runInNewContext('gc') as Collect;
  } finally {
    v8.setFlagsFromString('--no-expose-gc');
  }
}
