import type { HostedApp } from './hostedApp.ts';

/**
 * Throws for the first `[expose:*]` stanza whose pattern matches no restmap endpoint: it would open a path that no app
 * owns. Compares as the platform's package inspection does, so such a package could not be published either.
 */
export function checkWebExposure(apps: readonly HostedApp[]): void {
  const endpoints = apps.flatMap((app) => restmapPaths(app)).map(normalise);
  for (const app of apps) {
    for (const [stanza, conf] of Object.entries(app.conf('web'))) {
      if (!stanza.startsWith('expose:')) continue;
      if (!conf.pattern) throw new Error(`app ${app.name}, web.conf [${stanza}]: there is no pattern`);
      const pattern = normalise(conf.pattern);
      // The platform's own paths; package inspection allows them too.
      if (pattern.startsWith('/data/')) continue;
      const expression = fnmatch(pattern);
      if (endpoints.some((path) => expression.test(path))) continue;
      throw new Error(
        `app ${app.name}, web.conf [${stanza}]: pattern = ${conf.pattern} matches no restmap.conf match of any app`,
      );
    }
  }
}

function restmapPaths(app: HostedApp): string[] {
  return Object.entries(app.conf('restmap')).flatMap(([stanza, conf]) => {
    if (conf.match === undefined) return [];
    if (!stanza.startsWith('admin:') || conf.members === undefined) return [conf.match];
    const base = conf.match.replace(/(?<!\/)\/+$/, '');
    return conf.members.split(',').map((member) => `${base}/${member.trim()}`);
  });
}

/** Begins with a slash; ends with a slash or an asterisk. */
function normalise(path: string): string {
  const rooted = path.trim().replace(/^(?!\/)/, '/');
  return /[/*]$/.test(rooted) ? rooted : `${rooted}/`;
}

/** Shell patterns without special slashes: `*`, `?`, `[abc]`, `[!abc]`. */
function fnmatch(pattern: string): RegExp {
  const source = pattern.replace(/\*+|\?|\[(!?)(\]?[^\]]{0,50})\]|[\s\S]/g, (token, not: string, set: string) => {
    if (token.startsWith('*')) return '.*';
    if (token === '?') return '.';
    if (set) return `[${not ? '^' : ''}${set.replace(/[\\\]^[]/g, '\\$&')}]`;
    return token.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 's');
}
