import { expect } from 'chai';
import { parseConf } from '../../src/confs/conf.ts';
import { findEndpoint, loadScriptEndpoints } from '../../src/drivers/restmap.ts';
import { BUILTIN_ROLES } from '../../src/identity/builtinRoles.ts';
import { recordedFacts } from './recorded.ts';

interface Release {
  with_regex: { match: string }[];
  coexisting_not_at_a_slash: [string, string][];
}

const matches = recordedFacts<{
  'splunkd_9.0.3': Release;
  'splunkd_10.2.3': Release;
  published: { app: string; matches: string[] }[];
}>('matches.json');
const { roles } = recordedFacts<{ roles: Record<string, { imports: string; capabilities: string[] }> }>('roles.json');

/** The `match` of the endpoint that takes a path, among endpoints with these. */
function finder(all: Iterable<string>): (path: string) => string | undefined {
  const restmap = [...new Set(all)]
    .map((match, index) => `[script:s${index}]\nscripttype = persist\nmatch = ${match}\n`)
    .join('\n');
  const app = { name: 'one', dir: '/apps/one', conf: () => parseConf(restmap) };
  const endpoints = loadScriptEndpoints(
    [{ ...app, access: () => ({ read: [], write: [] }), isExported: () => false, owner: () => undefined }],
    {},
  );
  return (path) => findEndpoint(endpoints, path)?.match;
}

/** The shortest path that an expression takes. */
const pathOf = (match: string): string => match.replace(/\(\$\|\/\)|\/\?|\(byid\)\?|\$/g, '').replace(/[()]/g, '');

describe('embedded platform: published configuration', () => {
  for (const [name, { with_regex, coexisting_not_at_a_slash: pairs }] of [
    ['splunkd 9.0.3', matches['splunkd_9.0.3']],
    ['splunkd 10.2.3', matches['splunkd_10.2.3']],
  ] as const) {
    it(`finds the endpoints of ${name}`, () => {
      const expressions = with_regex.map(({ match }) => match);
      const taker = finder([...expressions, ...pairs.flat()]);
      for (const match of expressions) {
        expect(taker(pathOf(match))).to.equal(match);
        if (!match.endsWith('$')) expect(taker(`${pathOf(match)}/x`)).to.equal(match);
      }
      for (const [short, long] of pairs) {
        expect(taker(long)).to.equal(long);
        expect(taker(`${long}/x`)).to.equal(long);
        expect(taker(short)).to.equal(short);
      }
    });
  }

  for (const { app, matches: own } of matches.published) {
    it(`finds the endpoints of ${app}`, () => {
      const taker = finder(own);
      for (const match of own) {
        expect(taker(pathOf(match))).to.equal(match);
        expect(taker(`${pathOf(match)}/x`)).to.equal(match);
      }
    });
  }

  it('has the roles of splunkd 10.2.3', () => {
    expect(Object.keys(BUILTIN_ROLES)).to.have.members(Object.keys(roles));
    for (const [name, { imports, capabilities }] of Object.entries(roles)) {
      expect(BUILTIN_ROLES[name]?.imports, name).to.have.members(imports.split(';').filter(Boolean));
      expect(BUILTIN_ROLES[name]?.capabilities, name).to.have.members(capabilities);
    }
  });
});
