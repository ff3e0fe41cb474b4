import { type BigIntStats, statSync } from 'node:fs';
import { type Conf, mergeConf, readConf } from './conf.ts';

interface CachedFile {
  stamp: string;
  conf: Conf;
}

/** Files modified within this time are not cached: file times have a coarse resolution. */
const UNSETTLED_MS = 100n;

/** Caches conf files by stat. Results are frozen since callers share them. */
export class ConfFiles {
  readonly #files = new Map<string, CachedFile>();
  readonly #merged = new Map<string, { layers: Conf[]; conf: Conf }>();

  read(file: string): Conf {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    const stamp = stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}` : 'none';
    const cached = this.#files.get(file);
    if (cached?.stamp === stamp) return cached.conf;
    const conf = freeze(readConf(file));
    if (isOldEnough(stat)) this.#files.set(file, { stamp, conf });
    else this.#files.delete(file);
    return conf;
  }

  /** Merges the layers, the last one wins. */
  readMerged(...files: string[]): Conf {
    const layers = files.map((file) => this.read(file));
    const key = files.join('\0');
    const cached = this.#merged.get(key);
    if (cached?.layers.every((layer, index) => layer === layers[index])) return cached.conf;
    const conf = freeze(mergeConf(...layers));
    this.#merged.set(key, { layers, conf });
    return conf;
  }
}

function isOldEnough(stat: BigIntStats | undefined): boolean {
  // ctime moves with every write and cannot be set back, unlike mtime.
  return stat === undefined || BigInt(Date.now()) - stat.ctimeNs / 1_000_000n > UNSETTLED_MS;
}

function freeze(conf: Conf): Conf {
  for (const stanza of Object.values(conf)) Object.freeze(stanza);
  return Object.freeze(conf);
}
