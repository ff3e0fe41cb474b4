import { isIPv6 } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { compressed6, dotted, groups6, isDotted } from '../../../src/domain/net/addresses.ts';

describe('addresses', () => {
  it('have one spelling', () => {
    for (const text of ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', '2001:0db8::0.0.0.1']) {
      expect(compressed6(text), text).to.equal('2001:db8::1');
    }
    expect(compressed6('::ffff:192.0.2.7')).to.equal('::ffff:c000:207');
    expect(dotted(...groups6('::ffff:c000:207').slice(6))).to.equal('192.0.2.7');
    expect(groups6('::')).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(groups6('64:ff9b::1')).to.deep.equal([0x64, 0xff9b, 0, 0, 0, 0, 0, 1]);
  });

  it('are what Node takes for one, without zones', () => {
    for (const text of ['', ':', ':::', '1:2', '::1%eth0', '::1]/', '192.0.2.7', '::010.1.1.1', '::1:', 'g::']) {
      expect(compressed6(text), text).to.equal(undefined);
    }
    const texts = fc.string({ unit: fc.constantFrom(':', '::', '0', 'f1', '2001', '.7', '192.0.2.1'), maxLength: 17 });
    fc.assert(
      fc.property(texts, (text) => {
        expect(compressed6(text) !== undefined, text).to.equal(isIPv6(text));
      }),
    );
  });

  it('of four parts have no octal ones', () => {
    expect(['192.0.2.0', '255.255.255.255'].every(isDotted)).to.equal(true);
    expect(['010.0.0.1', '1.2.3', '256.1.1.1', '1.2.3.4.', '3232235777'].some(isDotted)).to.equal(false);
  });
});
