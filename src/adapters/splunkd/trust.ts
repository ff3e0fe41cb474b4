import type { ConnectionOptions, DetailedPeerCertificate, PeerCertificate } from 'node:tls';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
/** Settings of `[sslConfig]` that name the CA of splunkd's own certificate; the first one that is set counts. */
const CA_SETTINGS = ['sslRootCAPath', 'caCertFile'] as const;

/** Failures to verify the certificate of the port. */
const UNTRUSTED = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_)/;
/** How a port refuses a client without a certificate. */
const REFUSED = /alert (?:handshake failure|certificate required|bad certificate|unknown ca)/i;

/** Whether a call failed for a reason that certificates resolve. */
export const isCertificateProblem = (cause: unknown): boolean => {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  return UNTRUSTED.test(String(code)) || REFUSED.test(String(message));
};

/**
 * How the management port is verified where it is not on loopback: its certificate may come from a known CA, for its name, or from the
 * CA of splunkd itself, whose certificates have no name of a host.
 * @param home $SPLUNK_HOME
 */
export function splunkdTrust(home: string | undefined): ConnectionOptions {
  const tls = process.getBuiltinModule('node:tls');
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  const own = home === undefined ? [] : ownCertificates(home);
  const prints = new Set(own.map((certificate) => new X509Certificate(certificate).fingerprint256));
  return {
    rejectUnauthorized: true,
    allowPartialTrustChain: true,
    ca: [...tls.rootCertificates, ...own],
    checkServerIdentity: (host, certificate) =>
      isIssuedBy(prints, certificate) ? undefined : tls.checkServerIdentity(host, certificate),
  };
}

function isIssuedBy(prints: ReadonlySet<string>, certificate: PeerCertificate): boolean {
  // A certificate that issued itself is its own issuer.
  const checked = new Set<string>();
  let issuer: DetailedPeerCertificate | undefined = certificate as DetailedPeerCertificate;
  while (issuer && !checked.has(issuer.fingerprint256)) {
    if (prints.has(issuer.fingerprint256)) return true;
    checked.add(issuer.fingerprint256);
    issuer = issuer.issuerCertificate;
  }
  return false;
}

/** The certificates of the CA that server.conf names; none if the file cannot be read. */
function ownCertificates(home: string): string[] {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const path = caPath(home);
  if (path === undefined) return [];
  try {
    return readFileSync(path, 'utf8').match(PEM) ?? [];
  } catch {
    // The certificate is then refused, and the failure says what to set.
    return [];
  }
}

/** The path in the layer of server.conf that wins, as splunkd orders them. */
function caPath(home: string): string | undefined {
  const { join } = process.getBuiltinModule('node:path');
  const layers = serverConfs(home).map(sslConfigOf);
  for (const name of CA_SETTINGS) {
    const value = layers.map((settings) => settings[name]).find((text) => text !== undefined);
    if (value) return join(value.replace(/^\$SPLUNK_HOME(?=\/|$)/, home));
  }
  return undefined;
}

/** The texts of server.conf, the winning one first. */
function serverConfs(home: string): string[] {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs');
  const etc = `${home}/etc`;
  const attempt = <T>(read: () => T, none: T): T => {
    try {
      return read();
    } catch {
      return none;
    }
  };
  const apps = attempt(() => readdirSync(`${etc}/apps`).sort(), []);
  const inApps = (layer: string) => apps.map((app) => `${etc}/apps/${app}/${layer}`);
  const folders = [`${etc}/system/local`, ...inApps('local'), ...inApps('default'), `${etc}/system/default`];
  return folders.map((folder) => attempt(() => readFileSync(`${folder}/server.conf`, 'utf8'), '')).filter(Boolean);
}

function sslConfigOf(conf: string): Record<string, string> {
  const settings: Record<string, string> = {};
  let stanza = '';
  for (const line of conf.split(/\r?\n/)) {
    const header = /^\s*\[([^\]]*)\]/.exec(line);
    if (header) stanza = header[1] ?? '';
    const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (stanza === 'sslConfig' && name !== undefined) settings[name] = value ?? '';
  }
  return settings;
}
