import { text } from 'node:stream/consumers';
import { contract } from '#contract';
import { createSystemStores, createTrailState } from '../app/dependencies/auditTrail.ts';
import { containerDependencies, type PullOrder } from '../app/dependencies/containers.ts';
import { enforceTlsVerification } from '../app/dependencies/outboundPolicy.ts';
import { splunkds } from '../app/dependencies/splunkd.ts';
import { stderrLog } from '../app/stderrLog.ts';
import { loadImagePull } from '../families/containers/public.ts';

/** The detached process that pulls one image and starts its container, with its input on stdin. */
enforceTlsVerification();
const LAST_EVENTS_MS = 2000;
const { serverUri, serverId, systemToken, ...job } = JSON.parse(await text(process.stdin)) as PullOrder;
// Not a request, so it takes no slot.
const admitAlways = () => ({ enter: async () => {}, leave() {} });
const trail = createTrailState();
const splunkd = splunkds(stderrLog(), trail.background.defer, admitAlways)({ serverUri, serverId, systemToken });

process.on('SIGTERM', () => process.exit(0));

try {
  await splunkd.schema.assertCurrent(splunkd.stores);
  const { pullImage } = await loadImagePull();
  await pullImage(createSystemStores(splunkd, trail), containerDependencies(splunkd), contract.plans, job);
} finally {
  await trail.background.drain(LAST_EVENTS_MS);
  // Open keep-alive connections must not delay the exit.
  process.exit();
}
