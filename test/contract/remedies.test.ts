import { expect } from 'chai';
import { CODES, remedyOf } from '../../src/contract/codes/codes.ts';
import { Fault } from '../../src/contract/codes/faults.ts';
import { REASONS } from '../../src/contract/codes/reasons.ts';
import { runtimeView } from '../../src/families/containers/runtime/records.ts';
import { failure } from '../../src/rest/reply.ts';

describe('remedies', () => {
  it('are those of the reason where there is one, of the code else', () => {
    for (const [reason, { remedy }] of Object.entries(REASONS)) {
      for (const code of ['upstream_error', 'upstream_timeout', undefined])
        expect(remedyOf(code, reason), `${code} ${reason}`).to.equal(remedy);
    }
    // A reason may be an error code, and a code of a container connection a reason.
    expect(remedyOf('upstream_error', 'tls_untrusted')).to.equal(CODES.tls_untrusted.remedy);
    expect(remedyOf('network_missing')).to.equal(REASONS.network_missing.remedy);
    for (const reason of [undefined, null, 7, {}, 'of another system', 'constructor', ''])
      expect(remedyOf('upstream_error', reason), String(reason)).to.equal(CODES.upstream_error.remedy);
    expect(remedyOf('of another system', 'constructor')).to.equal(undefined);
    // Of the code alone, as the credit with a provider is not the quota of a cluster.
    expect(remedyOf('quota_exceeded')).to.equal(CODES.quota_exceeded.remedy);
    expect(remedyOf('upstream_error', 'quota_exceeded')).to.equal(REASONS.quota_exceeded.remedy);
  });

  it('stand in the reply to a failed start', () => {
    const remedy = (reason?: string) =>
      (failure(new Fault('upstream_error', 'M could not be started', { reason }), 'r').payload as { remedy: string })
        .remedy;
    expect(remedy('image_pull_failed')).to.contain('registry').and.to.equal(REASONS.image_pull_failed.remedy);
    expect(remedy('connection_refused')).to.equal(CODES.connection_refused.remedy);
    expect(remedy()).to.equal(CODES.upstream_error.remedy);
  });

  it('stand in the record of a container, empty where it only waits', () => {
    const remedy = (status_reason: string) => runtimeView({ status_reason, urls: {} } as never).remedy;
    for (const reason of ['crashed', 'oom_killed', 'evicted', 'volume_unbound', 'image_pull_interrupted'] as const)
      expect(remedy(reason), reason).to.equal(REASONS[reason].remedy);
    for (const reason of ['', 'starting', 'pulling', 'lb_pending', 'volume_pending', 'scheduling'])
      expect(remedy(reason), reason).to.equal('');
  });
});
