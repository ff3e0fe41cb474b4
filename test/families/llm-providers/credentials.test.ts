import { expect } from 'chai';
import { plain } from '../../../src/codegen/bundle/compile.ts';
import { secretPaths } from '../../../src/codegen/bundle/schemas.ts';
import type { Json } from '../../../src/contract/basics.ts';
import { MASK } from '../../../src/contract/basics.ts';
import { decideSecrets, insertSecrets, maskSecrets } from '../../../src/domain/secrets/secrets.ts';
import {
  fieldOfPath,
  keysOfPath,
  splitCredentials,
} from '../../../src/families/llm-providers/credentials/credentials.ts';
import { LlmConfigurationInput } from '../../../src/families/llm-providers/schemas.ts';
import { FIELD_NAMES } from '../../../src/families/llm-providers/settingFields.ts';
import { Random } from '../../support/random.ts';

const MARKS = secretPaths(plain(LlmConfigurationInput));
const split = (blob: unknown, marks = MARKS) => splitCredentials(blob as Json, marks);
const stored = (blob: unknown) => decideSecrets(split(blob).submitted, []).set;

describe('credentials in a free-form configuration', () => {
  it('finds every declared secret by its mark, and by its name, too', () => {
    expect(MARKS).to.have.members([
      'servicesettings/access_token/value',
      'servicesettings/cloud_access_token/value',
      'servicesettings/headers/value/*',
      'servicesettings/oauth/value/client_secret',
    ]);
    for (const path of MARKS.map((mark) => mark.replace('*', 'a name'))) {
      expect(stored(insertSecrets({}, { [path]: 'x' }, keysOfPath)), path).to.deep.equal({ [path]: 'x' });
    }
    const blob = { servicesettings: { pin: { value: '1234', label: 'PIN' }, pan: { value: '5678' } } };
    const { open, submitted: given } = split(blob, ['servicesettings/pin/value']);
    expect(decideSecrets(given, []).set).to.deep.equal({ 'servicesettings/pin/value': '1234' });
    expect(open).to.deep.equal({ servicesettings: { pin: { label: 'PIN' }, pan: { value: '5678' } } });
    expect(split({ servicesettings: { pin: null } }, ['servicesettings/pin/value']).submitted).to.deep.include({
      'servicesettings/pin/*': null,
    });
  });

  it('does not change what it is given', () => {
    const blob = { a_key: 'x', b: { token: ['y', { z: 'w' }] } };
    const before = structuredClone(blob);
    split(blob);
    expect(blob).to.deep.equal(before);
  });

  it('knows the names that credentials go by, and leaves authors in peace', () => {
    const hot = [
      'auth',
      'Authorization',
      'x-auth',
      'basicAuth',
      'oauth',
      'authority',
      'authenticator',
      'AUTHN',
      'authorization',
    ];
    hot.push('author_auth', 'passw', 'db_passwd', 'PASSWORD', 'passwort', 'pwd', 'userPwd', 'Bearer', 'bearer_value');
    hot.push('cookie', 'Set-Cookie', 'signature', 'x_signature_256', 'apiKey', 'token', 'my_secret', 'credentials');
    for (const name of hot) {
      for (const blob of [
        { [name]: 'canary' },
        { a: [{ [name]: { value: 'canary', label: 'L' } }] },
        { [name]: ['canary'] },
      ]) {
        expect(JSON.stringify(split(blob).open), name).not.to.contain('canary');
        expect(Object.values(stored(blob)), name).to.deep.equal(['canary']);
      }
    }
    for (const name of [
      'author',
      'Author',
      'authors',
      'authored',
      'authored_by',
      'authorship',
      'name',
      'pass',
      'sign',
      'mode',
    ]) {
      expect(stored({ [name]: 'a text' }), name).to.deep.equal({});
    }
    expect(stored({ auth_mode: 5, cookie_enabled: true, authorization: { type: 'Basic', value: 7 } })).to.deep.equal(
      {},
    );
  });

  it('no declared field but the secrets is taken for one', () => {
    const names = [...FIELD_NAMES, 'modelsettings', 'max_tokens', 'response_variability', 'is_saved', 'is_model_saved'];
    const declared = names.filter((name) => !['access_token', 'cloud_access_token'].includes(name));
    const servicesettings = Object.fromEntries(declared.map((name) => [name, { value: 'a text' }]));
    const modelsettings = { max_tokens: { value: 5 }, response_variability: { value: 0.5 } };
    expect(stored({ servicesettings: { ...servicesettings, max_tokens: { value: 5 } }, modelsettings })).to.deep.equal(
      {},
    );
  });

  it('numbers, booleans and the decoration of a value stay; known names that hold none too', () => {
    const blob = {
      servicesettings: {
        cloud_access_key_id: { value: 'AKIA', label: 'Key' },
        x_key: { value: 5, label: 'L', type: 'T', description: 'D' },
        y_token: { label: 'no value beside it' },
      },
      modelsettings: { max_tokens: { value: 5, placeholder: 'P' } },
      key: true,
    };
    const { open } = split(blob);
    const { y_token: _, ...rest } = blob.servicesettings;
    expect(open).to.deep.equal({ ...blob, servicesettings: rest });
    expect(stored(blob)).to.deep.equal({ 'servicesettings/y_token/label': 'no value beside it' });
  });

  it('keys that a path is made of are escaped', () => {
    const blob = { 'a/b*%key': { 'c/d': 'x' }, __proto__key: 'y', ['__proto__']: { secret: 'z' } };
    const parsed = JSON.parse(`{"a/b*%key":{"c/d":"x"},"__proto__":{"secret":"z"},"constructor":{"token":"w"}}`);
    expect(stored(blob)).to.include({ 'a%2Fb%2A%25key/c%2Fd': 'x', __proto__key: 'y' });
    const { open, submitted: given } = split(parsed);
    const whole = insertSecrets(open, decideSecrets(given, []).set, keysOfPath);
    expect(JSON.stringify(whole)).to.deep.equal(JSON.stringify(parsed));
    expect(fieldOfPath('a%2Fb%2A%25key/c%2Fd')).to.equal('a/b*%key.c/d');
    expect(({} as Record<string, unknown>).secret).to.equal(undefined);
  });

  it('one shape that takes the place of another takes its secrets along', () => {
    const shapes: unknown[] = [
      's',
      { value: 's' },
      { value: { deep: 's' } },
      ['s', 's'],
      [{ value: 's' }],
      5,
      null,
      {},
    ];
    for (const [i, before] of shapes.entries()) {
      for (const [j, after] of shapes.entries()) {
        const kept = Object.keys(stored({ the_key: before }));
        const { open, submitted: given } = split({ the_key: after });
        const decision = decideSecrets(given, kept);
        const paths = [...decision.keep, ...Object.keys(decision.set)];
        const shown = maskSecrets(open, paths, keysOfPath);
        const told = `${i} then ${j}: ${JSON.stringify(shown)}`;
        // Nothing is stored that a reader would not see.
        const masks = JSON.stringify(shown).split(MASK).length - 1;
        expect(masks, told).to.equal(paths.length);
      }
    }
  });

  it('in lists the mask keeps the entry at its place, and absence deletes', () => {
    const before = stored({ keys: ['a', 'b', 'c'], list: [{ token: 'd' }, { token: 'e' }] });
    const { submitted: given, open } = split({ keys: ['new', MASK], list: [{ token: MASK }] });
    const { keep, set } = decideSecrets(given, Object.keys(before));
    expect({ keep, set }).to.deep.equal({ keep: ['keys/1', 'list/0/token'], set: { 'keys/0': 'new' } });
    expect(maskSecrets(open, [...keep, ...Object.keys(set)], keysOfPath)).to.deep.equal({
      keys: [MASK, MASK],
      list: [{ token: MASK }],
    });
  });

  it('any blob: no credential stays in the open, and all of it can be put together again', () => {
    const NAMES = [
      'a',
      'value',
      'label',
      'type',
      'api_key',
      'TOKEN',
      'my.secret',
      'x/password',
      '0',
      'credentials',
      'Authorization',
      'db_passw',
      'author',
      'SetCookie',
      '*',
    ];
    const random = new Random(7);
    const make = (depth: number, hot: boolean): unknown => {
      const kind = random.below(depth === 0 ? 3 : 6);
      if (kind === 0) return random.below(100);
      if (kind === 1) return random.chance(0.5);
      if (kind === 2) return hot ? `canary-${random.below(1e9)}` : `text-${random.below(1e9)}`;
      if (kind === 3) return Array.from({ length: 1 + random.below(3) }, () => make(depth - 1, hot));
      const object: Json = {};
      for (let n = 1 + random.below(4); n > 0; n--) {
        const name = random.pick(NAMES);
        const isHot = hot || /key|token|secret|passw|credential|cookie|authoriz/i.test(name);
        // What a form keeps beside a value is no credential: left out here.
        if (isHot && (name === 'label' || name === 'type')) continue;
        object[name] = make(depth - 1, isHot);
      }
      return object;
    };
    let found = 0;
    for (let round = 0; round < 2000; round++) {
      const blob = { root: make(5, false), my_token: make(3, true) };
      const { open, submitted: given } = split(blob);
      expect(JSON.stringify(open), JSON.stringify(blob)).to.not.contain('canary');
      const { set } = decideSecrets(given, []);
      found += Object.keys(set).length;
      expect(Object.values(set).every((value) => value.startsWith('canary'))).to.equal(true);
      const whole = insertSecrets(open, set, keysOfPath);
      expect(whole, JSON.stringify(blob)).to.deep.equal(blob);
      // What a reader is shown means: leave all as it is.
      const again = split(maskSecrets(open, Object.keys(set), keysOfPath));
      const { keep, changes } = decideSecrets(again.submitted, Object.keys(set));
      expect([keep.length, changes]).to.deep.equal([Object.keys(set).length, false]);
    }
    expect(found).to.be.greaterThan(2000);
  });
});
