import { StartError } from '../home/home.ts';
import type { GeneratedPassword } from '../identity/adminPassword.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../platform.ts';
import { type MemberPlan, Membership } from './membership.ts';

/** What the parent sends. */
export type Order =
  | { kind: 'start'; options: Omit<PlatformOptions, 'members'>; plan: MemberPlan; urls: Record<number, string> }
  | { kind: 'urls'; urls: Record<number, string> };

/** What a member answers. */
export type Report =
  | { kind: 'ready'; url: string; port: number; web: Platform['web']; generatedPassword: GeneratedPassword | undefined }
  | { kind: 'failed'; message: string };

/** A member's process: it starts on its parent's order and ends with it. */
export function runMember(): void {
  let members: Membership | undefined;
  let platform: Platform | undefined;
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    // Before it serves there is nothing that a process's end would not undo.
    (platform?.close() ?? Promise.resolve()).finally(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  process.on('disconnect', end);
  process.on('message', (order: Order) => {
    if (order.kind === 'urls') {
      members?.learn(order.urls);
      return;
    }
    members = new Membership(order.plan, order.urls);
    startPlatform({ ...order.options, members }).then(
      (started) => {
        platform = started;
        if (ending) void started.close().finally(() => process.exit(0));
        const { url, port, generatedPassword } = started;
        // Plain data: it goes to another process.
        const web = started.web && { url: started.web.url, port: started.web.port };
        report({ kind: 'ready', url, port, web, generatedPassword });
      },
      (error: Error) => {
        const message = error instanceof StartError ? error.message : (error.stack ?? error.message);
        report({ kind: 'failed', message });
      },
    );
  });
}

function report(message: Report): void {
  // The parent may be gone, which `disconnect` tells.
  if (process.connected) process.send?.(message, () => {});
}
