import { expect } from 'chai';
import { SENTENCE } from '../../src/masking/masking.ts';
import { everything, mask } from './cases.ts';

const policy = { kinds: everything(), regions: ['US', 'DE'] };

/** The parts of a text that are masked, as `kind:part`. */
function parts(text: string): string[] {
  const { places } = mask([text], policy);
  return (places[0] ?? []).map(({ start, end, kind }) => `${kind}:${text.slice(start, end)}`);
}

/** A part of a path, since the tests name no folder of a machine. */
const HOME = '/home';

const FINDS: Readonly<Record<string, readonly string[]>> = {
  'net 192.0.2.7/24, then 192.0.2.7.': ['ipv4:192.0.2.7/24', 'ipv4:192.0.2.7'],
  'denied tcp inside/10.2.54.2(1985) -> outside/192.0.2.9(80)': ['ipv4:10.2.54.2', 'ipv4:192.0.2.9'],
  'Firefox/126.0.0.1 v1.2.3.4 version=10.1.1.1 firmware 4.4.4.4': [],
  'mask 255.255.255.0 and 224.0.0.5 and 1.2.3.4.5': [],
  '[2001:db8::1]:443 and 2001:db8:1:2:3:4:5:6:8080 fe80::1%eth0/64': [
    'ipv6:2001:db8::1',
    'ipv6:2001:db8:1:2:3:4:5:6',
    'ipv6:fe80::1%eth0/64',
  ],
  'a::b std::vector ::1 ff02::1 10:31:07 2026-11-24T10:31:07': [],
  'mac 00-00-5e-00-53-0b, hwaddr 00005e00530b, ff:ff:ff:ff:ff:ff': ['mac:00-00-5e-00-53-0b', 'mac:00005e00530b'],
  'git clone git@git.corp.example:app.git': ['host:git.corp.example'],
  "o'brien+x@example.com, 'ana@example.org' <b_c%d@büro.example>": [
    "email:o'brien+x@example.com",
    'email:ana@example.org',
    'email:b_c%d@büro.example',
  ],
  'https://anna:p%40ss/w@db.corp.example/x?token=abc123def&x=1': [
    'user:anna',
    'url_secret:p%40ss/w',
    'host:db.corp.example',
    'url_secret:abc123def',
  ],
  'redis://:s3cr3t!@cache.internal:6379/0': ['url_secret:s3cr3t!', 'host:cache.internal'],
  'main.rs setup.py java.util.List io.netty.handler user.name = done.In README.md': [],
  'ssh to build.sh? no, https://start.sh/x, and app.corp.example.': ['host:start.sh', 'host:app.corp.example'],
  'HKLM\\Software NT AUTHORITY\\SYSTEM C:\\Temp\\x.txt BUILTIN\\Users': [],
  'CORP\\wks7$ and NORTH\\nina.r and WKS9$ and C$': ['win_user:CORP\\wks7$', 'win_user:NORTH\\nina.r', 'host:WKS9$'],
  'S-1-5-18 S-1-5-21-1-2-3-500 S-1-5-21-1-2-3-1104': ['sid:S-1-5-21-1-2-3-1104'],
  'user=root user=- user=SYSTEM "username":"system:node:a" user= | stats': [],
  [`session opened for user kim(uid=1000), by x; file ${HOME}/mona/a C:\\Users\\Jo Doe\\x`]: [
    'user:kim',
    'user:mona',
    'user:Jo Doe',
  ],
  'waiting for data from disk, blocked by firewall, updated by j.doe': ['user:data', 'user:j.doe'],
  'call 212-555-0143, tel: +49 30 23125 014 at 1764062042113 or 5551234567': [
    'phone:212-555-0143',
    'phone:+49 30 23125 014',
  ],
  'card 4111-1111-1111-1111, 9 5555 5555 5555 4444 9, 4111111111111112': [
    'card:4111-1111-1111-1111',
    'card:5555 5555 5555 4444',
  ],
  'iban GB82 WEST 1234 5698 7654 32 gb82west12345698765432 DE00370400440532013000': [
    'iban:GB82 WEST 1234 5698 7654 32',
    'iban:gb82west12345698765432',
  ],
  'SSN 219099999, 219-09-9999, form 219-09-9998, 900-12-1234': ['us_ssn:219099999', 'us_ssn:219-09-9999'],
  'password="a\\"b c" next DB_PASSWORD=x%20y;z api_key: Kp4zzqq9 secret=null': [
    'password:a\\"b c',
    'password:x%20y',
    'password:Kp4zzqq9',
  ],
  'max_tokens=100 token count, tokens: 5 password: ****** pwd=$PASS secret: {{x}}': [],
  'Set-Cookie: theme=longvalue1; Path=/; Cookie: lang=de; sid=abcdef99': ['password:longvalue1', 'password:abcdef99'],
  'Basic authentication, Authorization: Basic YTpiYzE=': ['password:YTpiYzE='],
  '-----BEGIN RSA PRIVATE KEY-----\nMIIabc+/=\n-----END RSA PRIVATE KEY-----\nx': [
    'pem:-----BEGIN RSA PRIVATE KEY-----\nMIIabc+/=\n-----END RSA PRIVATE KEY-----',
  ],
  '{"k":"-----BEGIN PRIVATE KEY-----\\nMIIabc\\n-----END PRIVATE KEY-----\\n"}': [
    'pem:-----BEGIN PRIVATE KEY-----\\nMIIabc\\n-----END PRIVATE KEY-----',
  ],
  '-----BEGIN PRIVATE KEY-----\nMIIabc cut': ['pem:-----BEGIN PRIVATE KEY-----\nMIIabc cut'],
  'eyJhbGciOiJub25lIn0.eyJhIjoxfQ. and eyJub3QiOjF9.eyJhIjoxfQ.abc': ['jwt:eyJhbGciOiJub25lIn0.eyJhIjoxfQ.'],
  'at\\nina in "x\\"CORP\\nina"': ['win_user:at\\nina', 'win_user:CORP\\nina'],
  '{"log":"end\\nuser=ada.l\\tcode CORP\\\\nina"}': ['user:ada.l', 'win_user:CORP\\\\nina'],
};

describe('masking: rules', () => {
  for (const [text, expected] of Object.entries(FINDS)) {
    it(text.replaceAll('\n', ' ').slice(0, 90), () => expect(parts(text)).to.deep.equal(expected));
  }

  it('a secret wins over a longer find, whose other part is judged anew', () => {
    expect(parts('postgres://x-made-up:pw7@git.corp.example')).to.deep.equal([
      'user:x-made-up',
      'url_secret:pw7',
      'host:git.corp.example',
    ]);
  });

  it('leaves the sentence for the model as it is', () => {
    expect(mask([SENTENCE], policy).texts).to.deep.equal([SENTENCE]);
  });

  it('keeps surrogates whole', () => {
    const { texts } = mask(['📞user=anna📞 👩‍💻 10.1.2.3💥'], policy);
    expect(texts[0]?.isWellFormed()).to.equal(true);
    expect(texts[0]).to.match(/^📞user=user-\w{10}📞 👩‍💻 ipint-\w{10}💥$/u);
  });
});
