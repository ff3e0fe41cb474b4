import type { SearchPart } from '../pipeline/spl.ts';
import type { JobSettings } from './job.ts';

/** `searchinfo` of getinfo, without the parts about platform and session. */
export function searchinfo(settings: JobSettings, part: SearchPart): Record<string, unknown> {
  const { sid, app, owner, search, earliest, latest } = settings;
  return {
    args: part.args,
    raw_args: part.rawArgs,
    sid,
    app,
    owner,
    username: owner,
    search: encodeURIComponent(search),
    command: part.name,
    earliest_time: earliest,
    latest_time: latest,
  };
}
