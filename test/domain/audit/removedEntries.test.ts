import { expect } from 'chai';
import type { CountedWork } from '../../../src/contract/audit.ts';
import { AuditTrail } from '../../../src/domain/audit/audit.ts';
import { CountedEntries } from '../../../src/domain/audit/countedEntries.ts';
import { AUDIT, type AuditStored } from '../../../src/domain/audit/stored.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

const CALL: CountedWork = {
  ...{ action: 'call', family: 'mcp-connections', name: 'desk', tool: 'echo' },
  ...{ user: 'anna', request_id: 'r', via: 'rest', run_id: 'one' },
};

for (const replaceInserts of [false, true]) {
  describe(`an audit entry that was removed, where a replace ${replaceInserts ? 'inserts' : 'needs the document'}`, () => {
    let site: MemoryPlatform;
    let completed: AuditStored[];
    let trail: AuditTrail;
    beforeEach(() => {
      site = new MemoryPlatform();
      site.records.replaceInserts = replaceInserts;
      completed = [];
      trail = new AuditTrail(site.process(), (entry) => completed.push(entry));
    });
    const entries = () => site.records.all(AUDIT);
    const removeAll = () => site.records.collection(AUDIT).clear();

    it('stays gone when its work ends, which is reported', async () => {
      const entry = trail.open(CALL);
      await entry.begin();
      expect(entries()).to.have.length(1);
      removeAll();
      expect(await entry.end({ outcome: 'success' })).to.equal(false);
      expect(entries()).to.deep.equal([]);
      expect(completed).to.deep.equal([]);
      expect(site.log.text()).to.include('audit_not_completed');
    });

    it('stays gone when calls are counted', async () => {
      const calls = new CountedEntries();
      await trail.runCounted(calls, CALL, async () => {});
      expect(entries()).to.have.length(1);
      removeAll();
      await calls.flush();
      expect(entries()).to.deep.equal([]);
    });

    it('is completed where nobody removes it', async () => {
      const entry = trail.open(CALL);
      await entry.begin();
      expect(await entry.end({ outcome: 'success' })).to.equal(true);
      expect(entries().map(({ outcome }) => outcome)).to.deep.equal(['success']);
      expect(completed).to.have.length(1);
    });
  });
}
