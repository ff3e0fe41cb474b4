/** Three numbers below 100, which also form the build number. */
type Parts = readonly [number, number, number];

const MAX_PART = 99;
export const STEPS = ['major', 'minor', 'patch'] as const;
type Step = (typeof STEPS)[number];

/** @throws Error */
function partsOf(version: string): Parts {
  const [, ...parts] = /^(0|[1-9]\d?)\.(0|[1-9]\d?)\.(0|[1-9]\d?)$/.exec(version) ?? [];
  const [major, minor, patch] = parts.map(Number);
  if (major === undefined || minor === undefined || patch === undefined)
    throw new Error(`${version} is no version: it takes three numbers from 0 to ${MAX_PART}, such as 1.2.3`);
  return [major, minor, patch];
}

const number = ([major, minor, patch]: Parts) => (major * 100 + minor) * 100 + patch;
const isStep = (text: string): text is Step => (STEPS as readonly string[]).includes(text);

/**
 * @param requested a version, or the part to increment
 * @throws Error if it is invalid or not higher
 */
export function nextVersion(current: string, requested: string): string {
  const [major, minor, patch] = partsOf(current);
  const stepped = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] };
  const next = isStep(requested) ? stepped[requested].join('.') : requested;
  if (number(partsOf(next)) <= number(partsOf(current)))
    throw new Error(`${next} is not higher than ${current}, the version of package.json`);
  return next;
}

const MANIFESTS = ['package.json', 'client/package.json', 'console/package.json', 'platform/package.json'];
const LOCK = 'package-lock.json';
/** Packages of this project in the lock file. */
const OURS = ['', 'console', 'platform'];

/**
 * Updates the version in handwritten files.
 * @param pages pages that may mention the version
 * @throws Error if a manifest lacks the current version
 */
export function withVersion(
  read: (path: string) => string,
  pages: readonly string[],
  current: string,
  next: string,
): Map<string, string> {
  const files = new Map<string, string>();
  for (const path of MANIFESTS) files.set(path, inManifest(path, read(path), current, next));
  files.set(LOCK, inLock(read(LOCK), current, next));
  for (const path of pages) {
    const text = read(path);
    const changed = text
      .replaceAll(`ml_extension-${current}`, `ml_extension-${next}`)
      .replaceAll(`"version": "${current}"`, `"version": "${next}"`);
    if (changed !== text) files.set(path, changed);
  }
  return files;
}

function inManifest(path: string, text: string, current: string, next: string): string {
  const line = `"version": "${current}"`;
  if (!text.includes(line)) throw new Error(`${path} does not say version ${current}`);
  return text.replace(line, `"version": "${next}"`);
}

function inLock(text: string, current: string, next: string): string {
  const lock = JSON.parse(text) as { version?: string; packages: Record<string, { version?: string }> };
  const entries: { version?: string }[] = [lock, ...OURS.map((path) => lock.packages[path] ?? {})];
  for (const entry of entries) {
    if (entry.version !== current) throw new Error(`${LOCK} does not say version ${current}: run npm install`);
    entry.version = next;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}
