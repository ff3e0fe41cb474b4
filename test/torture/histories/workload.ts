import type { Random } from '../../support/random.ts';
import type { Acl, Action, Fields } from '../history/events.ts';
import type { Site } from '../site/site.ts';
import type { Family, Hosts } from './family.ts';
import type { Asked, Recorder } from './recorder.ts';

/** Names of a family in use at a time: few, so that clients collide. */
const NAMES = 2;
/** Calls per name: the checker needs short histories. */
const CALLS_A_NAME = 50;
/** Calls of unknown outcome per name: each doubles the work of the checker. */
const UNKNOWN_A_NAME = 10;
/** Longest pause after a failed call. */
const BACK_OFF_MS = 150;

const ACLS: readonly Omit<Acl, 'owner'>[] = [
  { sharing: 'user', read: [], write: [] },
  { sharing: 'user', read: ['*'], write: ['*'] },
  { sharing: 'app', read: ['*'], write: [] },
  { sharing: 'app', read: ['readers'], write: ['editors'] },
  { sharing: 'global', read: ['user'], write: ['ml_admin'] },
  { sharing: 'app', read: ['ml_user'], write: ['editors', 'ml_user'] },
  { sharing: 'app', read: [], write: ['*'] },
];

interface Name {
  key: string;
  calls: number;
  unknown: number;
  /** The last version that a client saw. */
  version: number;
}

export class Names {
  readonly inUse = new Map<string, Name[]>();
  /** Every name that was in use, by family. */
  readonly used = new Map<string, Set<string>>();
  serial = 0;
}

/** A client that makes random calls allowed by the contract; each has its own seed. */
export class Workload {
  readonly #random: Random;
  readonly #site: Site;
  readonly #hosts: Hosts;
  readonly #recorder: Recorder;
  readonly #families: readonly Family[];
  readonly #pool: Names;

  constructor(random: Random, pool: Names, site: Site, hosts: Hosts, recorder: Recorder, families: readonly Family[]) {
    this.#random = random;
    this.#pool = pool;
    this.#site = site;
    this.#hosts = hosts;
    this.#recorder = recorder;
    this.#families = families;
  }

  async run(label: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const family = this.#random.pick(this.#families);
      const via = this.#random.below(this.#site.bases.length);
      const name = this.#name(family);
      if (name === undefined) await this.#firstOf(family, label, via);
      else await this.#next(family, name, label, via);
      await new Promise((resolve) => setTimeout(resolve, this.#random.below(30)));
    }
  }

  async #next(family: Family, name: Name, client: string, via: number): Promise<void> {
    const action = this.#action(family, name);
    const users = action.kind === 'read' || action.kind === 'list' ? family.readers : family.writers;
    const asked: Asked = { client, via, user: this.#random.pick(users), family, key: name.key, action };
    name.calls += 1;
    const keys = (this.#pool.inUse.get(family.name) ?? []).map(({ key }) => key);
    const before = this.#recorder.events.length;
    const answer = await this.#recorder.make(asked, keys);
    const isUnknown = this.#recorder.events.slice(before).some(({ outcome }) => outcome.kind === 'unknown');
    if (isUnknown && !['read', 'test'].includes(action.kind)) name.unknown += 1;
    if (!answer) await new Promise((resolve) => setTimeout(resolve, this.#random.below(BACK_OFF_MS)));
    const seen = answer && ['create', 'save', 'update', 'read'].includes(action.kind) && family.parseRecord(answer);
    if (seen) name.version = seen.version;
  }

  /** A name in use, or undefined where names are given by the server and one more is due. */
  #name(family: Family): Name | undefined {
    const names = this.#pool.inUse.get(family.name) ?? [];
    this.#pool.inUse.set(family.name, names);
    const index = this.#random.below(NAMES);
    const name = names[index];
    if (name && name.calls < CALLS_A_NAME && name.unknown < UNKNOWN_A_NAME) return name;
    if (family.writes === 'post-with-id') return undefined;
    this.#pool.serial += 1;
    return this.#use(family, `${family.name}-${this.#pool.serial}`, index);
  }

  #use(family: Family, key: string, index: number): Name {
    const name = { key, calls: 0, unknown: 0, version: 1 };
    (this.#pool.inUse.get(family.name) as Name[])[Math.min(index, this.#pool.inUse.get(family.name)?.length ?? 0)] =
      name;
    this.#pool.used.set(family.name, (this.#pool.used.get(family.name) ?? new Set()).add(key));
    return name;
  }

  async #firstOf(family: Family, client: string, via: number): Promise<void> {
    const action: Action = { kind: 'create', fields: this.#allFields(family) };
    const user = this.#random.pick(family.writers);
    const answer = await this.#recorder.make({ client, via, user, family, key: '', action });
    if (answer) this.#use(family, String(answer.json.experiment_id), this.#random.below(NAMES));
  }

  #action(family: Family, name: Name): Action {
    const roll = this.#random.next();
    const condition = this.#random.chance(0.25)
      ? { condition: name.version + this.#random.pick([0, 0, 0, -1, 1]) }
      : {};
    const isGone = this.#random.chance(0.5);
    if (roll < 0.12) return { kind: 'read' };
    if (roll < 0.17) return { kind: 'list' };
    if (roll < 0.37) return family.tests ? { kind: 'test' } : { kind: 'read' };
    if (roll < 0.46) return { kind: 'delete', ...positive(condition) };
    if (family.writes === 'save') return { kind: 'save', fields: this.#allFields(family), ...positive(condition) };
    if (roll < 0.62 && isGone && family.writes === 'create') return { kind: 'create', fields: this.#allFields(family) };
    return { kind: 'update', fields: this.#someFields(family), ...positive(condition) };
  }

  #mark(): string {
    this.#pool.serial += 1;
    return `m${this.#pool.serial}`;
  }

  /** Each secret names the host that it is for. Some take more than one entry of the storage. */
  #secret(host: string): string {
    this.#pool.serial += 1;
    return `key-for-${host}-${this.#pool.serial}${this.#random.chance(0.1) ? `-${'x'.repeat(600)}` : ''}`;
  }

  #allFields(family: Family): Fields & { mark: string; host: string } {
    const host = this.#random.pick(family.places(this.#hosts));
    const isKeyless = family.removesSecret && this.#random.chance(0.2);
    const isKept = family.writes === 'save' && this.#random.chance(0.2);
    return {
      mark: this.#mark(),
      host,
      ...(host === '' || isKept ? {} : { secret: isKeyless ? null : this.#secret(host) }),
      ...(family.hasAcl ? { acl: this.#random.pick(ACLS) } : {}),
    };
  }

  #someFields(family: Family): Fields {
    const host = this.#random.pick(family.places(this.#hosts));
    const roll = this.#random.next();
    const mark = this.#mark();
    if (family.hasAcl && roll < 0.12) return { mark, acl: this.#random.pick(ACLS) };
    if (host === '' || roll < 0.35) return { mark };
    if (roll < 0.45) return { mark, host };
    if (roll < 0.5 && family.removesSecret) return { mark, secret: null };
    return { mark, host, secret: this.#secret(host) };
  }
}

/** Versions begin with 1: a condition of 0 would be refused as a bad value. */
function positive({ condition }: { condition?: number }): { condition?: number } {
  return condition === undefined || condition < 1 ? {} : { condition };
}
