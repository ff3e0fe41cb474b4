import { hostname } from 'node:os';
import { type EaiEntry, systemAcl } from '../eai/entry.ts';
import { eaiReply, requestBase } from '../eai/feed.ts';
import { notFound } from '../eai/routes.ts';
import type { PlatformReply } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import type { KvStatus } from './status.ts';

const PATH = '/kvstore/status';
const NAME = 'status';
const PORT = 8191;

export interface KvFacts {
  guid: string;
  startedAt: number;
  kvStore(): Promise<KvStatus>;
  /** In a cluster: whether this member holds the KV store. */
  member?: { holder: boolean };
}

/** `/kvstore/status`: keys and types of 10.4.2, with one member, this one. Neither the feed nor the entry can be changed. */
export function kvStatusRoutes(facts: () => KvFacts): Route[] {
  const reply = async (req: PlatformRequest): Promise<PlatformReply> =>
    eaiReply(req, {
      title: 'kvstore-status',
      base: requestBase(req, PATH),
      links: {},
      isReloadable: false,
      entries: [{ name: NAME, acl: systemAcl(false), content: await content(facts()) }],
    });
  return [
    { method: 'GET', pattern: PATH, handle: reply },
    {
      method: 'GET',
      pattern: `${PATH}/{name}`,
      handle: (req, { name = '' }) => {
        if (name !== NAME) throw notFound(name);
        return reply(req);
      },
    },
  ];
}

async function content({ guid, startedAt, kvStore, member }: KvFacts): Promise<EaiEntry['content']> {
  const status = await kvStore();
  const now = Date.now();
  const started = Math.floor(startedAt / 1000);
  const seconds = Math.floor(now / 1000);
  const replicationStatus = member?.holder === false ? 'Non-captain KV store member' : 'KV store captain';
  return {
    current: {
      backupRestoreStatus: 'Ready',
      date: now,
      dateSec: now / 1000,
      disabled: status === 'disabled',
      guid,
      migrationStatus: 'NotStarted',
      oplogEndTimestamp: seconds * 1000,
      oplogEndTimestampSec: seconds,
      oplogStartTimestamp: started * 1000,
      oplogStartTimestampSec: started,
      port: PORT,
      replicaSet: 'splunkrs',
      replicationStatus,
      standalone: member === undefined,
      status,
      storageEngine: 'wiredTiger',
      versionUpgradeInProgress: '0',
    },
    members: {
      // The member itself, which has no heartbeat with itself.
      0: {
        configVersion: 1,
        electionDate: started * 1000,
        electionDateSec: started,
        hostAndPort: `${hostname()}:${PORT}`,
        lastHeartbeat: null,
        lastHeartbeatRecv: null,
        lastHeartbeatRecvSec: null,
        lastHeartbeatSec: null,
        optimeDate: seconds * 1000,
        optimeDateSec: seconds,
        pingMs: null,
        replicationStatus,
        uptime: seconds - started,
      },
    },
  };
}
