import type { ApplicationProbe } from '../../../ports/applicationProbe.ts';
import type { Certificates } from '../../../ports/certificates.ts';
import type { ContainerEngine, EngineTarget } from '../../../ports/containerEngine.ts';
import type { Settings } from '../../../ports/settings.ts';
import type { ConfWriter } from './installation.ts';

/** Whose pull it is; the worker reads everything else from the stores. */
export interface PullJob {
  key: string;
  mark: string;
  owner: string;
}

/** What the container family reaches outside the stores. Libraries are loaded by the first call that needs them. */
export interface ContainerPeers {
  certificates: Certificates;
  probe: ApplicationProbe;
  /** @throws OutboundError when the address may not be called */
  open(target: EngineTarget): Promise<ContainerEngine>;
  images: Settings;
  settings: Settings;
  conf: ConfWriter;
  /** Starts a process of its own that outlives this one. */
  spawnPull(job: PullJob): void;
}
