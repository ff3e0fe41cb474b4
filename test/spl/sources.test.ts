import { expect } from 'chai';
import { brief, judge } from './tricky.ts';

const verdictOf = (text: string): string => brief(judge(text));

describe('what a stage reads', () => {
  it('is named by an index, data model, sourcetype, source, host or event type', () => {
    for (const term of [
      'index=web',
      'index="web"',
      'index IN (web, app)',
      'index::web',
      'sourcetype=access*',
      'source="/var/log/x"',
      'host=a',
      'eventtype=login',
      'INDEX=web',
      'error (index=web OR x=1)',
    ]) {
      expect(verdictOf(term), term).to.equal('allowed');
    }
    for (const text of [
      '| tstats count from datamodel=Web',
      '| tstats count where index=web',
      '| mstats avg(cpu.pct)',
      '| metadata type=hosts index=web',
      '| eventcount index=web',
      '| datamodel Web Web search',
      '| pivot Web Web count(Web) AS n',
      '| from datamodel:Web',
    ]) {
      expect(verdictOf(text), text).to.equal('allowed');
    }
  });

  it('must be named', () => {
    for (const text of [
      'error',
      '*',
      'index=*',
      'index=_*',
      'index="*"',
      'index IN (*)',
      'index IN (web, *)',
      'index!=web',
      'NOT index=web',
      'NOT (x=1 OR index=web)',
      'NOT NOT index=web',
      '"index=web"',
      'xindex=web',
      'tag=x',
    ]) {
      expect(verdictOf(text), text).to.equal('index search');
    }
    expect(verdictOf('| tstats count by index')).to.equal('index tstats');
    expect(verdictOf('| metadata type=hosts')).to.equal('index metadata');
    expect(verdictOf('| eventcount summarize=false index=*')).to.equal('index eventcount');
    expect(verdictOf('| metasearch x')).to.equal('index metasearch');
  });

  it('counts for each nested search by itself', () => {
    expect(verdictOf('index=web [search error | fields host]')).to.equal('index search');
    expect(verdictOf('error [search index=web | fields host]')).to.equal('index search');
    expect(verdictOf('index=web | append [| tstats count by host]')).to.equal('index tstats');
    expect(verdictOf('| multisearch [search index=a] [search x]')).to.equal('index search');
  });

  it('is not asked of filters and of what reads no events', () => {
    for (const text of [
      'index=web | search error',
      'index=web | appendpipe [search error | stats count]',
      '| makeresults',
      '| gentimes start=-1',
      '| inputlookup users',
      '| makeresults | append [| inputlookup users]',
      '| from lookup:users',
    ]) {
      expect(verdictOf(text), text).to.equal('allowed');
    }
  });

  it('is not asked at all if the setting says so', () => {
    expect(brief(judge('error', { policy: { requireIndex: false } }))).to.equal('allowed');
  });
});

