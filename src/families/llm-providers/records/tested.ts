import type { LastTest } from '../../../contract/schemas/common.ts';
import type { SealedRecords } from '../../../domain/records/sealed.ts';
import type { Change } from './changes.ts';
import type { LlmConnection, LlmModel } from './connection.ts';
import { type ActionTarget, savedAs } from './savedAs.ts';
import { assertVersion, conflict, entryOf } from './versions.ts';

/** Tests a configuration that is not saved yet. @throws Fault `verification_refused` */
export type Verify = (to: ActionTarget) => Promise<LastTest>;

/** A configuration is about to be saved. */
export interface Save {
  sealed: SealedRecords<LlmConnection>;
  change: Change;
  /** The version that the caller saw. */
  condition: number | undefined;
  /** Epoch seconds. */
  now(): number;
}

/**
 * A save that has passed its test, with what the test was made on. A connection is shared by its models: somebody may save
 * another one meanwhile, and that matters only if what would be called now is not what was tested.
 */
export class Tested {
  readonly last_test: LastTest;
  readonly #save: Save;
  readonly #entry: LlmModel | undefined;
  readonly #to: ActionTarget;

  private constructor(last_test: LastTest, save: Save, entry: LlmModel | undefined, to: ActionTarget) {
    this.last_test = last_test;
    this.#save = save;
    this.#entry = entry;
    this.#to = to;
  }

  /** Whatever can be refused without a test is refused before it. */
  static async of(save: Save, connection: LlmConnection | undefined, verify: Verify): Promise<Tested> {
    const { sealed, change, condition, now } = save;
    const entry = connection && entryOf(connection, change.input.model);
    // What is wrong with the body comes first, as it does without a test.
    if (change.submitted.problems.length === 0) assertVersion(entry, condition);
    const to = await savedAs(sealed, connection, change, now());
    return new Tested(await verify(to), save, entry, to);
  }

  /** @throws Fault `version_conflict` when somebody has changed the configuration */
  assertEntry(entry: LlmModel | undefined): void {
    const before = this.#entry;
    if (before?.version === entry?.version && before?.created_at === entry?.created_at) return;
    throw conflict('Somebody changed the record while it was being tested: read it again', entry);
  }

  /** @throws Fault `version_conflict` also when it would now be called in another way */
  async assertTarget(connection: LlmConnection | undefined): Promise<void> {
    const { sealed, change, now } = this.#save;
    const entry = connection && entryOf(connection, change.input.model);
    this.assertEntry(entry);
    const { target } = await savedAs(sealed, connection, change, now());
    if (JSON.stringify(target) === JSON.stringify(this.#to.target)) return;
    throw conflict('Somebody changed the connection while it was being tested: try again', entry);
  }
}
