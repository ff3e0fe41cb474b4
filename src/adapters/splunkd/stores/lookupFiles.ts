import { open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Fault } from '../../../contract/codes/faults.ts';
import type { LookupContent, LookupFile, LookupFiles, LookupLocation } from '../../../ports/stores/lookupFiles.ts';
import { type SplunkdClient, type SplunkdReply, unexpectedReply } from '../client.ts';
import { withStaged } from './lookupStaging.ts';

const ENDPOINT = 'data/lookup-table-files';

interface Entry {
  name: string;
  acl: { app: string; owner: string; sharing: string; can_write: boolean };
  content: { 'eai:data'?: string };
}

/** @param home $SPLUNK_HOME */
export function splunkdLookups(client: SplunkdClient, session: string, home: string): LookupFiles {
  /** Returns false for `ignoredStatus`: the file exists, or does not exist. */
  async function write(
    method: 'POST' | 'DELETE',
    { owner, app }: LookupLocation,
    path: string,
    form: Record<string, string> | undefined,
    ignoredStatus: number,
  ): Promise<boolean> {
    const endpoint = `${ENDPOINT}${path}`;
    const namespace = { owner, app };
    const reply = await client.call({ method, endpoint, token: session, namespace, ...(form ? { form } : {}) });
    // A file that is gone at the second attempt was deleted by the first, whose reply was lost.
    if (reply.status === ignoredStatus) return method === 'DELETE' && reply.repeated;
    if (reply.status === 403) throw denied();
    if (reply.status !== 200 && reply.status !== 201) throw unexpectedReply('a write of a lookup file', reply);
    return true;
  }

  /** Undefined if the path is outside the platform's configuration, so not a lookup. */
  async function resolvePath(file: LookupFile): Promise<string | undefined> {
    try {
      const [real, root] = await Promise.all([realpath(file.path), realpath(join(home, 'etc'))]);
      return real.startsWith(root + sep) ? real : undefined;
    } catch {
      return undefined;
    }
  }

  async function staged<T>(content: LookupContent, use: (path: string) => Promise<T>): Promise<T> {
    if (content instanceof Uint8Array) return withStaged(home, content, use);
    const path = await resolvePath(content);
    if (path === undefined) throw new Fault('not_found', `The file ${content.name} cannot be read on this member`);
    return withStaged(home, path, use);
  }

  return {
    async list(prefix) {
      const query = { count: '0', search: `name=${prefix}*` };
      const namespace = { owner: '-', app: '-' };
      const reply = await client.call({ method: 'GET', endpoint: ENDPOINT, token: session, namespace, query });
      if (reply.status !== 200) throw unexpectedReply('a listing of lookup files', reply);
      // The platform's filter may interpret wildcards, so the prefix is checked again.
      return entriesOf(reply).filter(({ name }) => name.startsWith(prefix));
    },
    create: (target, content) =>
      staged(content, (path) => write('POST', target, '', { name: target.name, 'eai:data': path }, 409)),
    replace: (file, content) =>
      staged(content, (path) => write('POST', namespaceOf(file), entityOf(file), { 'eai:data': path }, 404)),
    remove: (file) => write('DELETE', namespaceOf(file), entityOf(file), undefined, 404),
    async stat(file) {
      const path = await resolvePath(file);
      const info = path && (await stat(path).catch(() => undefined));
      return info ? { size: info.size, changedAt: info.mtimeMs / 1000 } : undefined;
    },
    async head(file, bytes) {
      const path = await resolvePath(file);
      if (path === undefined) return undefined;
      const handle = await open(path).catch(() => undefined);
      if (!handle) return undefined;
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
  };
}

const denied = () => new Fault('acl_denied', 'The platform does not let you write this lookup file');

const entityOf = ({ name }: LookupFile) => `/${encodeURIComponent(name)}`;

/** A shared file is written in its app's namespace, regardless of its owner. */
function namespaceOf({ name, app, owner, sharing }: LookupFile): LookupLocation {
  return { name, app, owner: sharing === 'user' ? owner : 'nobody' };
}

function entriesOf(reply: SplunkdReply): LookupFile[] {
  const { entry = [] } = JSON.parse(reply.text) as { entry?: Entry[] };
  return entry.map(({ name, acl, content }) => ({
    name,
    app: acl.app,
    owner: acl.owner,
    sharing: acl.sharing === 'user' ? 'user' : acl.sharing === 'app' ? 'app' : 'global',
    canWrite: acl.can_write,
    path: content['eai:data'] ?? '',
  }));
}
