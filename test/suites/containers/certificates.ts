import { expect } from 'chai';
import { type MadeCertificate, makeCertificate } from '../../support/peers/certificates.ts';
import { type ContainerKit, expectInvalid, expectOk, kube } from './kit.ts';

const DAY = 86_400_000;

/** Certificates and keys as they are sent. */
export function certificateTests(
  { world, save, edit }: ContainerKit,
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

  it('never hold a key, and warn before they expire', async () => {
    expectInvalid(await save(kube({ cluster_ca: `${own.cert}${own.key}` })), ['cluster_ca']);
    const now = world.now() * 1000;
    const soon = makeCertificate({ notBefore: new Date(now - DAY), notAfter: new Date(now + 10 * DAY) });
    const { warnings } = (await save(kube({ cluster_ca: soon.cert }))).json;
    const date = new Date(now + 10 * DAY).toISOString().slice(0, 10);
    expect(warnings).to.deep.equal([`cluster_ca: the certificate expires on ${date}`]);
  });
}
