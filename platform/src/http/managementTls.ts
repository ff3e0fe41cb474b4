import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecureContextOptions, TlsOptions } from 'node:tls';
import { createApp } from '../apps/apps.ts';
import { parseBoolean, substitute } from '../confs/conf.ts';
import { writeFileAtomic } from '../home/atomicFile.ts';
import { StartError } from '../home/home.ts';
import { type CertificateKind, serverCertificate } from './certificate.ts';

export interface ManagementTls {
  server: TlsOptions;
  /** For the platform's own calls of the port: trusts its CA alone, and shows the certificate that it may ask for. */
  client: SecureContextOptions;
}

/** How the management port uses TLS: `[sslConfig]` in the server.conf of `etc/system` may ask clients for a certificate. */
export async function managementTls(
  home: string,
  authFolder: string,
  kind: CertificateKind | undefined,
): Promise<ManagementTls> {
  const { key, cert, authority } = await serverCertificate(authFolder, kind);
  writeFileAtomic(join(home, 'etc', 'auth', 'cacert.pem'), authority, 0o644);
  const conf = createApp('system', join(home, 'etc', 'system')).conf('server').sslConfig ?? {};
  const client = { ca: authority, key, cert };
  if (parseBoolean(conf.requireClientCert) !== true) return { server: { key, cert }, client };
  const file = substitute(conf.sslRootCAPath || conf.caCertFile || '', { SPLUNK_HOME: home });
  try {
    const ca = readFileSync(file, 'utf8');
    return { server: { key, cert, requestCert: true, rejectUnauthorized: true, ca }, client };
  } catch (error) {
    throw new StartError(`requireClientCert of server.conf needs a CA: ${(error as Error).message}`);
  }
}
