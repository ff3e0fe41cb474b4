import { expect } from 'chai';
import fc from 'fast-check';
import type { SearchView } from '../../src/spl/guard.ts';
import { lex, USUAL } from '../../src/spl/lexer.ts';
import { checkTemplate, filledFault, fillTemplate, type TemplateArgument } from '../../src/spl/template.ts';
import { holds } from '../support/property.ts';
import { policy, view } from './tricky.ts';

const argument = (type: TemplateArgument['type'], more: Partial<TemplateArgument> = {}): TemplateArgument => ({
  name: 'x',
  type,
  is_required: true,
  ...more,
});

/** First fault of a template with one argument `x`, or `none`. */
function faultOf(search: string, given: TemplateArgument = argument('string')): string {
  const [fault] = checkTemplate(search, [given]);
  return fault ? `${fault.path}: ${fault.message}` : 'none';
}

/** The filled text, or path and message of the fault. */
function filled(search: string, given: TemplateArgument, value: unknown, from?: SearchView): string {
  const result = fillTemplate(search, [given], { x: value }, from);
  return 'search' in result ? result.search : `${result.fault.code} ${result.fault.path}: ${result.fault.message}`;
}

describe('a template', () => {
  it('declares what it uses and uses what it declares', () => {
    expect(faultOf('index=web user="$x$"')).to.equal('none');
    expect(faultOf('index=web user="$x$" | return $$user "$$x$$"')).to.equal('none');
    expect(faultOf('index=web user="$x$" host="$y$"')).to.equal(
      'search: Argument y is not declared; add it to the arguments, or write $$ for a dollar sign',
    );
    expect(faultOf('index=web')).to.equal(
      'arguments/0/name: Argument x is not used; write $x$ in the search or remove it',
    );
    expect(checkTemplate('index=$x$', [argument('index'), argument('index')])).to.deep.equal([
      { path: 'arguments/1/name', message: 'Argument x is declared twice' },
    ]);
    for (const search of ['index=web "$x$" | return $user', '$x', 'index="$x y$"', '$x$$']) {
      expect(faultOf(search), search).to.equal(
        'search: A dollar sign begins an argument, such as $user$; write $$ for a dollar sign',
      );
    }
  });

  it('can be read', () => {
    expect(faultOf(' ')).to.match(/^search: The search is empty/);
    expect(faultOf('index=web user="$x$')).to.equal('search: A quote is not closed (offset 15)');
    expect(faultOf('index=web "$x$" \ue000')).to.match(/^search: The search has characters of a private area/);
  });

  it('has strings in double quotes, or as words of an enum', () => {
    const message =
      'search: Argument x is a string and stands outside of double quotes: put it in quotes, use another type (index, sourcetype, field) or an enum of plain words';
    for (const search of ['index=$x$', "index=web | eval a='$x$'", 'index=web a"b"$x$', 'index=web | stats $x$']) {
      expect(faultOf(search), search).to.equal(message);
    }
    expect(faultOf('index=$x$', argument('string', { enum: ['web', 'app-2'] }))).to.equal('none');
    expect(faultOf('index=$x$', argument('string', { enum: ['web', 'a b'] }))).to.equal(message);
    expect(faultOf('index=web a="b $x$ c"', argument('string', { enum: ['a b'] }))).to.equal('none');
  });

  it('has no argument in the call of a macro, in a comment, as a command or in place of brackets', () => {
    const anyWord = argument('string', { enum: ['head', 'stats'] });
    for (const [search, problem] of [
      ['index=web | `m($x$)`', 'must not stand in the call of a macro'],
      ['index=web `m$x$`', 'must not stand in the call of a macro'],
      ['index=web `m`$x$', 'must not touch the call of a macro'],
      ['index=web $x$`m`', 'must not touch the call of a macro'],
      ['index=web ```$x$```', 'has no effect in a comment'],
      ['index=web | $x$ 5', 'must not stand for a command'],
      ['index=web|$x$', 'must not stand for a command'],
      ['| $x$', 'must not stand for a command'],
      ['index=web | st$x$', 'must not stand for a command'],
      ['index=web [$x$ index=app]', 'must not stand for a command'],
      ['index=web [| $x$]', 'must not stand for a command'],
      ['index=web | `m` $x$', 'must not stand for a command'],
      ['index=web | "$x$" 5', 'must not stand for a command'],
      ['index=web | append $x$', 'must not stand for a search in brackets'],
      ['index=web | append maxout=5 $x$ [search index=app]', 'must not stand for a search in brackets'],
      ['index=web | join host $x$', 'must not stand for a search in brackets'],
      ['index=web | foreach a $x$ | head', 'must not stand for a search in brackets'],
      ['| union $x$ [search index=web]', 'must not stand for a search in brackets'],
    ] as const) {
      expect(faultOf(search, anyWord), search).to.equal(`search: Argument x ${problem}`);
    }
    for (const search of [
      'index=web | join $x$ [search index=app]',
      'index=web | foreach $x$* [eval a=1]',
      'index=web | append maxout=$x$ [search index=app]',
      '`web` host=$x$',
      'index=web [search host=$x$ | fields a]',
      'index=web | where a=1 | stats count by $x$',
    ]) {
      expect(faultOf(search, anyWord), search).to.equal('none');
    }
  });

  it('has no argument in a regular expression but one with an enum', () => {
    for (const search of [
      'index=web | regex _raw="$x$"',
      'index=web | rex "$x$"',
      'index=web | rex field=a mode=sed "s/$x$/y/"',
      'index=web | where match(a, "$x$")',
      'index=web | eval b=if(replace(a,"$x$",""),1,0)',
      'index=web | makemv tokenizer="$x$" a',
      'index=web [search index=app | regex a="$x$"]',
    ]) {
      expect(faultOf(search), search).to.equal(
        'search: Argument x stands in a regular expression, so it needs an enum',
      );
      expect(faultOf(search, argument('string', { enum: ['a', 'b'] })), search).to.equal('none');
    }
    expect(faultOf('index=web | rex field=$x$ "(?<a>b)"', argument('field'))).to.equal('none');
    expect(faultOf('index=web | where match(a, "b") AND c="$x$"')).to.equal('none');
    expect(faultOf('index=web | regex a="b" | where c="$x$"')).to.equal('none');
    expect(faultOf('index=web | where like(a, "$x$")')).to.equal('none');
  });

  it('has no names and texts in the text of another search, which is not lexed once it is filled', () => {
    const problem =
      'search: Argument x stands in the text of another search, where only integers, numbers, booleans and times may';
    for (const search of [
      'index=web | map search="search index=app user=$x$"',
      'index=web | MAP maxsearches=5 search="search a=\\"$x$\\""',
      '| savedsearch errors user="$x$"',
      '| macro errors user="$x$"',
      'index=web [| savedsplunk errors user="$x$"]',
    ]) {
      for (const given of [argument('string'), argument('string', { enum: ['a'] }), argument('index')])
        expect(faultOf(search, given), search).to.equal(problem);
      expect(faultOf(search, argument('integer')), search).to.equal('none');
    }
    expect(faultOf('index=web | map maxsearches=$x$ search="search index=app"', argument('integer'))).to.equal('none');
  });

  it('is judged in every way to read it', () => {
    const inQuotes = "index=web | eval a='b\"c' | $x$ to=me | eval d='e\"f'";
    expect(faultOf(inQuotes)).to.equal('search: Argument x must not stand for a command');
    const afterBackslash = 'index=web a=\\" | $x$ to="me"';
    expect(faultOf(afterBackslash, argument('index'))).to.equal('search: Argument x must not stand for a command');
    expect(faultOf('index=web a=\\"b "$x$" c="d \\"e "')).to.match(/stands outside of double quotes/);
    expect(faultOf("index=web | eval a='b c', d=\"it's $x$\"")).to.equal('none');
  });

  it('has values of its arguments that fit their types', () => {
    expect(faultOf('index=$x$', argument('index', { default: 'a b' }))).to.equal(
      'arguments/0/default: Argument x must be the name of an index, such as web',
    );
    expect(faultOf('| head $x$', argument('integer', { minimum: 5, maximum: 1 }))).to.equal(
      'arguments/0/minimum: Argument x must not be above maximum',
    );
    expect(faultOf('index=web | head $x$', argument('integer', { enum: [1, 'a'] }))).to.equal(
      'arguments/0/enum/1: Argument x must be an integer',
    );
    expect(faultOf('index=web | head $x$', argument('integer', { is_required: false }))).to.equal(
      'arguments/0/default: Argument x is not required, so it needs a default',
    );
    expect(faultOf('index=web | head $x$', argument('integer', { default: 5, enum: [1, 2] }))).to.equal(
      'arguments/0/default: Argument x must be one of 1, 2',
    );
  });
});

