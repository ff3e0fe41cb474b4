import type { OutboundPolicy } from '../../adapters/outbound/outbound.ts';
import type { ProxyCredentials } from '../../adapters/outbound/proxy.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { isOn } from '../../contract/settings/flags.ts';
import { setting, splitList } from '../../contract/settings/settings.ts';
import type { Settings, SiteCredentials } from '../../ports/stores/settings.ts';
import type { Admission } from '../../rest/requestScope.ts';

/** Settings with the credentials of the proxy and the permission to call upstreams. */
export interface SiteSettings extends Settings {
  readonly proxy: SiteCredentials;
  readonly admission: Admission;
}

/** A variable in splunkd's environment must not disable TLS verification of all clients. */
export function enforceTlsVerification(): void {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
}

/** Reads `[outbound]`; ignores proxy variables of the environment. @throws Fault `busy` */
export async function outboundPolicy(settings: SiteSettings): Promise<OutboundPolicy> {
  await settings.admission.enter();
  const stanzas = await settings.recent();
  const allowPrivate = setting(stanzas, 'outbound', 'allow_private');
  const proxyUrl = setting(stanzas, 'outbound', 'proxy_url');
  return {
    // An invalid value means no, since somebody wanted to change the default.
    allowPrivate: allowPrivate === undefined || isOn(allowPrivate),
    ...(proxyUrl === undefined ? {} : { proxyUrl, proxyCredentials: () => readProxyCredentials(settings.proxy) }),
    noProxy: splitList(setting(stanzas, 'outbound', 'no_proxy')),
  };
}

/** @throws OutboundError */
async function readProxyCredentials(proxy: SiteCredentials): Promise<ProxyCredentials | undefined> {
  const entry = await proxy.read('default').catch((cause: unknown) => {
    const message = 'The proxy credentials could not be read from the password storage';
    throw new OutboundError('upstream_error', message, { cause });
  });
  if (entry === undefined) return undefined;
  const { proxyCredentials } = await import('../../adapters/outbound/proxy.ts');
  return proxyCredentials(entry);
}
