import { expect } from 'chai';
import { mayBeAdded } from '../../src/spl/commands/policy.ts';
import { missingMacros, sameCommands } from '../../src/spl/guard.ts';
import { brief, judge } from './tricky.ts';

/** Text at the position of a refusal, up to a blank. */
function textAtFault(text: string): string {
  const verdict = judge(text);
  if (verdict.allowed) return 'allowed';
  return text.slice(verdict.position).split(/[\s|\]]/)[0] ?? '';
}

const messageOf = (text: string): string => {
  const verdict = judge(text);
  return verdict.allowed ? 'allowed' : verdict.message;
};

/** A macro with this definition and these arguments, under any name. */
const macroOf = (definition: string, args: string[] = []) => ({
  macro: (_name: string, count: number) => (count === args.length ? { definition, args, isEval: false } : null),
});

describe('a refusal', () => {
  it('has the position of the command in the text of the caller', () => {
    expect(textAtFault('index=web | stats count | delete now')).to.equal('delete');
    expect(textAtFault('  index=web ``` why ``` [search index=app | COLLECT index=x]')).to.equal('COLLECT');
    expect(textAtFault('SEARCH index=web | outputlookup x')).to.equal('outputlookup');
    expect(textAtFault('| makeresults | sendemail to="x"')).to.equal('sendemail');
    expect(textAtFault('`web` | stats count by host | `ctime(first)` | delete')).to.equal('delete');
  });

  it('has the position of the call for text of a macro', () => {
    expect(textAtFault('index=web | head 5 | `evil`')).to.equal('`evil`');
    expect(textAtFault('`web` `evil_outer`')).to.equal('`evil_outer`');
    expect(textAtFault('index=web | `idx("x | delete")`')).to.equal('`idx("x');
    expect(textAtFault('index=web `nowhere`')).to.equal('`nowhere`');
  });

  it('has the position of what cannot be read', () => {
    expect(textAtFault('index=web "open')).to.equal('"open');
    expect(textAtFault('index=web [search index=app')).to.equal('[search');
    expect(textAtFault('index=web earliest=-90d latest=now')).to.equal('earliest=-90d');
    expect(textAtFault('index=web | lookup dnslookup host')).to.equal('dnslookup');
    expect(textAtFault('| union datamodel:Web savedsearch:x')).to.equal('savedsearch:x');
  });

  it('names the command, why it is refused and what is allowed', () => {
    expect(messageOf('index=web | delete')).to.match(
      /^Command delete is not allowed: hides events for good\. Allowed are commands that only read, such as search, /,
    );
    expect(messageOf('index=web | stash')).to.match(
      /^Command stash, a second name of collect, is not allowed: writes events into an index\. Allowed are /,
    );
    expect(messageOf('index=web | frobnicate')).to.match(
      /^Command frobnicate is not allowed: it is no command of the platform/,
    );
  });

  it('says what is allowed for faults of other kinds', () => {
    expect(messageOf('index=web earliest=-90d')).to.equal(
      'earliest "-90d" reaches back more than 30 days; use a later time, such as -30d',
    );
    expect(messageOf('index=web earliest=rt')).to.equal('earliest "rt" is real time; use a time such as -4h or now');
    expect(messageOf('index=web starttime=3')).to.equal(
      'starttime is not allowed; use earliest and latest, such as earliest=-4h latest=now',
    );
    expect(messageOf('error')).to.match(
      /^Command search must name what it reads: .* such as index=main \(index=\* alone does not count\)$/,
    );
    expect(messageOf('| inputlookup nowhere')).to.equal(
      'Lookup "nowhere" does not exist or may not be read; use one that you can see',
    );
    expect(messageOf('| inputlookup dnslookup')).to.equal(
      'Lookup "dnslookup" runs a program; only lookups of files, KV stores and shapes are allowed',
    );
    expect(messageOf('`computed(web)`')).to.equal(
      'Macro computed computes its text; only macros with a fixed text are allowed',
    );
    expect(messageOf('| from savedsearch:x')).to.equal(
      'Command from reads only datamodel:<name> and lookup:<name>, written as plain text',
    );
    expect(messageOf("index=web | where x='a\"b' | delete | where z='c\"d'")).to.match(
      /^The search can be read in two ways, and if single quotes quote it is refused: Command delete /,
    );
  });
});

