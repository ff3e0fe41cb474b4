import { expect } from 'chai';
import {
  certificateProblem,
  certificatesIn,
  expiryOf,
  isWithin,
  storedCertificates,
  storedPrivateKey,
} from '../../../src/domain/net/certificates.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { CERTIFICATE } from '../../support/records/certificate.ts';
import { pastedForms } from '../../support/records/pasted.ts';

const made = makeCertificate();
const plain = (pem: string) => pem.replaceAll('\r', '');
const OTHER = plain(made.cert);
const KEY = plain(made.key);
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('pasted certificates and keys', () => {
  it('are stored in one form, whatever white space and text a program or a person adds', () => {
    for (const [form, text] of pastedForms(CERTIFICATE)) {
      expect(certificateProblem(text), form).to.equal(undefined);
      expect(storedCertificates(text), form).to.equal(CERTIFICATE);
    }
    for (const [form, text] of pastedForms(KEY)) expect(storedPrivateKey(text), form).to.equal(KEY);
  });

  it('are read as chains: the certificates in their order, each once', () => {
    const forms = new Map(pastedForms(OTHER));
    for (const [form, text] of pastedForms(CERTIFICATE)) {
      const other = forms.get(form) ?? '';
      if (form.startsWith('base64')) continue;
      expect(storedCertificates(`${text}\n${other}\n${text}`), form).to.equal(CERTIFICATE + OTHER);
    }
    expect(storedCertificates(`${CERTIFICATE.trim()}${OTHER.trim()}`)).to.equal(CERTIFICATE + OTHER);
    expect(storedCertificates(base64(OTHER + CERTIFICATE))).to.equal(OTHER + CERTIFICATE);
  });

  it('are read under every label that OpenSSL reads as a certificate', () => {
    for (const label of ['X509 CERTIFICATE', 'TRUSTED CERTIFICATE'])
      expect(storedCertificates(CERTIFICATE.replaceAll('CERTIFICATE', label)), label).to.equal(CERTIFICATE);
  });

  it('are refused with other blocks, so that no private key is stored in a public field', () => {
    const block = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
    const labels = [
      'PRIVATE KEY',
      'ENCRYPTED PRIVATE KEY',
      'OPENSSH PRIVATE KEY',
      'EC PARAMETERS',
      'X509 CRL',
      'PKCS7',
    ];
    for (const other of [KEY, ...labels.map(block)]) {
      for (const text of [
        `${CERTIFICATE}${other}`,
        `${other}${CERTIFICATE}`,
        other,
        base64(`${CERTIFICATE}${other}`),
      ]) {
        expect(certificateProblem(text), text).to.include('must be certificates alone');
        expect(storedCertificates(text), text).to.equal(text);
      }
    }
    const encrypted =
      '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n';
    expect(certificateProblem(`${CERTIFICATE}${encrypted}`)).to.be.a('string');
    expect(storedPrivateKey(encrypted)).to.equal(encrypted);
  });

  it('are refused if one of them is cut off, since the others are not what was meant', () => {
    const [begin, end] = [CERTIFICATE.slice(0, 300), CERTIFICATE.slice(300)];
    for (const half of [begin, end, CERTIFICATE.replace(/-----END.*/, ''), CERTIFICATE.replace(/-----BEGIN.*/, '')]) {
      for (const text of [half, `${OTHER}${half}`, `${half}${OTHER}`]) {
        expect(certificatesIn(text), text).to.equal(undefined);
        expect(certificateProblem(text), text).to.be.a('string');
      }
    }
    const broken = [CERTIFICATE.replace('MII', 'XXX'), CERTIFICATE.replace('MII', 'M*I')];
    for (const text of broken) expect(certificateProblem(`${OTHER}${text}`), text).to.be.a('string');
    expect(certificateProblem('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----')).to.be.a('string');
  });

  it('keep the stored text where only its form or order differs', () => {
    const stored = `${OTHER}${CERTIFICATE}`.replaceAll('\n', '\r\n');
    for (const text of [`${CERTIFICATE}${OTHER}`, `${OTHER}${CERTIFICATE}`, `${OTHER}${CERTIFICATE}${OTHER}`])
      expect(storedCertificates(text, stored)).to.equal(stored);
    expect(storedCertificates(CERTIFICATE, stored)).to.equal(CERTIFICATE);
    expect(storedCertificates(`${OTHER}${CERTIFICATE}`, CERTIFICATE)).to.equal(`${OTHER}${CERTIFICATE}`);
    expect(storedCertificates('certs/a.pem', stored)).to.equal('certs/a.pem');
  });

  it('are compared by content, paths by their text', () => {
    for (const [form, text] of pastedForms(CERTIFICATE)) {
      expect(isWithin(text, CERTIFICATE), form).to.equal(true);
      expect(isWithin(CERTIFICATE, text), form).to.equal(true);
      if (!form.startsWith('base64')) expect(isWithin(CERTIFICATE, `${OTHER}${text}`), form).to.equal(true);
      expect(isWithin(`${OTHER}${CERTIFICATE}`, text), form).to.equal(false);
    }
    expect(isWithin('a.pem', 'a.pem')).to.equal(true);
    for (const [text, other] of [
      ['a b.pem', 'ab.pem'],
      ['a.pem', CERTIFICATE],
      [CERTIFICATE, 'a.pem'],
      ['', CERTIFICATE],
    ] as const)
      expect(isWithin(text, other), text).to.equal(false);
  });

  it('end with the first of them', () => {
    const what = { what: 'a certificate', field: 'ca' };
    const [end] = expiryOf(OTHER, what);
    expect(expiryOf(pastedForms(CERTIFICATE)[2]?.[1], what)).to.have.length(1);
    expect(expiryOf(`${CERTIFICATE}\n${OTHER}`, what)).to.deep.equal([end]);
    expect(expiryOf('a.pem', what)).to.deep.equal([]);
  });
});
