import { expect } from 'chai';
import { judgeAddress } from '../../../src/adapters/outbound/addresses.ts';
import { bypassesProxy, parseProxy } from '../../../src/adapters/outbound/proxy.ts';

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
  });

  it('reads proxy_url with its credentials and refuses nonsense', () => {
    expect(parseProxy('http://us%40er:p%3Aw@proxy.example:3128')).to.deep.equal({
      secure: false,
      host: 'proxy.example',
      port: 3128,
      auth: 'us@er:p:w',
    });
    expect(() => parseProxy('socks5://x')).to.throw(/proxy_url/);
  });
});
