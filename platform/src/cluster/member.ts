import { StartError } from '../home/home.ts';
import type { GeneratedPassword } from '../identity/passwords/adminPassword.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../platform.ts';
import { type MemberPlan, Membership } from './membership.ts';

/** Messages from the parent. */
export type Order =
  | { kind: 'start'; options: Omit<PlatformOptions, 'members'>; plan: MemberPlan; urls: Record<number, string> }
  | { kind: 'urls'; urls: Record<number, string> };

/** Messages to the parent. */
export type Report =
  | { kind: 'ready'; url: string; port: number; web: Platform['web']; generatedPassword: GeneratedPassword | undefined }
  | { kind: 'failed'; message: string };

/** Runs a member process: starts on the parent's message and exits with the parent. */
export function runMember(): void {
  let members: Membership | undefined;
  let platform: Platform | undefined;
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    // Before it serves, exiting needs no cleanup.
    (platform?.close() ?? Promise.resolve()).finally(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  process.on('disconnect', end);
  process.on('message', (order: Order) => {
    if (order.kind === 'urls') {
      members?.setUrls(order.urls);
      return;
    }
    members = new Membership(order.plan, order.urls);
    startPlatform({ ...order.options, members }).then(
      (started) => {
        platform = started;
        if (ending) void started.close().finally(() => process.exit(0));
        const { url, port, generatedPassword } = started;
        // Plain data, since it is sent to another process.
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
  // The parent may be gone; `disconnect` handles that.
  if (process.connected) process.send?.(message, () => {});
}
