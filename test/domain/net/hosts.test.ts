import { expect } from 'chai';
import { isHost } from '../../../src/domain/net/hosts.ts';
import { effort } from '../../support/time.ts';

const LABEL = 'a'.repeat(63);
/** 253 characters. */
const LONGEST = `${LABEL}.${LABEL}.${LABEL}.${'b'.repeat(61)}`;

describe('hosts', () => {
  it('takes names', () => {
    const names = [
      'a',
      'A.example',
      'node-1.cluster.local',
      'my_service',
      '_dmarc.a',
      'a.example.',
      '4.example',
      '0xa.b',
    ];
    for (const name of [...names, LABEL, LONGEST, `${LONGEST}.`, 'xn--bcher-kva.example']) {
      expect(isHost(name), name).to.equal(true);
    }
  });

  it('takes addresses', () => {
    const addresses = ['127.0.0.1', '255.255.255.255', '::', '::1', '[::1]', 'fd00:ec2::254', '2001:DB8::1'];
    const longest = '0000:0000:0000:0000:0000:ffff:255.255.255.255';
    for (const address of [...addresses, '::ffff:10.0.0.1', longest, `[${longest}]`]) {
      expect(isHost(address), address).to.equal(true);
    }
  });

  it('refuses all other texts', () => {
    const empty = ['', '.', '..', 'a..b', '.a', 'a..', ' ', '[]', '[', ']'];
    const letters = [
      'a b',
      'a/b',
      'a@b',
      'a%62',
      'bücher.example',
      'a\n',
      'a\u0000',
      '-a',
      'a-',
      'a-.b',
      '*.a',
      'a\\b',
    ];
    const addresses = [
      '1:2',
      ':::',
      '::1::',
      '1:2:3:4:5:6:7:8:9',
      'g::',
      '[::1',
      '::1]',
      '[[::1]]',
      '[a.example]',
      '[1.2.3.4]',
    ];
    const numbers = [
      '127.1',
      '300.1.1.1',
      '1.2.3.4.5',
      '127.0.0.01',
      '2130706433',
      '0x7f000001',
      'a.1',
      'a.0x',
      '127.0.0.1.',
    ];
    const more = ['a:80', '[::1]:80', 'fe80::1%eth0', 'http://a', `${LABEL}a`, `${LONGEST}b`, `${LONGEST}b.`];
    for (const text of [...empty, ...letters, ...addresses, ...numbers, ...more]) {
      expect(isHost(text), JSON.stringify(text)).to.equal(false);
    }
  });

  it('agrees with the URL parser on accepted hosts', () => {
    for (const text of ['a', 'A.example', 'my_service', 'a.example.', '127.0.0.1', '0xa.b']) {
      expect(new URL(`http://${text}/`).hostname).to.equal(text.toLowerCase());
    }
  });

  it('is as quick with long texts as with short ones', () => {
    const texts = ['a.', 'a-', '-', '1:', ':', '[', 'a', '0x'].map((part) => part.repeat(65_536 / part.length));
    const hostile = () => {
      for (const text of texts) for (let at = 0; at < 100; at += 1) expect(isHost(`${text}!`)).to.equal(false);
    };
    expect(effort(hostile)).to.be.below(250);
  });
});
