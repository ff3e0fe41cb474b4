import { expect } from 'chai';
import { expectCode } from '../../support/replies.ts';
import { type ContainerKit, expectOk, type Json, SAVED } from './kit.ts';

/** Whether a connection may lead to another engine. */
export function moveTests(kit: ContainerKit): void {
  const { save, edit, test, read } = kit;
  const { engine, cluster, cloud } = SAVED;
  const anew = { api_token: 'another-api-token', jupyter_passwd: 'another-password', user_token: 'another-user-token' };

  const MOVES: [before: Json, change: Json][] = [
    [engine, { docker_url: 'https://other:2376' }],
    [engine, { docker_url: 'https://engine:2377' }],
    [engine, { docker_url: '/run/d.sock' }],
    [cluster, { cluster_url: 'https://other:6443' }],
    [cluster, { cluster_url: '', in_cluster_mode: '1' }],
    [cluster, { in_cluster_mode: '1' }],
    [cluster, { namespace: 'other' }],
    [cloud, { cloud_cluster_name: 'other' }],
    [cloud, { cloud_region_name: 'eu-west-2' }],
  ];
  for (const [before, change] of MOVES) {
    const type = before.container_type;
    it(`${type} ${JSON.stringify(change)} is refused while a container runs through it, unless forced`, async () => {
      expectOk(await save(before));
      await kit.uses(`${type}.local`);
      const moved = { container_type: type, connection_name: 'local', is_edit: 'true', ...change, ...anew };
      for (const send of [save, test]) {
        const refused = await send(moved);
        expectCode(refused, 409, 'in_use');
        expect(refused.json.used_by).to.deep.equal(['M']);
      }
      expect((await read(`${type}/local`)).json.config.version).to.equal(1);
      const forced = await save(moved, '?force=true');
      expect(expectOk(forced).version).to.equal(2);
      expect(forced.json.warnings.join()).to.match(/^These containers stay on the former engine.*: M$/);
      await kit.unused();
      const calm = await edit({ container_type: type }, '?force=true');
      expectOk(calm);
      expect(calm.json.warnings).to.equal(undefined);
    });
  }

  it('changes without a warning if no container uses it', async () => {
    await save(engine);
    await kit.uses('docker.local');
    await kit.unused();
    const moved = await edit({ docker_url: '/run/other.sock', ...anew });
    expect([moved.status, moved.json.warnings]).to.deep.equal([200, undefined]);
  });

  it('may change in everything else', async () => {
    await save(engine);
    await kit.uses('docker.local');
    const same = { docker_url: 'tcp://ENGINE:2376', endpoint_hostname_external: 'x', docker_network: 'n' };
    expectOk(await edit(same));
    expectOk(await edit({ endpoint_hostname: 'inside', api_token: 'anew' }));
  });
}
