import { expect } from 'chai';
import type { SearchView } from '../../src/spl/guard.ts';
import { judgeTemplate } from '../../src/spl/template.ts';
import { policy, view } from './tricky.ts';

/** A search in a string of `map`, so many times. */
const nestedMaps = (count: number, search: string): string =>
  Array.from({ length: count }).reduce<string>((inner) => `map search=${JSON.stringify(`| ${inner}`)}`, search);

describe('the judgement of a template', () => {
  const judged = (search: string, from: SearchView = view) =>
    judgeTemplate(search, [{ name: 'x', type: 'string', is_required: true }], from, policy);

  it('says whether it only reads', () => {
    expect(judged('index=web user="$x$" | stats count')).to.deep.equal({
      read_only: true,
      commands: ['search', 'stats'],
      refused: [],
    });
    expect(judged('error "$x$" earliest=-1y')).to.include({ read_only: true });
    expect(judged('`web` | lookup users user | head $x$')).to.include({ read_only: true });
    expect(judged('index=web "$x$" | outputlookup a')).to.deep.equal({
      read_only: false,
      commands: ['search', 'outputlookup'],
      refused: [],
    });
    expect(judged('index=web | lookup $x$ user')).to.include({ read_only: false });
    expect(judged('index=web | lookup dnslookup host')).to.include({ read_only: false });
    expect(judged('`nowhere` "$x$"')).to.include({ read_only: false });
    expect(judged('index=web | append [search index=app | collect index=x]')).to.deep.include({
      commands: ['search', 'append', 'collect'],
    });
  });

  it('judges a lookup that an argument names by all its values', () => {
    const withEnum = (values: string[], search = '| inputlookup $x$ | stats count by user') =>
      judgeTemplate(search, [{ name: 'x', type: 'string', is_required: true, enum: values }], view, policy).read_only;
    expect(withEnum(['users', 'assets_kv'])).to.equal(true);
    expect(withEnum(['users', 'dnslookup'])).to.equal(false);
    expect(withEnum(['users', 'nowhere'])).to.equal(false);
    expect(withEnum(['users'], '| inputlookup my_$x$')).to.equal(false);
    expect(withEnum(['users'], '| from lookup:$x$')).to.equal(true);
    expect(withEnum(['savedsearch', 'lookup'], '| from $x$:users')).to.equal(false);
  });

  it('names commands that run or send, at any depth', () => {
    for (const [search, refused] of [
      ['index=web | sendemail to="$x$"', ['sendemail']],
      ['index=web [search index=a | RUN x] | script y', ['run', 'script']],
      ['index=web | map search="search index=$$a$$ | sendalert x"', ['sendalert']],
      ['index=web | map search="search x=\\"a | b\\" | map search=\\"| runshellscript\\""', ['runshellscript']],
      ['`nowhere` | sendemail', ['sendemail']],
      ["index=web | where a='b\"c' | sendemail to=d | where e='f\"g'", ['sendemail']],
      ['index=web a=\\" | sendemail to="d"', ['sendemail']],
      ['index=web | "sendemail" to=d', ['sendemail']],
      ['index=web |\u00a0sendemail to=d', ['sendemail']],
      [`index=web | ${nestedMaps(5, 'sendemail to=d')}`, ['sendemail']],
      ['sendemail index=web | `nowhere`', []],
      ['index=web | eval a="| sendemail"', []],
    ] as const) {
      expect(judged(search).refused, search).to.deep.equal(refused);
    }
    const macro = () => ({ definition: 'sendemail to="x"', args: [], isEval: false });
    expect(judged('index=web | `m`', { ...view, macro }).refused).to.deep.equal(['sendemail']);
  });
});
