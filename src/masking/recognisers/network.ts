import { before, type Sink } from '../spans/span.ts';
import { addressText, isLikely6, isNoMachine, parseAddress } from '../text/addresses.ts';
import { isWordAt } from '../text/letters.ts';

const IPV4 = /(?<![\w.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?:\/\d{1,2}(?![\w./]))?(?!\w|\.\d)/g;
const REVERSED = /^\.in-addr\.arpa(?![\w-])/i;
/** Words before a number of four parts that make it a version. */
const VERSION_WORD =
  /(?:\b(?:v|ver|vers|version|build|release|rel|rev|revision|firmware|agent|patch|appver|os|kernel|openssl|openssh|android|windows|linux|ubuntu|debian|ios|ipados|macos|chrome|chromium|firefox|safari|edge|opera|java|jdk|jre|python|php|nginx|apache|tomcat|node|docker|kubernetes|splunk|office|sdk|driver|\.net|netfx|client_version|software_version)|(?:version|ver|_os))["']?[ =:]{0,3}["']?$|(?<![\w.])v$/i;
/** `Chrome/` and `curl/`, but not `inside/` of a firewall. */
const PRODUCT =
  /(?:^|[\s"'(;,=])(?:[A-Z][A-Za-z]{1,30}|curl|wget|nginx|openssl|python|python-requests|okhttp|go-http-client|node|libcurl)\/$/;

export function addresses4(text: string, sink: Sink): void {
  if (!text.includes('.')) return;
  for (const match of text.matchAll(IPV4)) {
    const [name] = match;
    const address = parseAddress(name);
    if (!address || isNoMachine(address)) continue;
    const context = before(text, match.index);
    if (VERSION_WORD.test(context) || PRODUCT.test(context)) continue;
    const end = match.index + name.length;
    const reversed = REVERSED.exec(text.slice(end, end + 20));
    if (reversed) sink.take('ipv4', match.index, end + reversed[0].length, name.split('.').reverse().join('.'));
    else sink.take('ipv4', match.index, end);
  }
}

const IPV6 =
  /(?<![\w:.])(?=[0-9a-f]{0,4}:[0-9a-f]{0,4}:)[0-9a-f:]{2,41}(?:(?:\.\d{1,3}){3}(?!\w|\.\d))?(?:%[\w-]{1,15})?(?:\/\d{1,3}(?![\w./]))?/iy;
const LONGEST_GROUP = 4;
const PAIRS = /^(?:[0-9a-f]{2}:){7}[0-9a-f]{2}$/i;

export function addresses6(text: string, sink: Sink): void {
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let start = colon;
    while (colon - start < LONGEST_GROUP && isWordAt(text, start - 1)) start -= 1;
    IPV6.lastIndex = start;
    const candidate = IPV6.exec(text)?.[0];
    if (candidate === undefined) continue;
    takeAddress6(text, sink, start, candidate);
    colon = start + candidate.length - 1;
  }
}

function takeAddress6(text: string, sink: Sink, start: number, candidate: string): void {
  const name = likelyName(candidate);
  if (name === undefined || isWordAt(text, start + name.length)) return;
  const address = parseAddress(name);
  if (!address || isNoMachine(address) || PAIRS.test(name)) return;
  if (name.includes('::') && !isLikely6(address)) return;
  const kind = address.bytes.length === 4 ? 'ipv4' : 'ipv6';
  sink.take(kind, start, start + name.length, addressText(address));
}

/** The address itself: a colon of the sentence or a port may follow. */
function likelyName(text: string): string | undefined {
  if (parseAddress(text)) return text;
  const shorter = [text.replace(/:$/, ''), text.replace(/:\d{1,5}$/, '')];
  return shorter.find((name) => name !== text && parseAddress(name) !== undefined);
}

const MAC =
  /(?<![\w:.-])(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}(?!\w|[:-][0-9a-f])|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?!\w|\.\w))/gi;
const BARE_MAC = /(?<![A-Za-z0-9])(?:mac|hwaddr|mac_?addr(?:ess)?)["']?[ =:]{1,3}["']?([0-9a-f]{12})(?!\w)/gi;

export function macs(text: string, sink: Sink): void {
  for (const match of text.matchAll(MAC)) {
    const digits = match[0].replace(/[^0-9a-f]/gi, '');
    // Groups of digits alone are numbers of contracts and the like.
    if (match[1] === undefined && !/[a-f]/i.test(digits)) continue;
    if (!isNoDevice(digits)) sink.take('mac', match.index, match.index + match[0].length);
  }
  for (const match of text.matchAll(BARE_MAC)) {
    const [whole, digits = ''] = match;
    const end = match.index + whole.length;
    if (!isNoDevice(digits)) sink.take('mac', end - digits.length, end);
  }
}

const isNoDevice = (digits: string): boolean => /^(?:0{12}|f{12})$/i.test(digits);
