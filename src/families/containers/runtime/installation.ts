import { setting } from '../../../contract/settings/settings.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { ConfWriter } from '../../../ports/engines/containerDependencies.ts';
import type { Doc } from '../../../ports/stores/recordStore.ts';
import type { Settings } from '../../../ports/stores/settings.ts';

const COLLECTION = 'ml_containers_installation';
const KEY = 'installation';

export interface InstallationDoc extends Doc {
  id: string;
}

/**
 * The id in the labels of our containers. The record store makes it unique; the conf file preserves it if the store is
 * lost, so that running containers are found again.
 */
export async function installationId(stores: Stores, settings: Settings, conf: ConfWriter): Promise<string> {
  const configured = setting(await settings.read(), 'containers', 'installation_id');
  if (configured) return configured;
  const document = await stores.records.get<InstallationDoc>(COLLECTION, KEY);
  const id = document?.id ?? (await createId(stores));
  try {
    await conf.write('containers', { installation_id: id });
  } catch {
    stores.log.warn('installation_id_not_kept', { collection: COLLECTION });
  }
  return id;
}

async function createId(stores: Stores): Promise<string> {
  const id = globalThis.crypto.randomUUID();
  if (await stores.records.insert<InstallationDoc>(COLLECTION, { _key: KEY, id })) return id;
  return (await stores.records.get<InstallationDoc>(COLLECTION, KEY))?.id ?? id;
}
