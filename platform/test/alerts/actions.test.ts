import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Workers } from '../../src/alerts/actions/workers.ts';
import { Alerting } from '../support/alerting.ts';
import { eventually } from '../support/patience.ts';
import { isAlive } from '../support/processes.ts';

describe('embedded platform: programs of alert actions', () => {
  const alerting = new Alerting();
  /** Saves a search with that action, dispatches it, and waits for a line of the log. */
  const ended = async (action: string, text: string, search = '| makeresults'): Promise<string[]> => {
    await alerting.save(`of ${action}`, { search, actions: action });
    await alerting.dispatch(`of ${action}`);
    await alerting.logged(`action=${action}`, text);
    return alerting.lines(`action=${action} `);
  };
  const failed = (action: string, text: string) =>
    alerting.logged(' ERROR SearchScheduler ', `Error in 'sendalert' command: ${text}, search='sendalert ${action}'`);

  it('are logged from start to end', async () => {
    const lines = await ended('note', 'completed');
    const sid = /sid="([^"]+)"/.exec(lines[0] ?? '')?.[1];
    const thread = String.raw`\[\d+ AlertNotifierWorker-\d\]`;
    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(
      new RegExp(
        `^\\d\\d-\\d\\d-\\d{4} [\\d:.]+ \\+0000 INFO  sendmodalert ${thread} - Invoking modular alert action=note for search="of note" sid="ann__ann__acting__RMD5.*" in app="acting" owner="ann" type="saved"$`,
      ),
    );
    expect(lines[1]).to.match(
      new RegExp(
        `INFO  sendmodalert ${thread} - action=note - Alert action script completed in duration=\\d+ ms with exit code=0$`,
      ),
    );
    const { json } = alerting.payloads()[0] ?? {};
    expect(json.sid).to.equal(sid);
    const log = readFileSync(join(alerting.home, 'var/log/splunk/splunkd.log'), 'utf8');
    expect(log).to.not.contain(json.session_key);
  });

  it('are found by a search of _internal', async () => {
    await alerting.dispatch('of note');
    await alerting.awaited(1);
    const form = { search: 'search index=_internal component=sendmodalert action=note', exec_mode: 'oneshot' };
    const { results } = (await alerting.post('/services/search/jobs', form, 'admin')).json;
    expect(results.map(({ _raw }: { _raw: string }) => _raw).join('\n')).to.contain('with exit code=0');
    expect(results[0]).to.include({ sourcetype: 'splunkd', log_level: 'INFO' });
  });

  it('write stderr, each line at the level that it begins with', async () => {
    const lines = await ended('levels', 'completed');
    const logged = lines.flatMap((line) => {
      const [, level, text] = /\+0000 (\w+) +sendmodalert \[.*\] - action=levels STDERR - {2}(.*)$/.exec(line) ?? [];
      return level === undefined ? [] : [[level, text]];
    });
    expect(logged).to.deep.equal([
      ...['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].map((level) => [level, `${level} a line of ${level}`]),
      ['ERROR', 'a plain line'],
      ['ERROR', 'WARNING is no level'],
    ]);
  });

  it('fail with an exit code', async () => {
    const lines = await ended('fails', 'returned error code=7');
    expect(lines.join('\n')).to.match(/INFO .*completed in duration=\d+ ms with exit code=7/);
    await failed('fails', 'Alert script returned error code 7.');
  });

  it('are ended with their children after maxtime', async () => {
    const began = Date.now();
    const lines = await ended('hangs', 'Execution of alert action script failed');
    expect(Date.now() - began).to.be.within(900, 30_000);
    expect(lines.join('\n')).to.contain('it ran longer than maxtime=1 seconds');
    await failed('hangs', 'Alert script execution failed.');
    const child = Number(readFileSync(join(alerting.home, 'child.pid'), 'utf8'));
    await eventually(() => !isAlive(child));
  });

  it('are killed where they do not heed SIGTERM', async () => {
    await ended('stubborn', 'Execution of alert action script failed');
    expect(isAlive(Number(readFileSync(join(alerting.home, 'stubborn.pid'), 'utf8')))).to.equal(false);
  });

  it('that are missing or cannot be started are logged', async () => {
    for (const action of ['missing', 'unstartable', 'nowhere', 'off', 'badformat', 'piped', 'secret'])
      await alerting.save(`of ${action}`, { search: '| makeresults', actions: action });
    await alerting.dispatch('of missing');
    await failed('missing', 'Alert action script for action "missing" not found.');
    await alerting.dispatch('of unstartable');
    await failed('unstartable', 'Alert script execution failed.');
    await alerting.logged('action=unstartable - Execution of alert action script failed: EACCES');
    for (const action of ['nowhere', 'off', 'secret']) {
      await alerting.dispatch(`of ${action}`);
      await failed(action, `Alert action "${action}" not found.`);
    }
    await alerting.dispatch('of piped');
    await failed('piped', 'The embedded platform runs no action whose command is not sendalert.');
    await alerting.dispatch('of badformat');
    await failed('badformat', "Invalid 'payload_format' specified ('yaml'), expecing 'json' or 'xml'.");
    expect(alerting.payloads()).to.deep.equal([]);
  });

  it('get XML where their stanza does not say JSON', async () => {
    await alerting.save('in xml', { search: '| makeresults | eval a=split("1;<2>", ";"), b="x"', actions: 'xml' });
    await alerting.dispatch('in xml');
    const [{ text, args } = { text: '', args: '' }] = await alerting.awaited(1);
    expect(args).to.equal('--execute');
    expect(text).to.match(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<alert>\n<app>acting<\/app>/);
    expect(text).to.contain('<search_name>in xml</search_name>');
    expect(text).to.contain(
      '<field k="a"><value><text>1</text></value><value><text>&lt;2&gt;</text></value></field>\n<field k="b"><value><text>x</text></value></field>',
    );
    expect(text).to.contain(
      '<stanza name="xml">\n<param name="from_default">d</param>\n<param name="mark">&lt;a &amp; &quot;b&quot;&gt;</param>\n</stanza>',
    );
  });

  it('with a command of their own get its arguments alone', async () => {
    await alerting.save('by cmd', { search: '| makeresults', actions: 'bycmd' });
    await alerting.dispatch('by cmd');
    const [first] = await alerting.awaited(1);
    expect(first?.args).to.equal(`${alerting.home}/x last`);
  });

  it('end with the platform', async () => {
    await alerting.save('long', { search: '| makeresults', actions: 'hangs' });
    await alerting.dispatch('long');
    await eventually(() => alerting.lines('action=hangs for search="long"').length > 0);
    await eventually(() => existsSync(join(alerting.home, 'child.pid')));
    await alerting.stop();
    const child = Number(readFileSync(join(alerting.home, 'child.pid'), 'utf8'));
    await eventually(() => !isAlive(child));
    await alerting.start();
  });
});

describe('the workers of alert actions', () => {
  it('run as many at a time as there are, and all in the end', async () => {
    const workers = new Workers(3);
    let running = 0;
    const most: number[] = [];
    const numbers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        workers
          .run(async (number) => {
            running += 1;
            most.push(running);
            await new Promise((resolve) => setTimeout(resolve, 2));
            running -= 1;
            if (index % 5 === 0) throw new Error('fails');
            return number;
          })
          .catch(() => 0),
      ),
    );
    expect(Math.max(...most)).to.equal(3);
    expect(new Set(numbers)).to.deep.equal(new Set([0, 1, 2]));
    expect(running).to.equal(0);
  });
});
