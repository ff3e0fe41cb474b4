import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import type { PlatformLog } from '../home/log.ts';
import type { Route } from '../http/route.ts';
import { type KvBackend, localKv } from '../kv/calls.ts';
import { KvStore } from '../kv/store/store.ts';
import type { KvVariants } from '../kv/variants.ts';
import { PasswordStore } from '../passwords/store.ts';
import { Replicator } from '../replication/replicator.ts';
import { kvRelayRoute, RemoteKv } from './kvRelay.ts';
import { memberListRoute } from './memberList.ts';
import type { Membership } from './membership.ts';
import { PeerClient } from './peerClient.ts';

export interface Storage {
  kv: KvBackend;
  passwords: PasswordStore;
  /** Endpoints for other members only. */
  routes: Route[];
  /** Starts replication; call it once this member can be reached. */
  start(): void;
  close(): Promise<void>;
}

export interface StorageOptions {
  home: string;
  log: PlatformLog;
  variants: KvVariants;
  members: Membership | undefined;
  tls: SecureContextOptions | undefined;
}

/** The stores of a single platform, or of a member of a cluster. */
export function openStorage(options: StorageOptions): Storage {
  const { members } = options;
  return members === undefined ? openLocalStorage(options) : openMemberStorage(options, members);
}

function openLocalStorage({ home, variants }: StorageOptions): Storage {
  const store = new KvStore(home);
  const passwords = new PasswordStore(home);
  const close = async (): Promise<void> => {
    passwords.close();
    store.close();
  };
  return { kv: localKv(store, variants), passwords, routes: [], start: () => {}, close };
}

function openMemberStorage({ home, log, tls, variants }: StorageOptions, members: Membership): Storage {
  const peers = new PeerClient(members, tls);
  const store = members.isHolder ? new KvStore(home) : undefined;
  const passwords = new PasswordStore(home, members.plan.number);
  const { journal } = passwords;
  if (journal === undefined) throw new Error('the password store of a member has no journal');
  const replicator = new Replicator({ home, members, peers, passwords, journal, log });
  return {
    kv: store === undefined ? new RemoteKv(peers, log) : localKv(store, variants),
    passwords,
    routes: [
      ...replicator.routes(),
      ...(store === undefined ? [] : [kvRelayRoute(members, store, variants)]),
      memberListRoute(join(members.plan.root, 'var', 'run', 'splunk')),
    ],
    start: () => replicator.start(),
    close: async () => {
      peers.close();
      await replicator.close();
      passwords.close();
      store?.close();
    },
  };
}
