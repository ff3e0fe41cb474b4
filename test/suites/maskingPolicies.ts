import { expect } from 'chai';
import { MASKED_OPERATIONS, POLICY_KINDS } from '../../src/contract/families/masking.ts';
import { summarize } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';
import { CRUD_USERS, crudSuite } from './crud.ts';

/** Masking policies as records (contract 24), in any world. */
export function maskingPolicySuite(open: OpenWorld): void {
  const world = open({
    users: { ...CRUD_USERS, mara: ['user', 'maskers'] },
    roles: { maskers: ['edit_masking'] },
    collections: ['ml_masking_policies', 'ml_model_aliases', 'ml_llm_connections'],
  });
  const PATH = '/masking_policies';
  const post = (body: object, user = 'anna') => world.call(user, 'POST', PATH, body);
  const put = (body: object, user = 'anna') => world.call(user, 'PUT', PATH, body);
  const get = (name: string, user = 'anna') => world.call(user, 'GET', `${PATH}/${name}`);
  const preview = (body: object, user = 'anna') => world.call(user, 'POST', `${PATH}/preview`, body);
  const made = async (body: object = {}) => {
    const reply = await post({ name: 'Usual', kinds: { email: 'mask' }, ...body });
    expect(reply.status, summarize(reply)).to.equal(200);
    return reply.json.config;
  };
  const refused = async (sent: ReturnType<typeof post>, status: number, code: string, ...fields: string[]) => {
    const reply = await sent;
    expect([reply.status, reply.json.error_code], summarize(reply)).to.deep.equal([status, code]);
    expect((reply.json.errors ?? []).map(({ field }: { field: string }) => field)).to.deep.equal(fields);
  };
  /** An LLM configuration, and an alias of it. */
  const furnish = async () => {
    const target = { service: 'Local_Runtime', connection_name: 'Inside', model: 'small' };
    for (const [path, body] of [
      ['/aicommander', { ...target, servicesettings: {} }],
      ['/model_aliases', { name: 'Fast', targets: [target] }],
    ] as const) {
      const reply = await world.call('anna', 'POST', path, body);
      expect(reply.status, summarize(reply)).to.equal(200);
    }
  };

  crudSuite(world, {
    path: PATH,
    collection: 'ml_masking_policies',
    messages: {
      created: 'Masking policy created',
      updated: 'Masking policy updated',
      deleted: 'Masking policy deleted',
    },
    least: { kinds: { key: 'mask' } },
    shown: {
      ...{ description: '', applies_to: {}, kinds: { key: 'mask' }, fields: [], patterns: [], never: [], regions: [] },
      ...{ images: 'allow', is_enabled: true },
    },
    change: { kinds: { key: 'refuse' }, description: 'after' },
    hasAcl: false,
  });

  it('take every kind and operation, and name what they do not know', async () => {
    const kinds = Object.fromEntries(POLICY_KINDS.map((kind) => [kind, 'mask']));
    const policy = await made({ kinds, applies_to: { operations: MASKED_OPERATIONS, services: ['CLOUD_AGENT_CORE'] } });
    expect(policy.kinds).to.deep.equal(kinds);
    await refused(post({ name: 'x' }), 400, 'validation_failed', 'kinds');
    await refused(post({ name: 'x', kinds: { name: 'mask' } }), 400, 'validation_failed', 'kinds.name');
    await refused(post({ name: 'x', kinds: { key: 'hide' } }), 400, 'validation_failed', 'kinds.key');
    const wrong = { services: ['General_Chat', 'Acme'], operations: ['search'] };
    await refused(
      post({ name: 'x', kinds: {}, applies_to: wrong }),
      ...([400, 'validation_failed', 'applies_to.services.1', 'applies_to.operations.0'] as const),
    );
  });

  it('check the countries, and what is never masked', async () => {
    const never = ['svc_backup', '*.example.com', '10.0.0.0/8', '2001:db8::/32', 'svc/1', '192.0.2.1'];
    expect(await made({ never, regions: ['DE', 'US'] })).to.deep.include({ never, regions: ['DE', 'US'] });
    for (const entry of ['10.0.0.0/33', 'a*', '*.', '*', '*.a b'])
      await refused(put({ name: 'usual', never: ['fine', entry] }), 400, 'validation_failed', 'never.1');
    for (const region of ['de', 'ZZ', 'GER'])
      await refused(put({ name: 'usual', regions: [region] }), 400, 'validation_failed', 'regions.0');
  });

  it('an update keeps what it omits, merges applies_to, and replaces kinds', async () => {
    await made({ fields: ['a', 'a'], applies_to: { roles: ['user'], services: ['General_Chat', 'General_Chat'] } });
    const { json } = await put({
      name: 'usual',
      ...{ kinds: { ipv4: 'refuse' }, applies_to: { roles: null, operations: ['chat'] }, version: 1 },
    });
    expect(json.config).to.deep.include({
      ...{ kinds: { ipv4: 'refuse' }, fields: ['a'], version: 2 },
      applies_to: { services: ['General_Chat'], operations: ['chat'] },
    });
    const emptied = await put({ name: 'usual', applies_to: null, fields: null });
    expect(emptied.json.config).to.deep.include({ applies_to: {}, fields: [], kinds: { ipv4: 'refuse' } });
  });

  it('name connections, aliases and roles that exist', async () => {
    await furnish();
    const applies_to = { connections: ['inside', 'container'], aliases: ['FAST'], roles: ['user'] };
    expect((await made({ applies_to })).applies_to).to.deep.equal(applies_to);
    for (const [key, name] of [
      ['connections', 'Outside'],
      ['aliases', 'Slow'],
      ['roles', 'nobody_has_it'],
    ] as const) {
      const appliesTo = { applies_to: { ...applies_to, [key]: [...applies_to[key], name] } };
      const field = `applies_to.${key}.${applies_to[key].length}`;
      await refused(post({ name: 'x', kinds: {}, ...appliesTo }), 400, 'unknown_reference', field);
      await refused(put({ name: 'usual', ...appliesTo }), 400, 'unknown_reference', field);
    }
  });

  it('keep what they name from being deleted, and can be changed after it was', async () => {
    await furnish();
    await made({ applies_to: { connections: ['INSIDE'], aliases: ['fast'] } });
    const configuration = '/aicommander/Local_Runtime/Inside/small';
    const { json } = await world.call('anna', 'DELETE', '/model_aliases/Fast');
    expect([json.error_code, json.used_by]).to.deep.equal(['in_use', ['Usual']]);
    await world.call('anna', 'DELETE', '/model_aliases/Fast?force=true');
    const kept = await world.call('anna', 'DELETE', configuration);
    expect([kept.json.error_code, kept.json.used_by]).to.deep.equal(['in_use', ['Usual']]);
    await put({ name: 'usual', applies_to: { services: ['General_Chat'] } });
    expect((await world.call('anna', 'DELETE', configuration)).status, 'of another service').to.equal(200);
    const changed = await put({ name: 'usual', applies_to: { connections: ['INSIDE'], aliases: ['fast'] } });
    expect(changed.status, summarize(changed)).to.equal(200);
  });

  it('are read and written by those who may edit masking, whoever made them', async () => {
    await made();
    expect((await get('usual', 'mara')).status).to.equal(200);
    expect((await world.call('mara', 'GET', `${PATH}?search=usu`)).json.result).to.have.length(1);
    expect((await put({ name: 'usual', description: 'hers' }, 'mara')).status).to.equal(200);
    for (const sent of [
      ...[post({ name: 'x', kinds: {} }, 'bert'), put({ name: 'usual', kinds: {} }, 'bert'), get('usual', 'bert')],
      ...[world.call('bert', 'GET', PATH), world.call('bert', 'DELETE', `${PATH}/usual`)],
      preview({ text: 'x', policy: { kinds: {} } }, 'bert'),
    ])
      await refused(sent, 403, 'missing_capability');
    expect((await world.call('mara', 'DELETE', `${PATH}/usual`)).json.name).to.equal('Usual');
  });

  it('are previewed on a text, by name or as given', async () => {
    await made({ kinds: { email: 'refuse' }, is_enabled: false, applies_to: { operations: ['predict'] } });
    const text = '\u{1F600} write to ann@example.org, then to ANN@example.org';
    const { json } = await preview({ text, name: 'USUAL' });
    const [, word] = / to (mail-\w{10}), then/.exec(json.masked) ?? [];
    expect(json.masked).to.equal(`\u{1F600} write to ${word}, then to ${word}`);
    expect(json.counts).to.deep.equal({ email: 2 });
    const values = json.spans.map(({ start, end, kind }: { start: number; end: number; kind: string }) => [
      ...[text.slice(start, end), kind],
    ]);
    expect(values).to.deep.equal([
      ['ann@example.org', 'email'],
      ['ANN@example.org', 'email'],
    ]);
    const again = (await preview({ text, name: 'usual' })).json.masked;
    expect(again, 'two previews cannot be linked').not.to.equal(json.masked);
    const { record: _, ...given } = (await get('usual')).json.config;
    const ofGiven = await preview({ text, policy: { ...given, kinds: { ipv4: 'mask' } } });
    expect([ofGiven.json.masked, ofGiven.json.spans, ofGiven.json.counts]).to.deep.equal([text, [], {}]);
    expect(ofGiven.json.warnings, 'a whole policy may be sent').to.equal(undefined);
  });

  it('are previewed by one policy, which is checked as in a create', async () => {
    await refused(preview({ text: 'x' }), 400, 'validation_failed', 'policy');
    await refused(preview({ text: 'x', name: 'a', policy: { kinds: {} } }), 400, 'validation_failed', 'policy');
    await refused(preview({ text: 'x', name: 'nowhere' }), 404, 'not_found');
    await refused(preview({ text: 'x', policy: {} }), 400, 'validation_failed', 'policy.kinds');
    const policy = { kinds: { nothing: 'mask' }, regions: ['ZZ'] };
    await refused(
      preview({ text: 'x', policy }),
      ...([400, 'validation_failed', 'policy.kinds.nothing', 'policy.regions.0'] as const),
    );
    await refused(preview({ text: 'x'.repeat(100_001), policy: { kinds: {} } }), 400, 'validation_failed', 'text');
  });
}
