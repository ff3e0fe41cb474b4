import { expect } from 'chai';
import { maskingSecret } from '../../src/app/gateway/maskingSecret.ts';
import { Fault } from '../../src/contract/codes/faults.ts';
import { ManualClock } from '../support/memory/clock.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { memoryRecords, RecordData } from '../support/memory/recordStore.ts';
import { memorySecrets, SecretData } from '../support/memory/secretStore.ts';

const COLLECTION = 'ml_masking_secret';

describe('the secret for masking', () => {
  let records: RecordData;
  let secrets: SecretData;
  let clock: ManualClock;

  beforeEach(() => {
    records = new RecordData();
    secrets = new SecretData();
    clock = new ManualClock();
  });

  const storesOf = (faults = new FaultPlan()) => ({
    records: memoryRecords(records, faults),
    secrets: memorySecrets(secrets, faults),
    clock,
  });
  const read = async () => Buffer.from(await maskingSecret()(storesOf())).toString('hex');

  it('has 32 bytes, and is the same for all processes, also for two that make it at once', async () => {
    const [first, other] = await Promise.all([read(), read()]);
    expect(first).to.match(/^[0-9a-f]{64}$/);
    expect([other, await read()]).to.deep.equal([first, first]);
    expect(secrets.values.size).to.equal(1);
  });

  it('is read once by a process', async () => {
    const faults = new FaultPlan();
    const secret = maskingSecret();
    const [first, again] = await Promise.all([secret(storesOf(faults)), secret(storesOf(faults))]);
    const { calls } = faults;
    expect(await secret(storesOf(faults))).to.equal(first);
    expect([again, faults.calls]).to.deep.equal([first, calls]);
  });

  for (const mode of ['refused', 'lost', 'crash'] as const) {
    it(`is the same after any call of a store that is ${mode}, and is asked for again by the process`, async () => {
      let failed = 0;
      for (let at = 1; ; at += 1) {
        [records, secrets] = [new RecordData(), new SecretData()];
        const faults = new FaultPlan(at, mode);
        const secret = maskingSecret();
        const outcome = await secret(storesOf(faults)).catch((error: unknown) => error);
        if (faults.calls < at) break;
        failed += 1;
        const later = await read();
        if (outcome instanceof Uint8Array) expect(Buffer.from(outcome).toString('hex')).to.equal(later);
        else if (mode !== 'crash') {
          expect(outcome).to.be.instanceOf(Fault);
          expect(Buffer.from(await secret(storesOf())).toString('hex')).to.equal(later);
        }
        expect(await read()).to.equal(later);
      }
      expect(failed).to.be.greaterThan(3);
    });
  }

  it('is of the first insert, whenever another process makes it in between', async () => {
    for (let at = 1; ; at += 1) {
      [records, secrets] = [new RecordData(), new SecretData()];
      let other = '';
      const faults = new FaultPlan(at, async () => {
        other = await read();
      });
      const own = await maskingSecret()(storesOf(faults));
      if (faults.calls < at) break;
      expect(Buffer.from(own).toString('hex'), faults.trace.join()).to.equal(other);
    }
  });

  it('is not made anew where the password has not arrived yet, but where it is lost', async () => {
    await read();
    const [[ref, value]] = [...secrets.values] as [[string, string]];
    secrets.values.clear();
    expect(await read().catch((error: unknown) => error)).to.be.instanceOf(Fault);
    secrets.values.set(ref, value);
    const first = await read();
    secrets.values.clear();
    clock.advance(2 * 3_600_000);
    expect(await read().catch((error: unknown) => error)).to.be.instanceOf(Fault);
    expect(records.all(COLLECTION)).to.deep.equal([]);
    expect(await read()).not.to.equal(first);
  });
});
