import { expect } from 'chai';
import { CODES, type FaultCode } from '../../../../src/contract/codes/codes.ts';
import { Fault } from '../../../../src/contract/codes/faults.ts';
import { ALERT_REASONS } from '../../../../src/contract/families/alerts.ts';
import { alertEvents, eventsOfRefusal, reasonFor } from '../../../../src/gateway/runs/alerts/events.ts';

const ALERT = { search_name: 'Failed logins', sid: '1', app: 'search' };

describe('events of alerts', () => {
  it('have a reason of the contract for every code', () => {
    for (const code of Object.keys(CODES)) expect(ALERT_REASONS).to.include(reasonFor(code));
    for (const [code, reason] of [
      ['ambiguous_reference', 'unknown_reference'],
      ['not_supported', 'invalid_state'],
      ['malformed_json', 'validation_failed'],
      ['newer_schema', 'store_unavailable'],
      ['too_many_runs', 'too_many_runs'],
      ['limit_exceeded', 'limit_exceeded'],
      ['upstream_error', 'internal_error'],
    ] as const)
      expect(reasonFor(code)).to.equal(reason);
  });

  it('are one for each reason and message', () => {
    const left = [
      { reason: 'suppressed', message: 'a', rid: '0' },
      { reason: 'max_runs', message: 'b', rid: '1' },
      { reason: 'suppressed', message: 'a', rid: '2' },
    ] as const;
    const events = alertEvents(ALERT, 'bob', 1.23456, left);
    expect(events.map(({ reason, rid, count }) => [reason, rid, count])).to.deep.equal([
      ['suppressed', undefined, 2],
      ['max_runs', '1', undefined],
    ]);
    expect(events[0]).to.include({ time: 1.235, user: 'bob', search_name: 'Failed logins' });
  });

  it('of a refused request are none without an alert, and survive one of any form', () => {
    for (const body of [undefined, 'x', {}, { agent: 'a' }, { alert: 'x' }, { alert: [] }])
      expect(eventsOfRefusal(body, 'bob', 1, new Error('x'))).to.deep.equal([]);
    const odd = { alert: { search_name: 5, sid: {}, app: null, params: 'x', rows: 'x' } };
    expect(eventsOfRefusal(odd, 'bob', 1, new Error('x'))).to.deep.equal([
      {
        ...{
          time: 1,
          action: 'ml_agent',
          reason: 'internal_error',
          message: 'The app has a bug. Its log has the cause.',
        },
        ...{ search_name: '', sid: '', app: '', user: 'bob' },
      },
    ]);
  });

  it('of a request that comes again report only what does not pass', () => {
    const refused = (code: FaultCode) =>
      eventsOfRefusal({ alert: { ...ALERT, will_retry: true } }, 'bob', 1, new Fault(code, 'x')).length;
    expect([refused('store_unavailable'), refused('missing_capability')]).to.deep.equal([0, 1]);
  });
});
