import { plainUrlProblem } from '../../domain/net/url.ts';

/** `resource_metadata` of a `WWW-Authenticate: Bearer …` challenge (RFC 9728 section 5.1), if it is a usable address. */
export function resourceMetadataUrl(challenge: string | null): string | undefined {
  if (challenge === null) return undefined;
  const found = /(?:^|[\s,])resource_metadata\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/i.exec(challenge);
  const address = (found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2])?.trim();
  return address === undefined || plainUrlProblem(address) !== undefined ? undefined : address;
}
