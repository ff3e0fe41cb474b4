import { makeCertificate } from '../../support/peers/certificates.ts';
import type { OpenWorld } from '../../support/worlds/world.ts';
import { bindingTests } from './binding.ts';
import { certificateTests } from './certificates.ts';
import { CONNECTIONS, CONTAINERS, ContainerKit } from './kit.ts';
import { moveTests } from './moves.ts';
import { recordTests } from './records.ts';
import { ruleTests } from './rules.ts';

/** Connections to engines of containers as their users see them, in any world. */
export function containerConnectionSuite(open: OpenWorld): void {
  const world = open({
    users: { root: ['admin'], reader: ['watcher'] },
    roles: { watcher: ['list_container_connections', 'list_containers'] },
    collections: [CONNECTIONS, CONTAINERS],
    servers: true,
  });
  const kit = new ContainerKit(world);
  const [certificate, other] = [makeCertificate(), makeCertificate()];

  describe('records', () => recordTests(kit));
  describe('rules', () => ruleTests(kit));
  describe('certificates', () => certificateTests(kit, certificate, other));
  describe('what binds the secrets', () => bindingTests(kit, certificate.cert, other.cert));
  describe('the engine in which containers run', () => moveTests(kit));
}
