import type { SearchPart } from '../pipeline/spl.ts';
import type { JobSettings } from './job.ts';

/** What getinfo tells a command about its search. The platform and the session are told beside it. */
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
