import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unexpectedReply } from '../../adapters/splunkd/client.ts';
import { setting, splitList } from '../../contract/settings/settings.ts';
import type { Applications } from '../../ports/engines/applications.ts';
import type { Certificates } from '../../ports/engines/certificates.ts';
import type { ConfWriter, ContainerDependencies, PullJob } from '../../ports/engines/containerDependencies.ts';
import type { ContainerEngine, ContainerType, EngineTarget } from '../../ports/engines/containerEngine.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import { lazy } from '../lazy.ts';
import { awsOptions } from './aws.ts';
import { outboundPolicy, type SiteSettings } from './outboundPolicy.ts';
import type { Splunkd, SplunkdAddress } from './splunkd.ts';

/** Input of the pull worker on stdin, since other users can read arguments. */
export interface PullOrder extends PullJob, SplunkdAddress {}

const LAUNCHER = fileURLToPath(new URL('../ml_image_pull.mjs', import.meta.url));

export function containerDependencies(splunkd: Splunkd): ContainerDependencies {
  const { settings, images, address } = splunkd;
  return {
    certificates: lazy<Certificates>(async () =>
      (await import('../../adapters/certificates/certificates.ts')).certificateReader(() =>
        certificateFolders(settings),
      ),
    ),
    applications: lazy<Applications>(async () =>
      (await import('../../adapters/outbound/applications.ts')).applications(await outboundPolicy(settings)),
    ),
    open: async (target, hidden) => openEngine(target, hidden, settings),
    images,
    settings,
    conf: confWriter(splunkd),
    spawnPull: (job) => spawnPull({ ...job, ...address }),
  };
}

/** The platform's certificate folder and those in the settings. */
async function certificateFolders(settings: Settings): Promise<string[]> {
  const home = process.env.SPLUNK_HOME;
  const configured = splitList(setting(await settings.read(), 'containers', 'certificate_folders'));
  // A relative path would depend on the working directory of the platform.
  const more = configured.filter(isAbsolute);
  return [...(home === undefined ? [] : [join(home, 'etc', 'auth')]), ...more];
}

/** Opens engines by type; each library is loaded on first use. */
const OPENERS: { [T in ContainerType]: Opener<T> } = {
  docker: async (target, hidden, settings) => {
    const { DockerEngine } = await import('../../adapters/docker/engine.ts');
    return new DockerEngine(target, hidden, await outboundPolicy(settings));
  },
  kubernetes: async (target, hidden, settings) => {
    const { KubernetesEngine } = await import('../../adapters/kubernetes/engine.ts');
    return new KubernetesEngine(target, hidden, await outboundPolicy(settings), await awsOptions(settings));
  },
};

type Opener<T extends ContainerType> = (
  target: EngineTarget<T>,
  hidden: readonly string[],
  settings: SiteSettings,
) => Promise<ContainerEngine>;

const openEngine = <T extends ContainerType>(
  target: EngineTarget<T>,
  hidden: readonly string[],
  settings: SiteSettings,
) => OPENERS[target.cluster](target, hidden, settings);

const confWriter = ({ client, address: { systemToken: token } }: Splunkd): ConfWriter => ({
  async write(stanza, values) {
    const endpoint = `configs/conf-ml_extension/${stanza}`;
    const reply = await client.call({ method: 'POST', endpoint, token, namespace: 'app', form: values });
    if (reply.status !== 200 && reply.status !== 201) throw unexpectedReply('a write to ml_extension.conf', reply);
  },
});

/** Detached, since the driver may end before the pull. */
function spawnPull(order: PullOrder): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(process.execPath, [LAUNCHER], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(order));
  child.unref();
}
