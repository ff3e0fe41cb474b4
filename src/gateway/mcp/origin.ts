import { Fault } from '../../contract/codes/faults.ts';
import { splitList } from '../../contract/settings/settings.ts';

/**
 * Refuses messages from web pages of other hosts, which a browser may send with the user's credentials.
 * @param allowed `[gateway] allowed_origins`
 * @throws Fault `origin_not_allowed`
 */
export function assertOrigin(origin: string | undefined, host: string | undefined, allowed: string | undefined): void {
  if (origin === undefined) return;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  // A port that is left out is that of the scheme: http://a is not https://a.
  const isSame = (text: string): boolean => {
    const address = text.includes('://') ? text : `${url?.protocol}//${text}`;
    if (!URL.canParse(address)) return false;
    const { protocol, host: named } = new URL(address);
    return protocol === url?.protocol && named === url.host;
  };
  if (url?.host && [...(host === undefined ? [] : [host]), ...splitList(allowed)].some(isSame)) return;
  throw new Fault(
    'origin_not_allowed',
    'Web pages of this origin may not send messages. Name it in [gateway] allowed_origins.',
  );
}
