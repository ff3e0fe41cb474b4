import { spawn } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SplunkdClient, unexpected } from '../adapters/splunkd/client.ts';
import { SettingsCache } from '../adapters/splunkd/settings.ts';
import type { ContainerPeers, PullJob } from '../families/containers/runtime/peers.ts';
import type { Certificates } from '../ports/certificates.ts';
import type { HostClock } from '../ports/clock.ts';
import type { ContainerEngine, EngineTarget } from '../ports/containerEngine.ts';
import type { Settings } from '../ports/settings.ts';
import { awsOptions } from './cloudPeers.ts';
import { outboundPolicy, type SiteSettings } from './peers.ts';

/** The platform as the app itself reaches it. */
export interface PlatformAccess {
  client: SplunkdClient;
  serverUri: string;
  serverId: string | undefined;
  token: string;
  settings: SiteSettings;
  clock: HostClock;
}

/** What the pull worker is told on its stdin; nothing of it may stand in arguments that everybody can read. */
export interface PullOrder extends PullJob {
  serverUri: string;
  serverId: string | undefined;
  token: string;
}

const images = new SettingsCache('ml_images');
const LAUNCHER = fileURLToPath(new URL('../ml_image_pull.mjs', import.meta.url));

export function containerPeers({
  client,
  serverUri,
  serverId,
  token,
  settings,
  clock,
}: PlatformAccess): ContainerPeers {
  const certificates = async (): Promise<Certificates> =>
    (await import('../adapters/certificates/certificates.ts')).certificateReader(() => certificateFolders(settings));
  let reader: Certificates | undefined;
  return {
    certificates: {
      read: async (text) => {
        reader ??= await certificates();
        return reader.read(text);
      },
      readKey: async (text) => {
        reader ??= await certificates();
        return reader.readKey(text);
      },
      // Both were read before, so the reader is there.
      match: (certificate, key) => reader?.match(certificate, key) ?? false,
    },
    probe: {
      probe: async (...args) =>
        (await import('../adapters/application/probe.ts'))
          .applicationProbe(await outboundPolicy(settings))
          .probe(...args),
    },
    open: async (target) => openEngine(target, settings),
    images: images.for(client, token, clock),
    settings,
    conf: {
      async write(stanza, values) {
        const endpoint = `configs/conf-ml_extension/${stanza}`;
        const reply = await client.call({ method: 'POST', endpoint, token, namespace: 'app', form: values });
        if (reply.status !== 200 && reply.status !== 201) throw unexpected('a write to ml_extension.conf', reply);
      },
    },
    spawnPull: (job) => spawnPull({ ...job, serverUri, serverId, token }),
  };
}

/** The platform's own folder for certificates, and those that the administrator names. */
async function certificateFolders(settings: Settings): Promise<string[]> {
  const home = process.env.SPLUNK_HOME;
  const named = (await settings.read()).containers?.certificate_folders ?? '';
  const more = named
    .split(',')
    .map((folder) => folder.trim())
    // A relative one would begin wherever the platform was started.
    .filter(isAbsolute);
  return [...(home === undefined ? [] : [join(home, 'etc', 'auth')]), ...more];
}

/** Each library is loaded by the first call that needs it, and by no other. */
async function openEngine(target: EngineTarget, settings: SiteSettings): Promise<ContainerEngine> {
  const policy = await outboundPolicy(settings);
  if (target.cluster === 'docker') {
    const { DockerEngine } = await import('../adapters/docker/engine.ts');
    return new DockerEngine(target, policy);
  }
  const { KubernetesEngine } = await import('../adapters/kubernetes/engine.ts');
  return new KubernetesEngine(target, policy, await awsOptions(settings));
}

/** Detached: the driver that starts it may be ended at any idle moment, and has to be able to end before it. */
function spawnPull(order: PullOrder): void {
  const child = spawn(process.execPath, [LAUNCHER], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(order));
  child.unref();
}
