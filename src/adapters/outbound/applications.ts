import type { Applications, ApplicationTarget } from '../../ports/engines/applications.ts';
import { axiosSend } from './axiosSend.ts';
import { createOutbound, type OutboundPolicy } from './outbound.ts';

/** Calls applications in containers under the outbound policy. */
export function applications(policy: OutboundPolicy): Applications {
  const outbound = createOutbound(policy, undefined, axiosSend);
  return {
    async request(target, { method, path, body, headers: more, deadline, maxBytes }) {
      let fingerprint: string | undefined;
      const { status, headers, text } = await outbound.request({
        method,
        url: `${target.url}${path}`,
        headers: {
          Accept: 'application/json',
          ...more,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(target.token === undefined ? {} : { Authorization: `Bearer ${target.token}` }),
        },
        body,
        deadline,
        maxBytes,
        secrets: [target.token],
        ...trustOf(target, (certificate) => {
          fingerprint = certificate;
        }),
      });
      return { status, headers, text, fingerprint };
    },
  };
}

/**
 * The images' default certificate is self-signed for a name that no host has. Without certificates in the connection, the
 * first certificate is pinned and any other is refused.
 */
function trustOf(target: ApplicationTarget, onTrusted: (fingerprint: string) => void) {
  if (target.certificates !== undefined) {
    return { verifyTls: true, caCertificate: target.certificates, checkHostname: target.checkHostname };
  }
  return {
    verifyTls: target.checkHostname,
    pinned: (fingerprint: string) => {
      if (target.fingerprint !== undefined && target.fingerprint !== '' && target.fingerprint !== fingerprint)
        return false;
      onTrusted(fingerprint);
      return true;
    },
  };
}