describe('a text', () => {
  it('is refused as SPL2 behind a comment too', () => {
    expect(brief(judge('``` x ``` @spl2 from main'))).to.equal('language');
    expect(brief(judge(' FROM main'))).to.equal('language');
    expect(brief(judge('from=x index=web'))).to.equal('allowed');
  });

  it('may have a parenthesis after the name of a command', () => {
    expect(brief(judge('index=web | where(status=5)'))).to.equal('allowed');
    expect(brief(judge('index=web | delete(x)'))).to.equal('command delete');
  });

  it('has no macro that only another reading would see', () => {
    expect(brief(judge("index=web x='a\"b' `web` y='c\"d'"))).to.equal('ambiguous');
    expect(brief(judge("index=web x='a\"b' ``` x ``` y='c\"d'"))).to.equal('ambiguous');
  });
});

describe('the text to dispatch', () => {
  const dispatched = (text: string): string => {
    const verdict = judge(text);
    return verdict.allowed ? verdict.search : verdict.message;
  };

  it('has macros expanded and comments left out', () => {
    expect(dispatched('`web` status=404 | `ctime(first)`')).to.equal(
      'search index=web sourcetype=access_combined status=404 | convert timeformat="%Y-%m-%dT%H:%M:%S" ctime(first)',
    );
    expect(dispatched('index=web ``` a | b ```| head 5')).to.equal('search index=web  | head 5');
    expect(dispatched('``` first ``` | makeresults')).to.equal('| makeresults');
  });

  it('begins with search or a bar', () => {
    expect(dispatched('SEARCH index=web')).to.equal('search index=web');
    expect(dispatched('\tsearch\nindex=web ')).to.equal('search\nindex=web');
    expect(dispatched('search=x index=web')).to.equal('search search=x index=web');
    expect(dispatched('[search index=web | fields host] index=app')).to.equal(
      'search [search index=web | fields host] index=app',
    );
  });

  it('is followed by the commands, at any depth and of the outermost pipeline', () => {
    const verdict = judge(
      'index=web | join host [search index=app | stats count by host] | STATS count | stats sum(count)',
    );
    expect(verdict).to.deep.include({
      commands: ['search', 'join', 'stats'],
      pipeline: ['search', 'join', 'stats', 'stats'],
    });
  });

  it('has the commands that the parser names, under any of their names', () => {
    expect(sameCommands(['search', 'kv', 'stats'], ['stats', 'extract', 'search'])).to.equal(true);
    expect(sameCommands(['search', 'stats'], ['search', 'stats', 'stats'])).to.equal(false);
    expect(sameCommands(['search'], ['search', 'delete'])).to.equal(false);
  });
});

