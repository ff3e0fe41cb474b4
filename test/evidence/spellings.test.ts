import { expect } from 'chai';
import { linesOfRule, type Rule } from './rules.ts';

const nested = (value: unknown, depth: number): string => {
  let text = JSON.stringify(value);
  for (let level = 1; level < depth; level += 1) text = JSON.stringify({ result: text });
  return text;
};

const RULES: readonly Rule[] = [
  {
    title: 'JSON in strings, four deep',
    answer: 'C:\\Temp\\a b.txt and CORP\\anna',
    results: [nested({ p: 'C:\\Temp\\a.exe', user: 'CORP\\anna' }, 4)],
    expected: ['C:\\Temp\\a path unverified', 'b.txt file unverified', 'CORP\\anna user backed'],
  },
  {
    title: 'percent, HTML and unicode escapes',
    answer: 'a.b@example.org, https://x.example/a?b=1&c=2 and x.example',
    results: ['mail=a.b%40example.org', 'see https://x.example/a?b=1&amp;c=2', '"u":"\\u0061@"'],
    expected: ['a.b@example.org email backed', 'https://x.example/a?b=1&c=2 url backed', 'x.example host backed'],
  },
  {
    title: 'an escaped slash and unicode escapes of JSON that was cut',
    answer: 'https://x.example/a and b@x.example',
    results: ['{"url":"https:\\/\\/x.example\\/a","mail":"b\\u0040x.example","more'],
    expected: ['https://x.example/a url backed', 'b@x.example email backed'],
  },
  {
    title: 'defanged spellings',
    answer: 'hxxp://a(.)example/x a[@]b[.]example 192[.]0[.]2[.]7 hXXps[:]//c.example',
    results: ['http://a.example/x a@b.example 192.0.2.7 https://c.example/'],
    expected: [
      'hxxp://a(.)example/x url backed',
      'a[@]b[.]example email backed',
      '192[.]0[.]2[.]7 ipv4 backed',
      'hXXps[:]//c.example url backed',
    ],
  },
  {
    title: 'a spelling of dots in words',
    answer: 'evil[dot]example and a[at]b[dot]example',
    results: ['evil.example a@b.example'],
    expected: ['evil[dot]example host backed', 'a[at]b[dot]example email backed'],
  },
  {
    title: 'ports apart from addresses, networks apart from hosts',
    answer: '192.0.2.7 on 8443, 198.51.100.0/24, 198.51.100.9, 198.51.100.0',
    results: ['192.0.2.7:8443 198.51.100.0/24'],
    expected: [
      '192.0.2.7 ipv4 backed',
      '8443 number backed',
      '198.51.100.0/24 ipv4 backed',
      '198.51.100.9 ipv4 unverified',
      '198.51.100.0 ipv4 unverified',
    ],
  },
  {
    title: 'IPv6 with a port, a zone and as a mapped address',
    answer: '2001:db8::7, fe80::1 and 192.0.2.128',
    results: ['[2001:DB8:0::7]:443 fe80::1%eth0 ::ffff:c000:280'],
    expected: ['2001:db8::7 ipv6 backed', 'fe80::1 ipv6 backed', '192.0.2.128 ipv4 backed'],
  },
  {
    title: 'hosts without case, with a final dot, and as punycode',
    answer: 'Bücher.example, WEB.example.',
    results: ['xn--bcher-kva.example web.example.'],
    expected: ['Bücher.example host backed', 'WEB.example host backed'],
  },
  {
    title: 'the host of a URL and the domain of a mail',
    answer: 'cdn.example, mail.example; https://cdn.example/b',
    results: ['https://cdn.example:8443/a x@mail.example'],
    expected: ['cdn.example host backed', 'mail.example host backed', 'https://cdn.example/b url unverified'],
  },
  {
    title: 'URLs with default port and final slash',
    answer: 'HTTPS://Cdn.example:443/a/ and http://cdn.example/A',
    results: ['https://cdn.example/a http://cdn.example/a'],
    expected: ['HTTPS://Cdn.example:443/a/ url backed', 'http://cdn.example/A url unverified'],
  },
  {
    title: 'a bare name does not back a full one',
    answer: 'wks-0412.corp.example',
    results: [{ host: 'wks-0412' }],
    expected: ['wks-0412.corp.example host unverified'],
  },
  {
    title: 'a bare name is a claim only where the data has it',
    answer: 'host wks-9 and web-3 and bastion',
    results: [{ host: 'web-3', dest: 'bastion' }],
    expected: ['web-3 host backed', 'bastion host backed'],
  },
  {
    title: 'users behind words of several languages',
    answer: 'user anna, Benutzer b.lang, utilisateur zoe; account wes',
    results: ['user=anna zoe'],
    expected: ['anna user backed', 'b.lang user unverified', 'zoe user backed', 'wes user unverified'],
  },
  {
    title: 'no users behind user and users',
    answer:
      'The user was locked. User Execution. Account succeeded. 20 users failed to log in, users a.lee and t_roth did.',
    results: [{ count: 20, user: 'a.lee' }],
    expected: ['20 number backed', 'a.lee user backed', 't_roth user unverified'],
  },
  {
    title: 'mails as users and users as mails',
    answer: 'r.silva@north.example, h.t@corp.example, h.t@evil.test',
    results: [{ user: 'NORTH\\r.silva', upn: 'h.t@corp.example' }],
    expected: ['r.silva@north.example user backed', 'h.t@corp.example user backed', 'h.t@evil.test email unverified'],
  },
  {
    title: 'a tag belongs to the address',
    answer: 'a+x@b.example and a@b.example',
    results: ['A+X@b.example'],
    expected: ['a+x@b.example email backed', 'a@b.example email unverified'],
  },
  {
    title: 'files by the last part of a path',
    answer: 'RUN.PS1, cron.sh, Cron.sh, /opt/x/cron.sh, /opt/x',
    results: ['C:\\Users\\a\\run.ps1 /opt/x/cron.sh'],
    expected: [
      'RUN.PS1 file backed',
      'cron.sh file backed',
      'Cron.sh file unverified',
      '/opt/x/cron.sh path backed',
      '/opt/x path unverified',
    ],
  },
  {
    title: 'Windows paths without case, with blanks and on hosts',
    answer: 'c:\\program files\\a\\B.exe was `C:\\Program Files\\A\\b.exe`; \\\\FS01\\Share\\x.txt',
    results: [{ p: 'C:\\Program Files\\A\\b.exe', q: '\\\\fs01\\share\\X.txt' }],
    expected: [
      'c:\\program path unverified',
      'B.exe file backed',
      'C:\\Program Files\\A\\b.exe path backed',
      '\\\\FS01\\Share\\x.txt path backed',
    ],
  },
  {
    title: 'shortened hashes',
    answer: '9f86d081…0a08, 9f86d0…0a08, 9f86d081…0a09, 44d88612...2d1f',
    results: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 44d88612fea8a8f36de82e1278abb02f'],
    expected: [
      '9f86d081…0a08 hash backed',
      '9f86d0…0a08 hash unverified',
      '9f86d081…0a09 hash unverified',
      '44d88612...2d1f hash unverified',
    ],
  },
  {
    title: 'a shortened hash of two hashes',
    answer: '9f86d081…0a08',
    results: [
      '9f86d081884c7d659a2feaa0c55ad0150a08aaaa 9f86d081884c7d659a2feaa0c55ad015aaaa0a08 9f86d081884c7d659a2feaa0c55ad015bbbb0a08',
    ],
    expected: ['9f86d081…0a08 hash unverified'],
  },
  {
    title: 'ids without case, a technique by its part',
    answer: 'cve-2024-3400, t1110, T1110.004, G0016, S0002',
    results: ['CVE-2024-3400 T1110.003 g0016'],
    expected: [
      'cve-2024-3400 cve backed',
      't1110 attack backed',
      'T1110.004 attack unverified',
      'G0016 attack backed',
      'S0002 attack unverified',
    ],
  },
  {
    title: 'versions behind a name',
    answer: 'curl/8.5.0, nginx/1.25, HTTP/1.1, agent 7.2.9',
    results: ['curl/8.5.0 nginx/1.26 v7.2.9'],
    expected: ['8.5.0 version backed', '1.25 version unverified', '7.2.9 version backed'],
  },
  {
    title: 'repeats in other spellings once',
    answer: '192.0.2.7, 192[.]0[.]2[.]7, `192.0.2.7`',
    results: ['192.0.2.7'],
    expected: ['192.0.2.7 ipv4 backed'],
  },
  {
    title: 'whole words, never parts',
    answer: '192.0.2.1, 12, example.com, ann, 44d88612fea8a8f36de82e1278abb02f, user jo',
    results: ['192.0.2.10 1234 myexample.com 144d88612fea8a8f36de82e1278abb02f joanna user=joanna'],
    expected: [
      '192.0.2.1 ipv4 unverified',
      '12 number unverified',
      'example.com host unverified',
      '44d88612fea8a8f36de82e1278abb02f hash unverified',
      'jo user unverified',
    ],
  },
];

describe('evidence: spellings', () => {
  for (const rule of RULES) {
    it(rule.title, () => {
      expect(linesOfRule(rule)).to.have.members(rule.expected);
    });
  }
});
