import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Fault } from '../contract/codes/faults.ts';
import { assertPrivate } from './privateFolder.ts';
import { SQLITE, sqlite, sqliteCode } from './sqlite.ts';

/** A slot that one caller holds; the kernel frees it when the process ends. */
export interface HostSlot {
  release(): void;
}

const POLL_MS = 50;

/** A collected database would give its lock back. */
const held = new Set<DatabaseSync>();

/**
 * Slots shared by all processes of one machine. A slot is SQLite's lock on an empty file, which the kernel frees when its process
 * ends; the folder belongs to the account of the processes, so that no other one can take a slot.
 */
export class HostSlots {
  readonly #folder: string;
  #isChecked = false;

  /** @param folder absolute; made if it is missing */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Takes one of `count` slots.
   * @param name same for all processes that share the slots
   * @param waitMs how long to wait for one
   * @returns undefined if all slots stay taken
   * @throws Fault `store_unavailable` if the folder cannot be used
   */
  async take(name: string, count: number, waitMs: number): Promise<HostSlot | undefined> {
    const ends = performance.now() + waitMs;
    for (;;) {
      // A random start: callers of the same moment try different slots first.
      const first = Math.floor(Math.random() * count);
      for (let index = 0; index < count; index += 1) {
        const database = this.#lock(`${name.replaceAll('/', '.')}.${(first + index) % count}`);
        if (database) return slotOf(database);
      }
      if (performance.now() >= ends) return undefined;
      await setTimeout(POLL_MS);
    }
  }

  /** Undefined if another holds the slot. */
  #lock(file: string): DatabaseSync | undefined {
    const path = `${this.#folder}/${file}`;
    try {
      if (!this.#isChecked) assertPrivate(this.#folder);
      this.#isChecked = true;
      return lockFile(path);
    } catch (error) {
      if (sqliteCode(error) !== SQLITE.CANNOT_OPEN || !this.#isChecked) throw unusable(this.#folder, error);
    }
    try {
      // The folder may have been removed.
      assertPrivate(this.#folder);
      return lockFile(path);
    } catch (error) {
      throw unusable(this.#folder, error);
    }
  }
}

function slotOf(database: DatabaseSync): HostSlot {
  held.add(database);
  return {
    release() {
      if (held.delete(database)) database.close();
    },
  };
}

/** Undefined if another holds the lock. */
function lockFile(path: string): DatabaseSync | undefined {
  const database = new (sqlite().DatabaseSync)(path);
  try {
    // A journal file would be left behind by a kill.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (sqliteCode(error) === SQLITE.BUSY) return undefined;
    throw error;
  }
}

function unusable(folder: string, cause: unknown): Fault {
  const { code, message } = cause as { code?: string; message: string };
  const reason = code?.startsWith('E') && !code.startsWith('ERR_') ? code : message;
  const text = `Places for requests cannot be kept in ${folder}: ${reason}. The account of splunkd must own this folder and be able to write to it.`;
  return new Fault('store_unavailable', text, {}, { cause });
}
