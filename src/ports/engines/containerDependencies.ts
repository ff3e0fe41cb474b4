import type { Settings } from '../stores/settings.ts';
import type { Applications } from './applications.ts';
import type { Certificates } from './certificates.ts';
import type { ContainerEngine, EngineTarget } from './containerEngine.ts';

export interface ConfWriter {
  write(stanza: string, values: Record<string, string>): Promise<void>;
}

/** Identifies the pull; the worker reads everything else from the stores. */
export interface PullJob {
  key: string;
  mark: string;
  owner: string;
}

/** Work that requests of the same moment share. */
export interface SharedLooks {
  share<T>(key: string, look: () => Promise<T>, isKept: (result: T) => boolean): Promise<T>;
}

export interface ContainerDependencies {
  /** Only in a process that calls containers: one that is not Active is looked at once a second. */
  looks?: SharedLooks;
  certificates: Certificates;
  applications: Applications;
  /** @param hidden redacted from messages. @throws OutboundError when the address is blocked */
  open(target: EngineTarget, hidden: readonly string[]): Promise<ContainerEngine>;
  images: Settings;
  settings: Settings;
  conf: ConfWriter;
  /** Starts a detached process. */
  spawnPull(job: PullJob): void;
}
