import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { canonicalName, commandRefusal } from '../../src/spl/commands/policy.ts';
import { policy } from './tricky.ts';

interface Source {
  commands: { name: string; verdict: string; aliases?: string[] }[];
  aliases: { name: string; alias_of: string; verdict: string }[];
  of_add_ons: { name: string; verdict: string }[];
}

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const source = read('src/codegen/spl/commands.json') as Source;
const counts = read('test/fixtures/spl/counts.json') as { command_searches: Record<string, number> };

const isAllowed = (name: string): boolean => commandRefusal(name, policy) === undefined;

describe('the commands of the guard', () => {
  it('have the verdicts of their source, under all names', () => {
    const { commands, aliases, of_add_ons } = source;
    expect([commands.length, aliases.length, of_add_ons.length]).to.deep.equal([169, 17, 9]);
    for (const { name, verdict } of [...commands, ...aliases, ...of_add_ons]) {
      expect(isAllowed(name), name).to.equal(verdict !== 'refuse');
    }
    for (const { name, alias_of } of aliases) expect(canonicalName(name), name).to.equal(alias_of);
    const second = commands.flatMap(({ name, aliases: names = [] }) => names.map((alias) => [alias, name]));
    for (const [alias = '', name = ''] of second) expect(canonicalName(alias), alias).to.equal(name);
  });

  it('are those that published searches use, but for six', () => {
    const refused = Object.keys(counts.command_searches).filter((name) => !isAllowed(name));
    expect(refused.sort()).to.deep.equal(['apply', 'cyberchef', 'dnstwist', 'fit', 'map', 'outputlookup']);
  });

  it('are not taken for members of objects', () => {
    for (const name of ['constructor', '__proto__', 'tostring', 'hasownproperty']) {
      expect(isAllowed(name), name).to.equal(false);
      expect(canonicalName(name)).to.equal(name);
    }
  });
});
