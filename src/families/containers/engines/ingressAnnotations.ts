import { setting, splitList } from '../../../contract/settings/settings.ts';
import type { Settings } from '../../../ports/stores/settings.ts';

/**
 * Annotations (without prefix) that redirect requests or contain code, of the nginx controllers, Traefik, HAProxy, Kong,
 * Ambassador and the clouds. Tuning such as sizes, timeouts, TLS and limits is allowed.
 */
const REFUSED: readonly RegExp[] = [
  // Code: configuration of the controller.
  /snippets?($|-)/,
  /^(config|lua|fastcgi|modsecurity|route-acl)(-|$)/,
  /^(actions|conditions|transforms)\./,
  // Copies of requests, and replies of another server.
  /^mirror/,
  /^(default-backend|custom-http-errors|error-pages?|canary.*|cr-backend|service-weights|external-.*|proxy-external-.*)$/,
  /^(server-alias.*|influxdb-.*)$/,
  // References to objects that may do either.
  /^(router\.middlewares|middlewares|plugins|policies|override|oauth.*|serverstransport|service\.serverstransport)$/,
];
const REDIRECTS = /redirect/;
const SAME_HOST_REDIRECTS =
  /^((force-)?ssl-redirect(-port|-code)?|(permanent|temporal)-redirect-code|preserve-trailing-slash)$/;
/** Authentication by another server; password and certificate settings are allowed. */
const AUTHENTICATION = /^auth-/;
const LOCAL_AUTHENTICATION =
  /^auth-(type|realm|secret(-type)?|tls-(secret|verify-client|verify-depth|pass-certificate-to-upstream))$/;
/** Full names of DNS annotations that point to another host. */
const REFUSED_NAMES = /^external-dns\.alpha\.kubernetes\.io\/(target|endpoints-type|cname|.*alias)$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are matched on purpose.
const LINE_BREAKS = /[\u0000-\u001f\u007f]/;

function isRefused(annotation: string): boolean {
  const fullName = annotation.toLowerCase();
  const name = fullName.slice(fullName.lastIndexOf('/') + 1);
  if (AUTHENTICATION.test(name)) return !LOCAL_AUTHENTICATION.test(name);
  if (REDIRECTS.test(name)) return !SAME_HOST_REDIRECTS.test(name);
  return REFUSED_NAMES.test(fullName) || REFUSED.some((pattern) => pattern.test(name));
}

/** Returns the problem of `ingress_annotations`. @param allowed names that the administrator allows */
export function annotationProblem(text: string, allowed: readonly string[]): string | undefined {
  const message = 'must be a JSON object whose values are strings';
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return message;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return message;
  if (!Object.values(parsed).every((item) => typeof item === 'string')) return message;
  const refused = Object.entries(parsed as Record<string, string>)
    // A line break would inject a directive into the controller's configuration.
    .filter(([name, value]) => isRefused(name) || LINE_BREAKS.test(value))
    .map(([name]) => name)
    .filter((name) => !allowed.some((pattern) => matches(pattern, name)));
  if (refused.length === 0) return undefined;
  const names = refused.map((name) => name.slice(0, 100)).join(', ');
  return `may redirect requests or contain code. An administrator must allow it in [containers] ingress_annotations: ${names}`;
}

/** A trailing `*` matches any suffix. */
function matches(pattern: string, name: string): boolean {
  const [prefix, lowerName] = [pattern.toLowerCase(), name.toLowerCase()];
  return prefix.endsWith('*') ? lowerName.startsWith(prefix.slice(0, -1)) : prefix === lowerName;
}

/** `[containers] ingress_annotations`. */
export async function allowedAnnotations(settings: Settings): Promise<string[]> {
  return splitList(setting(await settings.read(), 'containers', 'ingress_annotations'));
}
