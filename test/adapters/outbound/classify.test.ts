import { expect } from 'chai';
import { classify } from '../../../src/adapters/outbound/classify.ts';
import { OUTBOUND_CODES, OutboundError } from '../../../src/contract/codes/outbound.ts';
import { codeForStatus, peerReason, refusalError, retryAfterSeconds } from '../../../src/domain/net/upstreamErrors.ts';

const coded = (code: string, message = ''): Error => Object.assign(new Error(message), { code });

describe('classify', () => {
  it('knows codes of Node, axios, undici and OpenSSL', () => {
    const table: Record<string, string> = {
      EAI_AGAIN: 'dns_failed',
      EHOSTUNREACH: 'connection_refused',
      UND_ERR_SOCKET: 'connection_reset',
      EPIPE: 'connection_reset',
      ETIMEDOUT: 'timeout',
      ECONNABORTED: 'timeout',
      SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
      CERT_NOT_YET_VALID: 'tls_expired',
      ERR_TLS_CERT_ALTNAME_INVALID: 'tls_hostname_mismatch',
      ERR_SSL_WRONG_VERSION_NUMBER: 'tls_protocol',
      ERR_SSL_CERTIFICATE_VERIFY_FAILED: 'tls_untrusted',
      HPE_HEADER_OVERFLOW: 'upstream_error',
      Z_DATA_ERROR: 'upstream_error',
      ERR_INVALID_CHAR: 'configuration_invalid',
      SOMETHING_NEW: 'upstream_error',
    };
    for (const [code, expected] of Object.entries(table)) expect(classify(coded(code)).code, code).to.equal(expected);
  });

  it('tells a refusal of our certificate from our refusal of theirs', () => {
    const openssl = (alert: string, number: number) =>
      `write EPROTO 40AD:error:0A000412:SSL routines:ssl3_read_bytes:${alert}:rec_layer_s3.c:918:SSL alert number ${number}`;
    // As OpenSSL and Go servers cause them; TLS 1.3 first, then 1.2.
    const alerts: [code: string, message: string, alert: string][] = [
      ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', '', 'certificate required'],
      ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', '', 'certificate expired'],
      ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', '', 'certificate expired'],
      ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', '', 'bad certificate'],
      ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REVOKED', '', 'certificate revoked'],
      ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN', '', 'certificate unknown'],
      ['ERR_SSL_SSL/TLS_ALERT_UNSUPPORTED_CERTIFICATE', '', 'unsupported certificate'],
      ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', '', 'unknown ca'],
      ['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', '', 'access denied'],
      ['EPROTO', openssl('ssl/tls alert bad certificate', 42), 'bad certificate'],
      ['EPROTO', openssl('sslv3 alert certificate expired', 45), 'certificate expired'],
      ['EPROTO', openssl('tlsv1 alert unknown ca', 48), 'unknown ca'],
    ];
    for (const [code, message, alert] of alerts) {
      const error = new Error('wrapped', { cause: coded(code, message) });
      const sent = classify(error, { peer: 'The engine', hasClientCertificate: true });
      expect([sent.code, sent.message], code).to.deep.equal([
        'auth_failed',
        `The engine refused the client certificate: it sent the alert "${alert}"`,
      ]);
      const unsent = classify(error, { peer: 'The engine' });
      expect(unsent.code, code).to.equal('auth_failed');
      expect(unsent.message, code).to.include('refused the client certificate').and.to.include('none was sent');
    }
    for (const [code, message, expected] of [
      ['EPROTO', openssl('ssl/tls alert handshake failure', 40), 'tls_protocol'],
      ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', '', 'tls_protocol'],
      ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify: alert unknown ca', 'tls_untrusted'],
      ['CERT_HAS_EXPIRED', 'certificate has expired', 'tls_expired'],
    ] as const)
      expect(classify(coded(code, message)).code, message).to.equal(expected);
  });

  it('looks into causes and into the parts of an AggregateError', () => {
    expect(classify(new TypeError('fetch failed', { cause: coded('ECONNREFUSED') })).code).to.equal(
      'connection_refused',
    );
    expect(classify(new AggregateError([coded('ENETUNREACH'), coded('ECONNREFUSED')])).code).to.equal(
      'connection_refused',
    );
    const ours = new OutboundError('blocked_by_policy', 'no');
    expect(classify(new Error('wrapped', { cause: ours }))).to.equal(ours);
  });

  it('puts the deadline before whatever broke because of it', () => {
    expect(classify(coded('ECONNRESET'), { signal: AbortSignal.abort() }).code).to.equal('timeout');
    expect(classify(new DOMException('x', 'TimeoutError')).code).to.equal('timeout');
  });

  it('takes anything that can be thrown and quotes no secret', () => {
    for (const thrown of [undefined, null, 'text', 7, {}, new Error('x tok-secret y')]) {
      const error = classify(thrown, { peer: 'a.example:443', secrets: ['tok-secret'] });
      expect(OUTBOUND_CODES).to.include(error.code);
      expect(error.message).to.contain('a.example:443').and.not.to.contain('tok-secret');
    }
  });
});

describe('answers of peers', () => {
  it('find the sentence in the usual places', () => {
    expect(peerReason('{"error":{"message":"bad key"}}')).to.equal('bad key');
    expect(peerReason('{"error":"x","error_description":"why"}')).to.equal('why');
    expect(peerReason('{"detail":"d"}')).to.equal('d');
    expect(peerReason('  plain\ntext ')).to.equal('plain text');
    expect(peerReason('<!doctype html><p>x')).to.equal('an HTML page');
    expect(peerReason('{"broken')).to.equal('{"broken');
    expect(peerReason('')).to.equal('');
  });

  it('become errors with status and waiting time', () => {
    expect([400, 401, 403, 404, 422, 429, 500].map(codeForStatus)).to.deep.equal([
      'bad_request',
      'auth_failed',
      'permission_denied',
      'upstream_error',
      'bad_request',
      'rate_limited',
      'upstream_error',
    ]);
    const error = refusalError({ status: 429, text: 'slow down, key-123456', retryAfter: 3, secrets: ['key-123456'] });
    expect(error).to.include({ code: 'rate_limited', httpStatus: 429, retryAfter: 3 });
    expect(error.message).to.equal('The server answered 429: slow down, [redacted]');
  });

  it('read Retry-After as seconds or a date, within reason', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(retryAfterSeconds('12')).to.equal(12);
    expect(retryAfterSeconds('Thu, 01 Jan 2026 00:00:30 GMT', now)).to.equal(30);
    expect(retryAfterSeconds('Wed, 31 Dec 2025 00:00:00 GMT', now)).to.equal(0);
    expect(retryAfterSeconds('999999999')).to.equal(86_400);
    for (const bad of [null, undefined, '', 'soon', '-1x']) expect(retryAfterSeconds(bad)).to.equal(undefined);
  });
});
