import { text } from 'node:stream/consumers';
import { contract } from '#contract';
import { SplunkdClient } from '../adapters/splunkd/client.ts';
import { splunkdRecords } from '../adapters/splunkd/recordStore.ts';
import { splunkdSecrets } from '../adapters/splunkd/secretStore.ts';
import { SettingsCache } from '../adapters/splunkd/settings.ts';
import { PROXY, splunkdSiteCredentials } from '../adapters/splunkd/siteCredentials.ts';
import { FAMILY } from '../families/containers/connections/records.ts';
import { ContainerConnections } from '../families/containers/connections/service.ts';
import { Engines } from '../families/containers/runtime/engines.ts';
import { runPull } from '../families/containers/runtime/pullWorker.ts';
import { Runtimes } from '../families/containers/runtime/store.ts';
import { hostClock } from './clock.ts';
import { containerPeers, type PullOrder } from './containerPeers.ts';
import { stderrLog } from './stderrLog.ts';
import { verifyAlways } from './verifyAlways.ts';

/** The detached process that pulls one image and starts its container. Its order comes on stdin. */
verifyAlways();
const order = JSON.parse(await text(process.stdin)) as PullOrder;
const client = new SplunkdClient(order.serverUri);
const { token, serverUri, serverId } = order;
const clock = hostClock(serverId ?? serverUri);
const settings = {
  ...new SettingsCache().for(client, token, clock),
  proxy: splunkdSiteCredentials(client, token, PROXY),
};
const stores = {
  records: splunkdRecords(client, token),
  secrets: splunkdSecrets(client, token),
  clock,
  log: stderrLog(),
  newId: () => globalThis.crypto.randomUUID(),
};
const peers = containerPeers({ client, serverUri, serverId, token, settings, clock });
const connections = new ContainerConnections({
  stores,
  secretPaths: contract.secrets[FAMILY] ?? [],
  certificates: peers.certificates,
  settings,
});

process.on('SIGTERM', () => process.exit(0));
try {
  await runPull(new Engines(connections, peers), new Runtimes(stores), order);
} finally {
  // Kept connections must not hold a process whose work is done.
  process.exit();
}
