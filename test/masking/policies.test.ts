import { expect } from 'chai';
import { MaskingFailure, type MaskingPolicy, maskTexts } from '../../src/masking/masking.ts';
import { everything, mask, matcherOf, partsOf } from './cases.ts';

const maskWith = (text: string, policies: readonly MaskingPolicy[], rows: readonly Record<string, unknown>[] = []) =>
  maskTexts([text], partsOf(policies), rows);

const TEXT = 'src=10.1.2.3 host db7.corp.example mail ana@north.example user=b.osei';

describe('masking: policies', () => {
  it('leaves kinds that are not named', () => {
    const { texts, counts } = mask([TEXT], { kinds: { ipv4: 'mask' } });
    expect(texts[0]).to.match(/^src=ipint-[a-z0-9]{10} host db7.corp.example mail ana@north.example user=b.osei$/);
    expect(counts).to.deep.equal({ ipv4: 1 });
  });

  it('takes the strictest of several for each kind', () => {
    const policies: MaskingPolicy[] = [
      { kinds: { ipv4: 'allow', email: 'refuse', user: 'mask' } },
      { kinds: { ipv4: 'mask', email: 'mask' } },
    ];
    const { counts, refused } = maskWith(TEXT, policies);
    expect(counts).to.deep.equal({ ipv4: 1, email: 1, user: 1 });
    expect(refused).to.deep.equal({ email: 1 });
  });

  it('exempts a value only if each policy that would mask it does', () => {
    const exempting: MaskingPolicy = { kinds: { ipv4: 'mask' }, never: ['10.0.0.0/8'] };
    const silent: MaskingPolicy = { kinds: { ipv4: 'allow' } };
    const strict: MaskingPolicy = { kinds: { ipv4: 'mask' } };
    expect(maskWith('at 10.1.2.3', [exempting]).texts).to.deep.equal(['at 10.1.2.3']);
    expect(maskWith('at 10.1.2.3', [exempting, silent]).texts).to.deep.equal(['at 10.1.2.3']);
    expect(maskWith('at 10.1.2.3', [exempting, strict]).counts).to.deep.equal({ ipv4: 1 });
  });

  it('never masks names, suffixes of hosts, and networks of the list, but secrets', () => {
    const never = [
      '*.corp.example',
      'Admin',
      '192.0.2.0/25',
      '2001:db8::/32',
      'ghp_MadeUp0Only1Not2A3Real4Token5Xy6Zw78',
    ];
    const masked = (text: string) => mask([text], { kinds: everything(), never }).counts;
    expect(masked('host a.corp.example')).to.deep.equal({});
    expect(masked('mail ana@a.corp.example')).to.deep.equal({ email: 1 });
    expect(masked('user=admin')).to.deep.equal({});
    expect(masked('at 192.0.2.127, 192.0.2.128')).to.deep.equal({ ipv4: 1 });
    expect(masked('at 2001:db8::17, 2001:db9::1')).to.deep.equal({ ipv6: 1 });
    expect(masked('use ghp_MadeUp0Only1Not2A3Real4Token5Xy6Zw78')).to.deep.equal({ key: 1 });
  });

  it('masks values of named fields wherever they stand, in any case', () => {
    const policy: MaskingPolicy = { kinds: {}, fields: ['payee', 'host', 'src'] };
    const row = { payee: 'Zoë Álvarez', host: ['WEB-04', 'web-05'], src: '10.9.8.7', other: 'kept' };
    const { texts, counts } = maskWith('ZOË ÁLVAREZ on web-04 and web-05x, 10.9.8.7 kept', [policy], [row]);
    expect(texts[0]).to.match(/^name-\w{10} on host-\w{10} and web-05x, ipint-\w{10} kept$/);
    expect(counts).to.deep.equal({ field: 1, host: 1, ipv4: 1 });
  });

  it('finds named fields as keys and columns where there is no row', () => {
    const policy: MaskingPolicy = { kinds: {}, fields: ['caller'] };
    for (const text of [
      'caller="Nadia Haddad" called',
      '{"caller":"Nadia Haddad"}',
      'id,caller\n1,Nadia Haddad\n2,"Nadia Haddad"\n',
    ]) {
      const { texts, counts } = maskWith(`${text} x`, [policy]);
      expect(texts[0], text).not.to.include('Nadia');
      expect(counts.field, text).to.be.at.least(1);
    }
  });

  it('masks own patterns under their label, behind their keyword alone', () => {
    const pattern = { label: 'badge', matcher: matcherOf('[A-Z]{2}-[0-9]{4}') };
    const { texts, counts } = mask(['badge AB-1234 and CD-5678'], { kinds: {}, patterns: [pattern] });
    expect(texts[0]).to.match(/^badge badge-\w{10} and badge-\w{10}$/);
    expect(counts).to.deep.equal({ badge: 2 });
    const limited = mask(['id AB-1234'], { kinds: {}, patterns: [{ ...pattern, keyword: 'badge' }] });
    expect(limited.counts).to.deep.equal({});
    expect(mask(['AB-1234'], { kinds: { badge: 'refuse' }, patterns: [pattern] }).refused).to.deep.equal({ badge: 1 });
  });

  it('gives equal values one placeholder, and other keys other ones', () => {
    const [first = '', second = ''] = mask(['::ffff:10.1.2.3 10.1.2.3', 'WKS7.corp.example. wks7.CORP.example'])
      .texts.map((text) => text.split(' '))
      .map(([a, b]) => (a?.replace(/\.$/, '') === b ? 'equal' : `${a} ${b}`));
    expect([first, second]).to.deep.equal(['equal', 'equal']);
    const other = maskTexts(['at 10.1.2.3'], { ...partsOf([{ kinds: { ipv4: 'mask' } }]), key: Buffer.from('other') });
    expect(other.texts[0]).not.to.equal(mask(['at 10.1.2.3']).texts[0]);
    expect(mask(['at 10.1.2.3']).texts).to.deep.equal(mask(['at 10.1.2.3']).texts);
  });

  it('masks values under three characters only where a rule finds them', () => {
    const { texts } = mask(['user=ab, ab is no word']);
    expect(texts[0]).to.match(/^user=user-\w{10}, ab is no word$/);
  });

  it('looks for values between boundaries: letters, digits and _', () => {
    const { texts } = mask(['user=anna', 'anna, (ANNA) annab bannana anna_x xanna-anna 端anna端']);
    expect(texts[1]).to.match(/^user-\w{10}, \(user-\w{10}\) annab bannana anna_x xanna-user-\w{10} 端user-\w{10}端$/);
  });
});

