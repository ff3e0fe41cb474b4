import type { Settings } from '../stores/settings.ts';
import type { ApplicationProbe } from './applicationProbe.ts';
import type { Certificates } from './certificates.ts';
import type { ContainerEngine, EngineTarget } from './containerEngine.ts';

/** A conf setting that the app writes itself. */
export interface ConfWriter {
  write(stanza: string, values: Record<string, string>): Promise<void>;
}

/** Whose pull it is; the worker reads everything else from the stores. */
export interface PullJob {
  key: string;
  mark: string;
  owner: string;
}

/** What containers need beyond the stores. */
export interface ContainerDependencies {
  certificates: Certificates;
  probe: ApplicationProbe;
  /** @param hidden what must not appear in anything said about its calls. @throws OutboundError when the address may not be called */
  open(target: EngineTarget, hidden: readonly string[]): Promise<ContainerEngine>;
  images: Settings;
  settings: Settings;
  conf: ConfWriter;
  /** Starts a process of its own that outlives this one. */
  spawnPull(job: PullJob): void;
}
