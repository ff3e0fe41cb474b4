import { expect } from 'chai';
import { judgeAddress } from '../../../src/adapters/outbound/addresses.ts';
import { callableUrl, checkLiteral, guardedLookup } from '../../../src/adapters/outbound/guard.ts';
import { bypassesProxy, parseProxy, proxyCredentials } from '../../../src/adapters/outbound/proxy.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';

describe('address policy', () => {
  it('forbids link-local and metadata addresses in every notation', () => {
    const forbidden = [
      '169.254.169.254',
      '169.254.0.1',
      'fe80::1',
      'fe80::1%eth0',
      'febf::1',
      'fd00:ec2::254',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '::a9fe:a9fe',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      'no address',
    ];
    for (const address of forbidden) expect(judgeAddress(address, true), address).to.equal('forbidden');
  });

  it('forbids the metadata services of other clouds, also inside the IPv6 forms that carry an IPv4 address', () => {
    expect(judgeAddress('fd00:ec2::23', true)).to.equal('forbidden');
    expect(judgeAddress('fd00:42::42', true)).to.equal('forbidden');
    for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192', '169.254.169.254']) {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
      for (const form of [
        address,
        `::ffff:${address}`,
        `::ffff:${groups}`,
        `64:ff9b::${groups}`,
        `2002:${groups}::1`,
      ]) {
        expect(judgeAddress(form, true), form).to.equal('forbidden');
      }
    }
    for (const near of ['100.100.100.201', '168.63.129.17', '192.0.0.193', 'fd00:ec2::24', 'fd00:42::43']) {
      expect(judgeAddress(near, true), near).to.equal('allowed');
    }
  });

  it('knows an address in every spelling that a URL allows', () => {
    const spellings = [
      ...['2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '169.254.169.254.', '１69.254.169.254'],
      ...['1684301000', '0x646464c8', '0144.0144.0144.0310', '0xa8.0x3f.0x81.0x10', '3221225664'],
      ...['[::ffff:168.63.129.16]', '[64:ff9b::6464:64c8]', '[2002:c000:00c0::]', '[FD00:EC2:0:0::23]'],
    ];
    for (const host of spellings) {
      const url = callableUrl(`http://${host}/latest/meta-data`);
      expect(() => checkLiteral(url, { allowPrivate: true }), host).to.throw(OutboundError, /metadata/);
    }
  });

  it('judges the address that a resolver answers, and lets a loopback name mean this machine alone', async () => {
    const resolved = (host: string, ...answer: string[]): Promise<string> =>
      new Promise((resolve) => {
        const found = answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const look = guardedLookup({ allowPrivate: true }, (_host, _options, done) => done(null, found));
        look(host, {}, (error, address) => resolve(error ? error.message : String(address)));
      });
    expect(await resolved('metadata.example', '100.100.100.200')).to.match(/metadata addresses are never called/);
    expect(await resolved('two.example', '168.63.129.16', '192.0.2.1')).to.equal('192.0.2.1');
    expect(await resolved('localhost', '::1', '127.0.0.1')).to.equal('::1');
    expect(await resolved('app.localhost', '192.0.2.1')).to.match(/stands for this machine/);
    expect(await resolved('app.localhost', '192.0.2.1', '127.0.0.1')).to.equal('127.0.0.1');
    expect(await resolved('127.evil.example', '192.0.2.1')).to.equal('192.0.2.1');
  });

  it('closes private ranges only when told', () => {
    const inside = [
      '127.0.0.1',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '0.0.0.0',
      '::1',
      '::',
      'fd12::1',
    ];
    for (const address of [...inside, '::ffff:10.0.0.1', '64:ff9b::7f00:1']) {
      expect(judgeAddress(address, true), address).to.equal('allowed');
      expect(judgeAddress(address, false), address).to.equal('private');
    }
  });

  it('leaves public addresses open', () => {
    for (const address of [
      '8.8.8.8',
      '172.32.0.1',
      '169.253.0.1',
      '2606:4700::1111',
      'fec1::1'.replace('fec1', '2001'),
    ]) {
      expect(judgeAddress(address, false), address).to.equal('allowed');
    }
  });
});

describe('no_proxy', () => {
  const bypasses = (url: string, ...list: string[]): boolean => bypassesProxy(new URL(url), list);

  it('matches names with their subdomains, ports, addresses and networks', () => {
    expect(bypasses('http://a.example', 'a.example')).to.equal(true);
    expect(bypasses('http://x.a.example', '.a.example')).to.equal(true);
    expect(bypasses('http://x.a.example', '*.A.example')).to.equal(true);
    expect(bypasses('http://xa.example', 'a.example')).to.equal(false);
    expect(bypasses('http://a.example:81', 'a.example:81')).to.equal(true);
    expect(bypasses('http://a.example', 'a.example:81')).to.equal(false);
    expect(bypasses('http://10.1.2.3', '10.0.0.0/8')).to.equal(true);
    expect(bypasses('http://11.1.2.3', '10.0.0.0/8')).to.equal(false);
    expect(bypasses('http://[fd00::1]', 'fd00::/8')).to.equal(true);
    expect(bypasses('http://anything', '*')).to.equal(true);
    expect(bypasses('http://10.1.2.3', '10.0.0.0/99', '', 'x/y')).to.equal(false);
  });

  it('always lets loopback go directly', () => {
    expect(bypasses('http://127.0.0.1')).to.equal(true);
    expect(bypasses('http://localhost:1')).to.equal(true);
    for (const url of ['http://127.1', 'http://0x7f.0.0.1', 'http://app.localhost', 'http://[::1]:8080']) {
      expect(bypasses(url), url).to.equal(true);
    }
  });

  it('a name that only begins like a loopback address goes through the proxy', () => {
    for (const host of ['127.evil.example', '127.0.0.1.evil.example', '127.0.0.1.nip.io', 'localhost.evil.example']) {
      expect(bypasses(`http://${host}`), host).to.equal(false);
    }
  });

  it('reads proxy_url, and refuses nonsense and every kind of user info without repeating it', () => {
    const plain = { secure: false, host: 'proxy.example', port: 3128 };
    expect(parseProxy(' http://proxy.example:3128/ ')).to.deep.equal(plain);
    expect(parseProxy('https://proxy.example')).to.deep.equal({ ...plain, secure: true, port: 443 });
    for (const url of ['socks5://x', 'proxy.example:3128', 'http://']) {
      expect(() => parseProxy(url), url).to.throw(OutboundError, /proxy_url is not an http\(s\) address/);
    }
    const infos = ['canary:pass@', 'canary@', ':canary@', '@', 'us%40er:canary@', 'user:canary/word@', 'a:canary@b:c@'];
    for (const info of infos) {
      expect(() => parseProxy(`http://${info}proxy.example:3128`), info)
        .to.throw(OutboundError, /must not contain .*the password storage, realm ml_extension_proxy, name default/)
        .with.property('message')
        .that.does.not.match(/canary|proxy\.example/);
    }
  });

  it('takes credentials of both names alone, and never repeats them', () => {
    const good = { username: 'us er', password: 'p:w@ü' };
    expect(proxyCredentials({ ...good, more: 'x' })).to.deep.equal(good);
    expect(proxyCredentials({ username: 'u', password: '' })).to.deep.equal({ username: 'u', password: '' });
    for (const bad of [{}, { username: 'canary' }, { password: 'canary' }, { username: 'a:b', password: 'canary' }]) {
      expect(() => proxyCredentials(bad as Record<string, string>))
        .to.throw(OutboundError, /realm ml_extension_proxy/)
        .with.property('message')
        .that.does.not.contain('canary');
    }
  });
});
