import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonReply } from '../eai/replies.ts';
import { writeFileAtomic } from '../home/atomicFile.ts';
import { PlatformError } from '../http/reply.ts';
import type { Route } from '../http/route.ts';

export interface MemberState {
  member: number;
  url: string;
  /** Absent while it is down. */
  pid?: number;
  /** Number of starts in this run. */
  starts: number;
}

const FILE = 'members.json';

/** Written by the parent and read by the members, so any live member can list the others. */
export function writeMemberList(folder: string, members: MemberState[]): void {
  writeFileAtomic(join(folder, FILE), `${JSON.stringify({ members })}\n`);
}

/** `GET /services/embedded/members`: lets tests kill members by pid. */
export function memberListRoute(folder: string): Route {
  return {
    method: 'GET',
    pattern: '/embedded/members',
    handle: (req) => {
      if (!req.caller?.roles.includes('admin') && req.caller?.system !== true) {
        throw new PlatformError(403, 'insufficient permission to access this resource', 'WARN');
      }
      return jsonReply(200, JSON.parse(readFileSync(join(folder, FILE), 'utf8')));
    },
  };
}
