import { readdirSync, rmSync } from 'node:fs';
import { Fault } from '../../contract/codes/faults.ts';
import type { PassageFile, PassageFiles } from '../../ports/knowledge/passageFiles.ts';
import { assertPrivate } from '../privateFolder.ts';
import { sqlite } from '../sqlite.ts';
import { asFault } from './broken.ts';
import { StoreFile, type TakeLock } from './storeFile.ts';
import { TOKENIZER } from './terms.ts';

/** Files that a process keeps open. */
const MOST_OPEN = 8;

/** Why this Node cannot keep passages; undefined if it can. */
function missingFeature(): string | undefined {
  try {
    const database = new (sqlite().DatabaseSync)(':memory:');
    try {
      database.exec(
        `CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, tokenize='${TOKENIZER}')`,
      );
    } finally {
      database.close();
    }
    return undefined;
  } catch {
    return `Stores in the platform need node:sqlite with FTS5, which this Node ${process.version} lacks: use Node 24, or the package with the runtime`;
  }
}

/** @param folder absolute; made if it is missing */
export function passageFiles(folder: string, lock: TakeLock): PassageFiles {
  const opened = new Map<string, StoreFile>();
  let isChecked = false;
  const check = (): void => {
    if (isChecked) return;
    const problem = missingFeature();
    if (problem) throw new Fault('not_supported', problem);
    isChecked = true;
  };
  const prepareFolder = (): void => {
    try {
      assertPrivate(folder);
    } catch (error) {
      throw asFault(error, folder);
    }
  };
  return {
    missing: async () => missingFeature(),
    async open(uid): Promise<PassageFile> {
      check();
      prepareFolder();
      const file = opened.get(uid) ?? new StoreFile(folder, uid, lock);
      opened.delete(uid);
      opened.set(uid, file);
      for (const [old, each] of opened) {
        if (opened.size <= MOST_OPEN) break;
        opened.delete(old);
        each.close();
      }
      return file;
    },
    async sweep(present) {
      prepareFolder();
      const names = readdirSync(folder);
      if (names.length === 0) return;
      const uids = await present();
      for (const name of names) {
        const uid = name.slice(0, name.indexOf('.'));
        if (uids.has(uid)) continue;
        opened.get(uid)?.close();
        opened.delete(uid);
        rmSync(`${folder}/${name}`, { force: true });
      }
    },
  };
}
