import { Fault } from '../../../contract/codes/faults.ts';
import type { Doc, RecordStore } from '../../../ports/stores/recordStore.ts';

export const RUNTIMES = 'ml_containers';

interface RunningModel extends Doc {
  model: string;
  connection_key: string;
}

/** Models with containers on this connection. */
async function usersOf(records: RecordStore, key: string): Promise<string[]> {
  const users = await records.find<RunningModel>(RUNTIMES, { query: { connection_key: key }, fields: ['model'] });
  return users.map((user) => user.model);
}

/** Models by connection key, sorted by name. */
export async function allUsers(records: RecordStore): Promise<ReadonlyMap<string, readonly string[]>> {
  const users = await records.find<RunningModel>(RUNTIMES, { fields: ['model', 'connection_key'] });
  const models = users.sort((a, b) => (a.model < b.model ? -1 : 1));
  return new Map(
    Object.entries(Object.groupBy(models, ({ connection_key }) => connection_key)).map(([key, those = []]) => [
      key,
      those.map(({ model }) => model),
    ]),
  );
}

const inUse = (models: readonly string[], where: string, remedy: string) =>
  new Fault('in_use', `Containers are running ${where}: ${models.join(', ')}; ${remedy}`, { used_by: models });

/** @throws Fault `in_use` */
export async function assertUnused(records: RecordStore, key: string): Promise<void> {
  const models = await usersOf(records, key);
  if (models.length > 0) throw inUse(models, 'through it', 'stop them first');
}

/** For a change to another engine. With force, running containers are a warning. @throws Fault `in_use` */
export async function assertNoneLeftBehind(
  records: RecordStore,
  key: string,
  { isForced, warnings }: { isForced: boolean; warnings: string[] },
): Promise<void> {
  const models = await usersOf(records, key);
  if (models.length === 0) return;
  if (!isForced) {
    const remedy = 'stop them first, or send force=true if that engine is lost';
    throw inUse(models, 'on the engine that it points to now', remedy);
  }
  const list = models.join(', ');
  warnings.push(`These containers stay on the former engine and can no longer be stopped by this app: ${list}`);
}