describe('values of a template', () => {
  const quoted = 'index=web user="$x$"';

  it('are escaped in quotes', () => {
    expect(filled(quoted, argument('string'), 'C:\\a "b"')).to.equal('search index=web user="C:\\\\a \\"b\\""');
    expect(filled(quoted, argument('string'), "O'Brien | $x$ $$ [a]")).to.equal(
      'search index=web user="O\'Brien | $x$ $$ [a]"',
    );
    expect(filled(`${quoted} | return $$user`, argument('string'), 'a')).to.equal(
      'search index=web user="a" | return $user',
    );
    expect(filled(quoted, argument('string', { wildcards: true }), 'a*')).to.equal('search index=web user="a*"');
  });

  it('are refused with the path of the argument', () => {
    for (const [given, value, problem] of [
      [argument('string'), 'a\nb', 'must not contain line breaks or other control characters'],
      [argument('string'), 'a\u0000', 'must not contain line breaks or other control characters'],
      [argument('string'), '\ue000', 'must not contain line breaks or other control characters'],
      [argument('string'), '`m`', 'must not contain a backtick'],
      [argument('string'), 'a*', 'must not contain *, since this argument takes no wildcards'],
      [argument('string'), 5, 'must be a string'],
      [argument('string'), 'x'.repeat(10_001), 'must have at most 10000 characters'],
      [argument('string', { enum: ['a', 'b'] }), 'c', 'must be one of "a", "b"'],
      [
        argument('integer', { enum: Array.from({ length: 100 }, (_, index) => index) }),
        100,
        'must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and 80 more',
      ],
      [argument('string', { enum: ['a'.repeat(500)] }), 'b', `must be one of "${'a'.repeat(79)}`],
      [argument('integer'), '5', 'must be an integer'],
      [argument('integer'), 5.5, 'must be an integer'],
      [argument('number'), Number.NaN, 'must be a number'],
      [argument('number'), 1e300, 'must be a number'],
      [argument('number', { minimum: 1 }), 0, 'must be at least 1'],
      [argument('number', { maximum: 1 }), 2, 'must be at most 1'],
      [argument('boolean'), 'true', 'must be true or false'],
      [argument('time'), 'rt', 'must be a time: a modifier such as -4h@h, ISO 8601, seconds since 1970 or now'],
      [argument('time'), 'now()', 'must be a time: a modifier such as -4h@h, ISO 8601, seconds since 1970 or now'],
      [argument('index'), 'a b', 'must be the name of an index, such as web'],
      [argument('index'), '*', 'must be the name of an index, such as web'],
      [argument('sourcetype'), 'a|b', 'must be the name of a sourcetype, such as access_combined'],
      [argument('field'), '1a', 'must be the name of a field, such as host'],
      [argument('field'), '__proto__ x', 'must be the name of a field, such as host'],
      [argument('string'), undefined, 'is required'],
      [argument('string'), null, 'is required'],
    ] as const) {
      expect(filled(quoted, given, value), String(value)).to.equal(`invalid values/x: Argument x ${problem}`);
    }
    expect(fillTemplate(quoted, [argument('string')], { x: 'a', y: 1 })).to.have.nested.property(
      'fault.path',
      'values/y',
    );
    expect(fillTemplate(quoted, [], {})).to.have.nested.property('fault.code', 'invalid');
  });

  it('are filled in by their types', () => {
    for (const [given, value, text] of [
      [argument('integer'), -5, '-5'],
      [argument('number'), 0.5, '0.5'],
      [argument('boolean'), false, 'false'],
      [argument('time'), '-4h@h', '-4h@h'],
      [argument('time'), 1_700_000_000, '1700000000'],
      [argument('time'), '2026-11-28T10:00:00+01:00', '2026-11-28T10:00:00+01:00'],
      [argument('sourcetype'), 'aws:cloudtrail', 'aws:cloudtrail'],
      [argument('field'), 'a.b{}.c', 'a.b{}.c'],
      [argument('index', { default: 'web', is_required: false }), undefined, 'web'],
      [argument('index', { default: 'web', is_required: true }), null, 'web'],
    ] as const) {
      expect(filled('index=web a=$x$ | head 1', given, value), text).to.equal(`search index=web a=${text} | head 1`);
    }
  });

  it('never change the stages of the search, however it is read', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc
        .array(fc.constantFrom('"', '\\', "'", '|', '[', ']', '`', '$', 'x', ' ', '\n', '```'), { maxLength: 12 })
        .map((parts) => parts.join('')),
    );
    const template = fc.constantFrom(
      quoted,
      'index=web user="a\'$x$\'b" | stats count',
      'index=web x=\'a"$x$"b\' | head 1',
      'index=web x=\\"y "$x$" | head 1',
      'index=web [search index=app "$x$"]',
    );
    holds(
      fc.property(template, value, (search, text) => {
        const result = fillTemplate(search, [argument('string', { wildcards: true })], { x: text });
        if (!('search' in result)) return;
        const [expected, actual] = [`search ${search}`, result.search].map((each) => lex(each, USUAL));
        const kinds = (tokens: typeof actual) => (Array.isArray(tokens) ? tokens.map(({ kind }) => kind) : tokens);
        expect(kinds(actual)).to.deep.equal(kinds(expected));
      }),
      2_000,
    );
  });

  it('that a second way of reading takes for more are refused', () => {
    expect(filled('index=web x=\'a"$x$"b\' | head 1', argument('string'), "' | delete")).to.equal(
      'search_not_allowed values: A value changes the stages of the search',
    );
  });
});