describe('macros', () => {
  const withMacro = (text: string, definition: string, args: string[] = []) =>
    brief(judge(text, { view: macroOf(definition, args) }));

  it('are found by name and number of arguments', () => {
    const text = '`a` | `b(1, "x,y")` "`in_string`" ``` `in_comment` ``` [search `c()`]';
    expect(missingMacros(text, () => null)).to.deep.equal([
      { name: 'a', args: 0 },
      { name: 'b', args: 2 },
      { name: 'c', args: 0 },
    ]);
    expect(missingMacros('"open `a`', () => null)).to.deep.equal([]);
  });

  it('are asked for until none is missing', () => {
    const macros = new Map([['outer(1)', { definition: '`$kind$_events` | `limit`', args: ['kind'], isEval: false }]]);
    const find = (name: string, args: number) => macros.get(args > 0 ? `${name}(${args})` : name) ?? null;
    expect(missingMacros('`outer(web)` | `outer(app)`', find)).to.deep.equal([
      { name: 'web_events', args: 0 },
      { name: 'limit', args: 0 },
      { name: 'app_events', args: 0 },
    ]);
    for (const name of ['web_events', 'limit', 'app_events'])
      macros.set(name, { definition: 'x', args: [], isEval: false });
    expect(missingMacros('`outer(web)` | `outer(app)`', find)).to.deep.equal([]);
  });

  it('take arguments by position or by name, not both', () => {
    expect(withMacro('`m(web, 5)`', 'index=$i$ | head $n$', ['i', 'n'])).to.equal('allowed');
    expect(withMacro('`m(n=5, i="web")`', 'index=$i$ | head $n$', ['i', 'n'])).to.equal('allowed');
    expect(withMacro('`m(i=web, 5)`', 'index=$i$ | head $n$', ['i', 'n'])).to.equal('macro_argument');
    expect(withMacro('`m(i=web, i=app)`', 'index=$i$ | head $n$', ['i', 'n'])).to.equal('macro_argument');
    expect(withMacro('`m(web)`', 'index=$i$', ['i', 'n'])).to.equal('macro_unknown');
  });

  it('take no argument that could change the stages of the definition', () => {
    for (const value of ['"a\\"b"', 'a"b', 'a\\', '[a', 'a]', '"a|b"']) {
      expect(withMacro(`\`m(${value})\` | head 1`, 'index=web x="$v$"', ['v']), value).to.equal('macro_argument');
    }
  });

  it('do not replace arguments within arguments', () => {
    const verdict = judge('`m("$b$", x)`', { view: macroOf('index=web a="$a$" b="$b$"', ['a', 'b']) });
    expect(verdict).to.include({ allowed: true, search: 'search index=web a="$b$" b="x"' });
  });

  it('close their own quotes, brackets and comments', () => {
    for (const definition of ['x="', '[search index=web', 'x ]', '] [', '``` x', '`m']) {
      expect(withMacro('index=web `m` | head 1', definition), definition).to.equal('macro_unbalanced');
    }
  });

  it('may hold the first command, and a part of a name', () => {
    expect(withMacro('`m` | head 1', '| tstats count where index=web')).to.equal('allowed');
    expect(withMacro('`m`', 'search index=web')).to.equal('allowed');
    expect(withMacro('index=web | de`m`', 'lete')).to.equal('command delete');
    expect(withMacro('index=web | `m`lete', 'de')).to.equal('command delete');
    expect(withMacro('index=web `m` delete', '|')).to.equal('command delete');
    expect(withMacro('index=web | `m`', 'de``` ```lete')).to.equal('command de');
    expect(withMacro('`m`', 'from main')).to.equal('language');
  });

  it('are called by their name alone', () => {
    for (const call of ['``', '` `', '`a b`', '`a/../b`', '`a(b`', '`a)`', '`a(b)c`']) {
      expect(withMacro(`index=web ${call}`, 'x'), call).to.equal('macro_unknown');
    }
  });
});

describe('settings of the guard', () => {
  const withPolicy = (text: string, given: Parameters<typeof judge>[1]) => brief(judge(text, given));

  it('add commands by name', () => {
    expect(withPolicy('index=web | frobnicate', { policy: { allowCommands: ['Frobnicate '] } })).to.equal('allowed');
    expect(withPolicy('| dbinspect index=web', { policy: { allowCommands: ['dbinspect'] } })).to.equal('allowed');
    expect(withPolicy('index=web | apply m', { policy: { allowCommands: ['apply'] } })).to.equal('allowed');
  });

  it('never add commands that write, run, send or read what is of others', () => {
    const never = [
      'delete',
      'stash',
      'collapse',
      'run',
      'sendemail',
      'map',
      'macro',
      'loadjob',
      'rest',
      'dbxquery',
      'fit',
      'ai',
      'x|delete',
      '',
    ];
    for (const name of never) {
      expect(mayBeAdded(name), name).to.equal(false);
      if (/^\w+$/.test(name)) {
        expect(withPolicy(`index=web | ${name}`, { policy: { allowCommands: [name] } }), name).to.equal(
          `command ${name}`,
        );
      }
    }
    expect(mayBeAdded('timewrap2')).to.equal(true);
  });

  it('take commands away under all their names', () => {
    const policy = { denyCommands: ['Bin', 'common'] };
    for (const name of ['bin', 'bucket', 'discretize', 'top', 'common']) {
      expect(withPolicy(`index=web | ${name} x`, { policy }), name).to.equal(`command ${name}`);
    }
    expect(withPolicy('index=web', { policy: { denyCommands: ['search'] } })).to.equal('command search');
    expect(withPolicy('index=web | stats count', { policy })).to.equal('allowed');
  });

  it('win over additions when they take away', () => {
    expect(withPolicy('index=web | apply', { policy: { allowCommands: ['apply'], denyCommands: ['apply'] } })).to.equal(
      'command apply',
    );
  });
});
