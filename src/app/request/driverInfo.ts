import type { AppInfo } from '../../ports/platform/appInfo.ts';
import type { RestReply, RestRequest } from '../../rest/request.ts';

type Serve = (request: RestRequest) => Promise<RestReply>;

/** Status of the driver, with a request counter. */
export function driverInfo(version: string): { app: AppInfo; counting(serve: Serve): Serve } {
  let requests = 0;
  return {
    app: {
      version,
      driver: () => ({
        pid: process.pid,
        runtime: `node ${process.versions.node}`,
        uptime_s: Math.round(process.uptime() * 10) / 10,
        memory_bytes: process.memoryUsage.rss(),
        requests,
      }),
      async openApi() {
        const { readFile } = process.getBuiltinModule('node:fs/promises');
        return JSON.parse(await readFile(new URL('./openapi.json', import.meta.url), 'utf8'));
      },
    },
    counting: (serve) => (request) => {
      requests += 1;
      return serve(request);
    },
  };
}
