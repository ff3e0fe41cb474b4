import { Fault } from '../../../contract/codes/faults.ts';
import type { PassageFiles } from '../../../ports/knowledge/passageFiles.ts';
import { lazy } from '../../lazy.ts';
import { takeSlot } from '../slots.ts';

let opened: Promise<PassageFiles> | undefined;

async function openFiles(): Promise<PassageFiles> {
  const home = process.env.SPLUNK_HOME;
  if (home === undefined) throw new Fault('store_unavailable', 'SPLUNK_HOME is not set');
  const { passageFiles } = await import('../../../adapters/knowledge/passageFiles.ts');
  // A folder for each account, as that of slots.
  const folder = `${home}/var/lib/ml_extension/knowledge.${process.getuid?.()}`;
  return passageFiles(folder, (name, waitMs) => takeSlot(name, 1, waitMs));
}

/** Kept, since files stay open between requests. */
export const memberPassages = (): PassageFiles => lazy<PassageFiles>(() => (opened ??= openFiles()));
