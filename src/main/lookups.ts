import type { SplunkdClient } from '../adapters/splunkd/client.ts';
import { Fault } from '../contract/faults.ts';
import type { LookupFiles } from '../ports/lookupFiles.ts';

/** Lookup files with the caller's rights; loaded when one of them is asked for. */
export function lookupPort(client: SplunkdClient, session: string, home: string | undefined): LookupFiles {
  const port = async (): Promise<LookupFiles> => {
    if (home === undefined) throw new Fault('store_unavailable', 'SPLUNK_HOME is not set, so files cannot be found');
    return (await import('../adapters/splunkd/lookupFiles.ts')).splunkdLookups(client, session, home);
  };
  return {
    list: async (...args) => (await port()).list(...args),
    create: async (...args) => (await port()).create(...args),
    replace: async (...args) => (await port()).replace(...args),
    remove: async (...args) => (await port()).remove(...args),
    stat: async (...args) => (await port()).stat(...args),
    head: async (...args) => (await port()).head(...args),
  };
}
