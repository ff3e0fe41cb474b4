/** A fault of the kind that the suite is there to find, put back into a copy of the source. */
export interface PlantedFault {
  name: string;
  file: string;
  /** Stands in the file exactly once: a fault that cannot be planted any more is told, not passed over. */
  find: string;
  replace: string;
  exercise: Exercise;
  /** The finding that it must lead to. */
  seen: RegExp;
}

/**
 * - `duel`: a connection carried between two hosts while others test it
 * - `calm`: clients of every kind, no harm
 * - `kills`: the same while drivers are killed in slow stores
 * - `aftermath`: kills, then a minute of quiet
 * - `skew`: a duel through two members whose clocks differ
 * - `resets`: connections to the KV store are reset after the work was done
 */
export type Exercise = 'duel' | 'calm' | 'kills' | 'aftermath' | 'skew' | 'resets';

const SEALED = 'src/domain/sealed.ts';
const CONTRADICTION = /contradict one another/;

export const FAULTS: readonly PlantedFault[] = [
  {
    name: 'a new secret is handed out with the old address',
    file: SEALED,
    find: 'return new Unsealed(now, JSON.parse(text) as Secrets);',
    replace: 'return new Unsealed(record, JSON.parse(text) as Secrets);',
    exercise: 'duel',
    seen: /which was given for/,
  },
  {
    name: 'the lease of a record is ignored',
    file: 'src/domain/leases.ts',
    find: 'if (await this.#insert(doc)) return this.#lease(doc, ttlMs);',
    replace: 'await this.#insert(doc); if (doc) return this.#lease(doc, ttlMs);',
    exercise: 'duel',
    seen: CONTRADICTION,
  },
  {
    name: 'the version that a caller saw is not asked for',
    file: SEALED,
    find: 'if (condition === undefined || condition === record.version) return;',
    replace: 'if (record.version > 0) return;',
    exercise: 'calm',
    seen: CONTRADICTION,
  },
  {
    name: 'stored secrets follow to another host',
    file: 'src/domain/binding.ts',
    find: 'const changed = changedReceivers(binding, before, after);',
    replace: 'const changed = changedReceivers(binding, before, before);',
    exercise: 'calm',
    seen: /contradict one another|which was given for/,
  },
  {
    name: 'one call in fifty leaves no entry in the audit trail',
    file: 'src/rest/recording.ts',
    find: 'if (this.#isPlain()) return;\n    const entry = this.#open();',
    replace: 'if (this.#isPlain() || Math.random() < 0.02) return;\n    const entry = this.#open();',
    exercise: 'calm',
    seen: /fewer entries than answers/,
  },
  {
    name: 'a name is looked at and not taken by the insert',
    file: 'src/adapters/splunkd/recordStore.ts',
    find: "const reply = await call('POST', collection, { json: doc, repeatable: true });",
    replace:
      "let reply = await call('POST', collection, { json: doc, repeatable: true }); if (reply.status === 409 && !collection.includes('leases')) reply = await call('POST', at(collection, doc._key), { json: doc });",
    exercise: 'duel',
    seen: /winners/,
  },
  {
    name: 'a deletion takes the secret before the record',
    file: SEALED,
    find: 'prepared = await this.#keeper.prepareRemoval(record.secret_ref);',
    replace: 'prepared = await this.#keeper.prepareRemoval(record.secret_ref); await this.#keeper.written(prepared);',
    exercise: 'kills',
    seen: /its secret is not whole|contradict one another/,
  },
  {
    name: 'a record is written before its secret',
    file: 'src/domain/secretKeeper.ts',
    find: 'if (ref !== null && value !== undefined) await store.put(ref, value);',
    replace:
      'if (ref !== null && value !== undefined) setTimeout(() => void store.put(ref, value).catch(() => {}), 400);',
    exercise: 'kills',
    seen: /its secret is not whole|contradict one another/,
  },
  {
    name: 'leases go by the clock of another host',
    file: 'src/domain/leases.ts',
    find: 'if (holder.domain === this.#clock.domain) return this.#clock.monotonic() >= (holder.until ?? 0);',
    replace: 'if (holder.domain !== undefined) return this.#clock.now() >= holder.expires_at;',
    exercise: 'skew',
    seen: CONTRADICTION,
  },
  {
    name: 'an insert is repeated after a reset, and what it finds is taken for another writer',
    file: 'src/adapters/splunkd/recordStore.ts',
    find: 'if (reply.status === 409 && !reply.repeated) return false;',
    replace: 'if (reply.status === 409) return false;',
    exercise: 'resets',
    seen: /contradict one another|its secret is not whole/,
  },
  {
    name: 'nothing is swept',
    file: 'src/domain/journal.ts',
    find: 'if (entries.length === 0 && leases.length === 0) return;',
    replace: 'if (entries.length + leases.length >= 0) return;',
    exercise: 'aftermath',
    seen: /left over/,
  },
];
