import type { Random } from '../../support/random.ts';
import { ODD_KEYS, oddValue } from './values.ts';

type Json = Record<string, unknown> | unknown[];
const isTree = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Changes a body at some places: another type, a missing field, a key too many. The secrets stay where they are. */
export function mutateBody(random: Random, body: unknown): unknown {
  const copy = structuredClone(body);
  for (let times = 1 + random.below(3); times > 0; times--) {
    if (!isTree(copy)) return oddValue(random);
    mutateAt(random, copy);
  }
  return random.chance(0.03) ? [copy] : copy;
}

function mutateAt(random: Random, tree: Json): void {
  const keys = Object.keys(tree);
  const key = random.pick(keys) ?? 'x';
  const target = tree as Record<string, unknown>;
  const below = target[key];
  if (isTree(below) && random.chance(0.6)) {
    mutateAt(random, below);
    return;
  }
  const roll = random.next();
  if (roll < 0.65) set(target, key, oddValue(random));
  else if (roll < 0.8) delete target[key];
  else set(target, random.pick(ODD_KEYS), random.chance(0.5) ? oddValue(random) : { x: 1 });
}

/** A plain assignment would set the prototype. */
function set(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The body's bytes, now and then broken. */
export function bytesOf(random: Random, body: unknown): Buffer {
  const text = JSON.stringify(body) ?? '';
  const roll = random.next();
  if (roll < 0.8) return Buffer.from(text);
  const bytes = Buffer.from(text);
  const at = random.below(bytes.length + 1);
  if (roll < 0.85) return bytes.subarray(0, at);
  if (roll < 0.9) return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xc3, 0x28]), bytes.subarray(at)]);
  if (roll < 0.93)
    return Buffer.from(text.replaceAll(':1,', ':1e999,').replaceAll('"', random.chance(0.5) ? "'" : '"'));
  if (roll < 0.95) return Buffer.from(`\ufeff${text}`);
  if (roll < 0.97) return Buffer.from(`${text}${text}`);
  if (roll < 0.98) return Buffer.from(text, 'utf16le');
  return Buffer.from('['.repeat(50_000));
}
