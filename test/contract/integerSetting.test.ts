import { expect } from 'chai';
import { integerSetting } from '../../src/contract/settings/integerSetting.ts';
import { MemoryLog } from '../support/memory/log.ts';

const read = (text: string, log = new MemoryLog()) =>
  integerSetting({ outbound: { max_waiting: text } }, 'outbound', 'max_waiting', log);

describe('an integer setting', () => {
  it('has its default if it is unset or empty, which is not logged', () => {
    const log = new MemoryLog();
    expect(integerSetting({}, 'outbound', 'max_waiting', log)).to.equal(3);
    expect(read(' ', log)).to.equal(3);
    expect(log.lines).to.deep.equal([]);
  });

  it('takes every value of its range', () => {
    for (const [text, value] of Object.entries({ '1': 1, ' 7 ': 7, '1000': 1000 })) expect(read(text)).to.equal(value);
  });

  it('has its default if the value is invalid, which is logged once', () => {
    for (const text of ['0', '-1', '1001', '1.5', '1e2', '0x10', 'many', '9'.repeat(400)]) {
      const log = new MemoryLog();
      expect(read(text, log), text).to.equal(3);
      expect(read(text, log), text).to.equal(3);
      const fields = { stanza: 'outbound', setting: 'max_waiting' };
      expect(log.lines, text).to.deep.equal([{ level: 'warn', event: 'setting_unreadable', fields }]);
    }
  });

  it('is logged again when it gets another invalid value', () => {
    const log = new MemoryLog();
    for (const text of ['none', '4', 'many', 'none']) read(text, log);
    expect(log.lines).to.have.length(2);
  });
});
