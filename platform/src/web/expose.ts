import { mergedConf } from '../apps/apps.ts';
import { type HostedApp, SYSTEM_APP } from '../apps/hostedApp.ts';
import { parseBoolean } from '../confs/conf.ts';

/** Paths that the default web.conf of release 10.2.3 exposes, of those that this platform has. */
const BUILT_IN: [string, string][] = [
  ['alerts/alert_actions', 'GET,DELETE,POST'],
  ['alerts/alert_actions/*', 'GET,DELETE,POST'],
  ['alerts/alert_actions/*/acl', 'GET,POST'],
  ['apps/local', 'GET,POST'],
  ['apps/local/*', 'GET,POST,DELETE'],
  ['apps/local/*/_reload', 'GET,POST'],
  ['apps/local/*/acl', 'POST'],
  ['apps/local/*/disable', 'POST'],
  ['apps/local/*/enable', 'POST'],
  ['auth/login', 'POST'],
  ['authentication/current-context', 'GET'],
  ['authentication/current-context/*', 'GET'],
  ['authentication/httpauth-tokens', 'GET'],
  ['authentication/httpauth-tokens/*', 'GET,DELETE'],
  ['authentication/users', 'GET,POST'],
  ['authentication/users/*', 'GET,POST,DELETE'],
  ['authorization/capabilities', 'GET'],
  ['authorization/capabilities/*', 'GET'],
  ['authorization/grantable_capabilities', 'GET'],
  ['authorization/roles', 'GET,POST'],
  ['authorization/roles/*', 'GET,POST,DELETE'],
  ['authorization/tokens', 'GET,POST'],
  ['authorization/tokens/*', 'GET,POST,DELETE'],
  ['configs/conf-*', 'GET,POST'],
  ['configs/conf-*/*', 'GET,POST,DELETE'],
  ['configs/conf-*/*/acl', 'GET,POST'],
  ['configs/conf-*/*/disable', 'POST'],
  ['configs/conf-*/*/enable', 'POST'],
  ['data/lookup-table-files', 'GET,POST'],
  ['data/lookup-table-files/*', 'GET,POST,DELETE'],
  ['data/lookup-table-files/*/acl', 'POST'],
  ['messages', 'GET,POST'],
  ['messages/*', 'GET,DELETE'],
  ['properties', 'GET,POST'],
  ['properties/*', 'GET,POST'],
  ['properties/*/*', 'GET,POST'],
  ['properties/*/*/*', 'GET,POST'],
  ['receivers/simple', 'POST'],
  ['saved/searches', 'GET,POST'],
  ['saved/searches/*', 'GET,POST,DELETE'],
  ['saved/searches/*/acl', 'POST'],
  ['saved/searches/*/disable', 'POST'],
  ['saved/searches/*/dispatch', 'POST'],
  ['saved/searches/*/enable', 'POST'],
  ['saved/searches/*/history', 'GET'],
  ['saved/searches/*/suppress', 'GET'],
  ['search/jobs', 'GET,POST'],
  ['search/jobs/*', 'GET,POST,DELETE'],
  ['search/jobs/*/acl', 'POST'],
  ['search/jobs/*/control', 'POST'],
  ['search/jobs/*/events', 'GET,POST'],
  ['search/jobs/*/results', 'GET,POST'],
  ['search/jobs/*/results_preview', 'GET,POST'],
  ['search/jobs/*/search.log', 'GET'],
  ['search/jobs/*/summary', 'GET'],
  ['search/jobs/*/timeline', 'GET'],
  ['search/jobs/export', 'GET,POST'],
  ['search/parser', 'GET,POST'],
  ['server/info', 'GET'],
  ['server/info/*', 'GET'],
  ['server/settings', 'GET'],
  ['server/settings/*', 'GET,POST'],
  ['storage/collections/**', 'GET,POST,DELETE'],
  ['storage/passwords', 'GET,POST'],
  ['storage/passwords/*', 'GET,POST,DELETE'],
];

/** Whether a page may call a path below `/services` (decoded segments) with a method. */
export function isExposed(apps: readonly HostedApp[], method: string, segments: readonly string[]): boolean {
  // A slash within a segment stays encoded, so that it does not look like two segments.
  const path = segments.map(encodeURIComponent).join('/');
  const stanzas = apps
    .flatMap((app) => Object.entries(app.conf('web')))
    .filter(([name]) => name.startsWith('expose:'))
    .map(([, { pattern = '', methods = 'GET' }]): [string, string] => [pattern, methods]);
  return [...BUILT_IN, ...stanzas].some(
    ([pattern, methods]) => allows(methods, method) && matches(pattern.trim(), path),
  );
}

function allows(methods: string, method: string): boolean {
  return methods.split(',').some((candidate) => candidate.trim().toUpperCase() === method);
}

/**
 * `*` matches anything without a slash, `**` anything. Matches step by step, so many wildcards cost no more than the
 * pattern's length.
 */
function matches(pattern: string, path: string): boolean {
  let ends = new Set([0]);
  for (const token of pattern.split(/(\*+)/).filter((part) => part !== '')) {
    const literal = token.startsWith('*') ? undefined : token.split('/').map(encodeURIComponent).join('/');
    const next = new Set<number>();
    for (const start of ends) {
      if (literal !== undefined) {
        if (path.startsWith(literal, start)) next.add(start + literal.length);
        continue;
      }
      const slash = token === '*' ? path.indexOf('/', start) : -1;
      for (let end = start; end <= (slash < 0 ? path.length : slash); end += 1) next.add(end);
    }
    ends = next;
  }
  return ends.has(path.length);
}

/** `enable_proxy_write` of web.conf; the system's own folder takes precedence. */
export function mayWrite(apps: readonly HostedApp[]): boolean {
  const system = apps.filter((app) => app.name === SYSTEM_APP);
  const others = apps.filter((app) => app.name !== SYSTEM_APP);
  const value = [system, others]
    .map((some) => mergedConf(some, 'web').settings?.enable_proxy_write)
    .find((text) => text !== undefined);
  return parseBoolean(value) !== false;
}
