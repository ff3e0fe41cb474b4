import { expect } from 'chai';
import { MAX_PATTERNS } from '../../../src/contract/families/masking.ts';
import { maskingPolicySuite } from '../../suites/maskingPolicies.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

describe('masking policies', () => maskingPolicySuite(inMemory));

describe('patterns of masking policies', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.user('mara', { capabilities: ['edit_masking'] });
  });

  const post = (more: Json) => app.call('mara', 'POST', '/masking_policies', { name: 'own', kinds: {}, ...more });
  const preview = (text: string, policy: Json) =>
    app.call('mara', 'POST', '/masking_policies/preview', { text, policy });
  const problemsOf = async (patterns: unknown) => {
    const { status, json } = await post({ patterns });
    expect([status, json.error_code], JSON.stringify(json)).to.deep.equal([400, 'validation_failed']);
    return json.errors as { field: string; message: string }[];
  };
  const fieldsOf = async (patterns: unknown) => (await problemsOf(patterns)).map(({ field }) => field);

  it('have a label of their own, which kinds may name', async () => {
    const patterns = [{ label: 'emp', pattern: 'EMP[0-9]{6}', keyword: 'employee' }];
    const { json } = await post({ patterns, kinds: { emp: 'refuse' } });
    expect(json.config).to.deep.include({ patterns, kinds: { emp: 'refuse' } });
    for (const label of ['Emp', '1st', 'a'.repeat(17), 'e-p', ''])
      expect(await fieldsOf([{ label, pattern: 'x' }]), label).to.deep.equal(['patterns.0.label']);
    for (const label of ['ipint', 'sec', 'name', 'email', 'pem', 'field', 'user'])
      expect(await fieldsOf([{ label, pattern: 'x' }]), label).to.deep.equal(['patterns.0.label']);
    const other = await post({ name: 'other', patterns, kinds: { badge: 'mask' } });
    expect(other.json.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['kinds.badge']);
  });

  it('are refused with the words of the library where they are none', async () => {
    const [problem] = await problemsOf([{ label: 'emp', pattern: 'a(?=b)' }]);
    expect(problem).to.deep.equal({
      field: 'patterns.0.pattern',
      message: 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    });
  });

  it('match neither empty text nor a placeholder', async () => {
    for (const pattern of ['x*', '(a|)', 'a?b?', '^$', '()'])
      expect((await problemsOf([{ label: 'emp', pattern }]))[0]?.message, pattern).to.equal(
        'must not match empty text',
      );
    for (const pattern of ['.+', '[a-z]+-[a-z0-9]+', 'user-[a-z0-9]{10}', 'emp-.*', 'sec|sec-[a-z0-9]+'])
      expect((await problemsOf([{ label: 'emp', pattern }]))[0]?.message, pattern).to.equal(
        'must not match a placeholder',
      );
    const fine = ['EMP[0-9]{6}', '[a-z]{3}[0-9]{4}', '[A-F0-9]{8}-[A-F0-9]{4}', '\\w+@\\w+'];
    const { status } = await post({ patterns: fine.map((pattern) => ({ label: 'emp', pattern })) });
    expect(status).to.equal(200);
  });

  it('are at most 50 of 200 characters', async () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ label: 'emp', pattern: 'EMP[0-9]' }));
    expect((await post({ patterns: many(MAX_PATTERNS) })).status).to.equal(200);
    expect(await fieldsOf(many(MAX_PATTERNS + 1))).to.deep.equal(['patterns']);
    expect(await fieldsOf([{ label: 'emp', pattern: 'x'.repeat(201) }])).to.deep.equal(['patterns.0.pattern']);
  });

  it('are shown in a preview', async () => {
    const policy = { kinds: { emp: 'refuse' }, patterns: [{ label: 'emp', pattern: 'EMP[0-9]{6}' }] };
    const { json } = await preview('about EMP123456', policy);
    expect(json.masked).to.match(/^about emp-[a-z0-9]{10}$/);
    expect(json.counts).to.deep.equal({ emp: 1 });
    const wrong = await preview('x', { kinds: {}, patterns: [{ label: 'emp', pattern: 'x*' }] });
    expect(wrong.json.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['policy.patterns.0.pattern']);
  });

  it('end a preview that fails or takes too long without a word of the text', async () => {
    const policy = { kinds: {}, patterns: [{ label: 'emp', pattern: 'EMP' }] };
    app.maskingTools = {
      ...app.maskingTools,
      compile: (pattern) => (text) => {
        if (text.includes('EMP')) throw new Error(`${pattern} failed on ${text}`);
        return [];
      },
    };
    const failed = await preview('EMP1 is a canary', policy);
    expect([failed.status, failed.json.error_code]).to.deep.equal([503, 'masking_failed']);
    expect(JSON.stringify([failed.json, app.site.log])).not.to.include('canary');
    let time = 0;
    app.maskingTools = {
      ...app.maskingTools,
      clock: () => {
        time += 1000;
        return time;
      },
    };
    const late = await preview('a canary', { kinds: { email: 'mask' } });
    expect([late.status, late.json.message]).to.deep.equal([503, 'Masking the text took too long']);
  });
});