describe('masking: failing closed', () => {
  it('ends when its time is over', () => {
    let now = 0;
    const clock = () => {
      now += 20;
      return now;
    };
    const parts = { ...partsOf([{ kinds: everything() }]), clock };
    expect(() => maskTexts(['at 10.1.2.3'], parts))
      .to.throw(MaskingFailure)
      .with.property('reason', 'time');
  });

  it('gives larger texts and own patterns more time', () => {
    const patterns = Array.from({ length: 20 }, () => ({ label: 'badge', matcher: () => [] }));
    let now = 0;
    const clock = () => {
      now += 10;
      return now;
    };
    const parts = { ...partsOf([{ kinds: { ipv4: 'mask' }, patterns }]), clock };
    expect(maskTexts(['at 10.1.2.3'], parts).counts).to.deep.equal({ ipv4: 1 });
  });

  it('tells nothing of an error, which may hold a value', () => {
    const matcher = () => {
      throw new Error('10.1.2.3 is wrong');
    };
    const parts = partsOf([{ kinds: {}, patterns: [{ label: 'badge', matcher }] }]);
    try {
      maskTexts(['at 10.1.2.3'], parts);
      expect.fail('no failure');
    } catch (error) {
      expect(error).to.be.instanceOf(MaskingFailure).with.property('reason', 'error');
      expect(String((error as Error).stack)).not.to.include('10.1.2.3');
      expect(error).not.to.have.property('cause');
    }
  });

  it('finds a value that is left in the body, in each spelling', () => {
    const { check } = mask(['User: CORP\\jdoe mail ana@north.example password="a/b c!9"']);
    const leaks = [
      { content: 'it was CORP\\jdoe' },
      { content: JSON.stringify({ user: 'corp\\jdoe' }) },
      { content: JSON.stringify({ output: JSON.stringify({ user: 'CORP\\jdoe' }) }) },
      { content: 'q=ana%40north.example' },
      { content: 'x=%20ANA%40north.example' },
      { content: 'p=a%2Fb%20c!9' },
      { content: 'the secret a/b c!9' },
      { list: ['a', { deep: 'line\nana@north.example' }] },
    ];
    for (const leak of leaks) {
      expect(() => check(JSON.stringify(leak)), JSON.stringify(leak))
        .to.throw(MaskingFailure)
        .with.property('reason', 'residue');
    }
    expect(() => check('not JSON: ana@north.example')).to.throw(MaskingFailure);
    check(JSON.stringify({ content: 'nothing of it: xana@north.example.org, CORP\\jdoe2' }));
  });

  it('takes the label of a placeholder for no residue', () => {
    const { texts, check } = mask(['user=mail host=host user=badge at 10.1.2.3']);
    check(JSON.stringify({ content: texts[0] }));
  });
});