describe('lookups and datasets', () => {
  it('are named as plain text', () => {
    for (const text of [
      'index=web | lookup local=true update = f users user OUTPUT dept',
      '| inputlookup append=t start=5 "users" where dept="x"',
      '| inputlookup users max=5',
      'index=web | eval a=lookup("users", json_object("a", a), json_array("b")), lookup=(1+2)',
      'index=web lookup("x") | stats count(lookup) as c by lookup',
      'index=web | lookup geo_us_states latitude',
      '| from datamodel Web.Web',
      '| from lookup users',
      '| from datamodel:"Web.Web"',
      '| from datamodel:"Web"."Web"',
      'index=web | lookup event_time_field=_time users user',
      '| union maxtime=5 datamodel:Web, lookup:users, [search index=web]',
      'index=web | join left=L right=R where L.host = R.host datamodel:Web',
      '| inputlookup users where [search index=web | fields user]',
    ]) {
      expect(verdictOf(text), text).to.equal('allowed');
    }
    for (const [text, expected] of [
      ['| inputlookup [| makeresults | return $x]', 'computed_name inputlookup'],
      ['index=web | eval a=lookup(name, json_object("a", a), json_array("b"))', 'computed_name eval'],
      ['index=web | where isnull( LOOKUP ("us\\ers", b, c))', 'computed_name where'],
      ['index=web | foreach * [eval a=lookup(<<FIELD>>, b, c)]', 'computed_name eval'],
      ['| inputlookup append=[| makeresults | return $x] users', 'computed_name inputlookup'],
      ['index=web | lookup users [| makeresults | return $x]', 'computed_name lookup'],
      ['| inputlookup "us\\ers"', 'computed_name inputlookup'],
      ['| inputlookup users assets_kv', 'computed_name inputlookup'],
      ['| inputlookup users"x"', 'computed_name inputlookup'],
      ['| inputlookup', 'computed_name inputlookup'],
      ['index=web | foreach * [lookup <<FIELD>> host]', 'computed_name lookup'],
      ['index=web | foreach fieldstr=users dns* [lookup users host]', 'computed_name foreach'],
      ['index=web | foreach FIELDSTR = "head" del* [head 5]', 'computed_name foreach'],
    ] as const) {
      expect(verdictOf(text), text).to.equal(expected);
    }
  });

  it('are not built from names of fields, which foreach puts into its search', () => {
    const each = '| foreach * [eval <<FIELD>>=1]';
    for (const text of [
      `| makeresults | eval "x=1 | delete"=1 ${each}`,
      `| makeresults | eval a=1, "x]"=1 ${each}`,
      `| makeresults | eval {x}=1 ${each}`,
      `index=web | rename host AS "x | delete" ${each}`,
      `index=web | stats count as "[search" ${each}`,
      `index=web | append [| makeresults | eval "a|b"=1] ${each}`,
    ]) {
      expect(verdictOf(text).split(' ')[0], text).to.equal('computed_name');
      expect(verdictOf(text.replace(each, '')), text).to.equal('allowed');
    }
    expect(verdictOf(`index=web | eval x="a | b", y=if(x="[", 1, 0) | rename x as "Some name" ${each}`)).to.equal(
      'allowed',
    );
  });

  it('exist and run no program', () => {
    expect(verdictOf('index=web | lookup nowhere x')).to.equal('lookup_unknown lookup');
    expect(verdictOf('index=web | eval a=lookup("nowhere", b, c)')).to.equal('lookup_unknown eval');
    expect(verdictOf('index=web | stats count(eval(lookup("dnslookup", b, c)=1))')).to.equal('lookup_external stats');
    expect(verdictOf('| inputlookup append=t dnslookup')).to.equal('lookup_external inputlookup');
    expect(verdictOf('| from lookup:dnslookup')).to.equal('lookup_external from');
    expect(verdictOf('| union lookup:dnslookup')).to.equal('lookup_external union');
    expect(verdictOf('index=web | foreach * [lookup dnslookup x]')).to.equal('lookup_external lookup');
  });

  it('are no saved searches, results of others or data models in JSON', () => {
    for (const text of [
      '| from savedsearch:x',
      '| from federated:x',
      '| from x',
      '| from',
      '| from datamodel:a lookup:b',
      '| from datamodel:[| makeresults]',
      '| union savedsearch:x',
      '| union [search index=web] savedsearch:x',
      '| union x',
      'index=web | join host savedsearch:x',
      'index=web | join host savedsearch:x [search index=a]',
      'index=web | join host',
      '| tstats count from sid=1700000000.1',
      '| tstats count FROM my_namespace',
      '| tstats count where index=web from sid=1',
      '| tstats count from datamodel={"modelName":"x"}',
      '| datamodel {"a":1} x search',
      '| pivot {"a":1} x',
      '| pivot Web Web count(Web) seedSid=1',
      'index=web savedsearch=x',
      'index=web savedsplunk="x"',
    ]) {
      expect(verdictOf(text).split(' ')[0], text).to.equal('dataset');
    }
    expect(verdictOf('| tstats count where index=web by from to')).to.equal('allowed');
    expect(verdictOf('| tstats count from datamodel="Risk"."All_Risk"')).to.equal('allowed');
    expect(verdictOf('index=web | stats count(eval(savedsearch="x")) as count')).to.equal('allowed');
  });

  it('stand in brackets where a command needs them', () => {
    for (const command of ['append', 'appendcols', 'appendpipe', 'foreach *', 'multisearch', 'set union']) {
      expect(verdictOf(`index=web | ${command}`), command).to.equal(`nested ${command.split(' ')[0]}`);
    }
    for (const text of [
      'index=web []',
      'index=web [|]',
      'index=web | append [index=app]',
      'index=web | append ["search" x]',
    ]) {
      expect(verdictOf(text), text).to.equal('nested');
    }
  });
});
