import { expect } from 'chai';
import { type MadeCertificate, makeCertificate } from '../../support/peers/certificates.ts';
import { pastedForms } from '../../support/records/pasted.ts';
import { type ContainerKit, expectBound, expectInvalid, expectOk, kube } from './kit.ts';

const DAY = 86_400_000;

/** Certificates and keys as they are sent. */
export function certificateTests(
  { world, save, edit, secretsOf }: ContainerKit,
  own: MadeCertificate,
  other: MadeCertificate,
): void {
  it('have to match their key, on an edit with the stored one too', async () => {
    const withKey = (client_key: string) => kube({ auth_mode: 'cert-key', client_cert: own.cert, client_key });
    expectInvalid(await save(withKey(other.key)), ['client_key']);
    expectOk(await save(withKey(own.key)));
    const change = { container_type: 'kubernetes', client_cert: other.cert };
    expectInvalid(await edit(change), ['client_key']);
    expectOk(await edit({ ...change, client_key: other.key }));
  });

  it('are taken as programs write them and people paste them, and stored in one form', async () => {
    const plain = (pem: string) => pem.replaceAll('\r', '');
    const keys = new Map(pastedForms(own.key));
    for (const [index, [form, cert]] of pastedForms(own.cert).entries()) {
      const fields = { cluster_ca: cert, endpoint_cert_filename_or_path: cert, client_cert: cert };
      const pair = { auth_mode: 'cert-key', client_key: keys.get(form) };
      const { json } = await save(kube({ ...fields, ...pair, connection_name: `form ${index}` }));
      const { cluster_ca, endpoint_cert_filename_or_path, client_cert } = json.updated_config ?? json;
      expect((await secretsOf(`form ${index}`)).client_key, form).to.equal(plain(own.key));
      expect([cluster_ca, endpoint_cert_filename_or_path, client_cert], form).to.deep.equal(
        [1, 2, 3].map(() => plain(own.cert)),
      );
    }
  });

  it('bind by content: the same ones in another form are no other receiver, and no change', async () => {
    const both = `${own.cert}${other.cert}`;
    expectOk(await save(kube({ auth_mode: 'user-token', user_token: 'token', cluster_ca: both })));
    const pasted = pastedForms(own.cert).filter(([form]) => !form.startsWith('base64'));
    for (const [form, text] of pasted) {
      const reply = await edit({ container_type: 'kubernetes', cluster_ca: `${other.cert}\n${text}` });
      expect(reply.json.updated_config?.cluster_ca, form).to.equal(both.replaceAll('\r', ''));
    }
    // Fewer authorities are stricter, more are not.
    expectOk(await edit({ container_type: 'kubernetes', cluster_ca: other.cert }));
    expectBound(await edit({ container_type: 'kubernetes', cluster_ca: both }), ['api_token', 'user_token']);
  });

  it('never hold a key, and warn before they expire', async () => {
    const withKey = `${own.cert}${own.key}`;
    for (const text of [withKey, Buffer.from(withKey).toString('base64'), `${own.cert}${other.cert.slice(0, 200)}`]) {
      for (const field of ['cluster_ca', 'endpoint_cert_filename_or_path'])
        expectInvalid(await save(kube({ [field]: text })), [field]);
    }
    const now = world.now() * 1000;
    const soon = makeCertificate({ notBefore: new Date(now - DAY), notAfter: new Date(now + 10 * DAY) });
    const { warnings } = (await save(kube({ cluster_ca: soon.cert }))).json;
    const date = new Date(now + 10 * DAY).toISOString().slice(0, 10);
    expect(warnings).to.deep.equal([`cluster_ca: the certificate expires on ${date}`]);
  });
}
