/** How often the cloud is asked about an agent's state: monitors schedule their polls by it, and the app enforces it. */

const FIRST_MS = 1000;
const GROWTH = 1.6;
/** While there is trouble. */
const LONGEST_MS = 30_000;
const JITTER = 0.2;

/** No monitor waits less unless it is told to. */
export const SHORTEST_WAIT_MS = FIRST_MS * (1 - JITTER);
/** The longest wait between two looks that a monitor can be told, in seconds. */
export const INTERVAL_S = { min: 0.1, max: 60 };

export interface Looks {
  /** Polls of the cloud so far, whoever made them. */
  polls: number;
  /** How many of them, the last ones, had trouble. */
  troubles: number;
}

/**
 * The wait after so many polls. It grows to the interval, and beyond it while there is trouble, with a jitter that differs
 * from agent to agent and from poll to poll. All monitors of one agent come to the same wait, so that together they ask no
 * more often than one of them.
 */
export function waitMs(name: string, { polls, troubles }: Looks, intervalS: number): number {
  const usual = Math.min(intervalS * 1000, FIRST_MS * GROWTH ** Math.max(0, polls - 1));
  const longest = troubles === 0 ? usual : Math.min(LONGEST_MS, intervalS * 1000 * 2 ** troubles);
  return longest * (1 - JITTER + 2 * JITTER * fraction(`${name.toLowerCase()} ${polls}`));
}

/** From 0 to 1, as if at random (FNV-1a). */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The last letters have hardly reached the upper bits yet.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
