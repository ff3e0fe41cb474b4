import { OutboundError } from '../../../../contract/codes/outbound.ts';
import { isOn } from '../../../../contract/settings/flags.ts';
import { setting, splitList } from '../../../../contract/settings/settings.ts';
import { within } from '../../../../domain/async/deadline.ts';
import type { UnsealedRecord } from '../../../../domain/records/sealedRecord.ts';
import type { Secrets } from '../../../../domain/secrets/secrets.ts';
import type { ApplicationTarget } from '../../../../ports/engines/applications.ts';
import type { Deadline } from '../../../../ports/platform/clock.ts';
import { type ProbeResult, probeApplication } from '../../../../predictions/containers/probe.ts';
import { protocolOf } from '../../../../predictions/containers/registry.ts';
import { reachOf } from '../../connections/addresses.ts';
import type { ConnectionStored } from '../../connections/records.ts';
import { readCertificates } from '../../connections/target.ts';
import type { EngineKind } from '../../engines/engineKind.ts';
import type { Fields } from '../../engines/fields.ts';
import type { Engines } from '../engines.ts';
import type { RuntimeStored } from '../records.ts';

/** Timeout of a probe or an engine call. */
export const CALL_MS = 5000;
const DEFAULT_APPLICATIONS = ['data science', 'deep learning'];

export const NOT_PROBED = 'not_probed';

export const isReached = (kind: EngineKind, connection: ConnectionStored, record: RuntimeStored): boolean =>
  record.reach === reachOf(kind, connection);

/** Probes of one connection; settings and certificates are read once. */
export class Probes {
  readonly #engines: Engines;
  readonly #connection: ConnectionStored;
  readonly #secrets: Readonly<Secrets>;
  readonly #deadline: Deadline;
  #certificates: Promise<string | undefined> | undefined;
  #applications: Promise<string[]> | undefined;

  constructor(engines: Engines, { record, secrets }: UnsealedRecord<ConnectionStored>, deadline: Deadline) {
    this.#engines = engines;
    this.#connection = record;
    this.#secrets = secrets;
    this.#deadline = deadline;
  }

  async run(record: RuntimeStored, url: string | undefined, ms = CALL_MS): Promise<ProbeResult> {
    // The token is not sent to addresses from an earlier version of the connection.
    const kind = this.#engines.connections.kindOf(this.#connection);
    if (!url || !isReached(kind, this.#connection, record)) return { error: NOT_PROBED };
    return probeRecord(this.#engines, this.#connection, record, url, {
      secrets: this.#secrets,
      certificates: await this.#certificate(),
      applications: await this.#names(),
      deadline: this.#deadline,
      ms,
    });
  }

  #certificate(): Promise<string | undefined> {
    const text = this.#connection.endpoint_cert_filename_or_path;
    this.#certificates ??= readCertificates(
      this.#engines.connections.certificates,
      'endpoint_cert_filename_or_path',
      text,
    ).catch((error: unknown) => {
      // An unreadable file verifies nothing; store errors are thrown.
      if (error instanceof OutboundError) return '';
      throw error;
    });
    return this.#certificates;
  }

  #names(): Promise<string[]> {
    this.#applications ??= applicationNames(this.#engines);
    return this.#applications;
  }
}

export async function applicationNames(engines: Engines): Promise<string[]> {
  const configured = splitList(setting(await engines.deps.settings.read(), 'containers', 'applications'));
  return configured.length > 0 ? configured : DEFAULT_APPLICATIONS;
}

export interface ProbeParts {
  secrets: Readonly<Secrets>;
  certificates: string | undefined;
  applications: readonly string[];
  deadline: Deadline;
  ms: number;
}

export async function probeRecord(
  engines: Engines,
  fields: Fields,
  record: RuntimeStored,
  url: string,
  parts: ProbeParts,
): Promise<ProbeResult> {
  if (parts.certificates === '' && url.startsWith('https:')) return { error: 'tls_error' };
  using bound = within(parts.deadline, parts.ms);
  const target = targetOf(fields, record, url, parts);
  const terms = { protocol: protocolOf(record.protocol), names: parts.applications, deadline: bound };
  // Awaited, since `bound` is disposed at the end of this block.
  return await probeApplication(engines.deps.applications, target, terms);
}

/** @param certificates accepted from the application; without any, the first one is trusted */
export function targetOf(
  fields: Fields,
  record: Pick<RuntimeStored, 'fingerprint'>,
  url: string,
  { secrets, certificates }: Pick<ProbeParts, 'secrets' | 'certificates'>,
): ApplicationTarget {
  return {
    url,
    token: secrets.api_token,
    certificates: certificates || undefined,
    checkHostname: isOn(fields.endpoint_cert_check_hostname),
    fingerprint: record.fingerprint,
  };
}