describe('a template with macros', () => {
  const macros = (definition: string): SearchView => ({
    ...view,
    macro: () => ({ definition, args: [], isEval: false }),
  });

  it('is expanded as the caller sees them', () => {
    expect(filled('`m` host="$x$"', argument('string'), 'a', macros('| tstats count where index=web'))).to.equal(
      '| tstats count where index=web host="a"',
    );
    expect(filled('`m` host="$x$"', argument('string'), 'a', macros('index=web'))).to.equal(
      'search index=web host="a"',
    );
    expect(filled('`m` host="$x$"', argument('string'), 'a')).to.equal('`m` host="a"');
  });

  it('is refused where a macro makes more of a value', () => {
    const word = argument('field');
    expect(filled('`m` $x$', word, 'delete', macros('index=web |'))).to.equal(
      'search_not_allowed values: A macro of the search lets a value change its stages',
    );
    for (const definition of ['index=web | rex', 'index=web | map search=', 'index=web | where a=']) {
      const isPlace = definition.endsWith('where a=');
      const problem = 'search_not_allowed values: A macro of the search lets a value change its stages';
      expect(filled('`m` "$x$"', argument('string'), 'a', macros(definition)), definition).to.equal(
        isPlace ? 'search index=web | where a= "a"' : problem,
      );
    }
    expect(filled('`m` $x$', word, 'delete', { ...view, macro: () => null })).to.match(
      /^search_not_allowed values: Macro m does not exist/,
    );
  });
});

describe('a filled template', () => {
  it('is judged by what its values name', () => {
    const faultWith = (search: string, given: TemplateArgument, value: string) =>
      filledFault(filled(search, given, value), view, policy)?.reason;
    expect(faultWith('index=web $x$="a"', argument('field'), 'host')).to.equal(undefined);
    expect(faultWith('index=web $x$="a"', argument('field'), 'savedsearch')).to.equal('dataset');
    const from = argument('string', { enum: ['from', 'prestats'] });
    expect(faultWith('| tstats count $x$ sid=1', from, 'from')).to.equal('dataset');
    expect(faultWith('index=web earliest=-1y | head $x$', argument('field'), 'a')).to.equal(undefined);
    expect(faultWith('error $x$=1', argument('field'), 'a')).to.equal(undefined);
    const text = argument('string', { wildcards: true });
    expect(faultWith('index=web | rename a as "$x$" | foreach * [eval b=1]', text, 'c | delete')).to.equal(
      'computed_name',
    );
  });
});
