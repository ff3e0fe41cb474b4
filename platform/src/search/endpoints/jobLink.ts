import type { PlatformRequest } from '../../http/request.ts';

/** The header that leads from any answer about a job to the job itself, relative to the request. */
export function jobLink({ path }: Pick<PlatformRequest, 'path'>): [string, string][] {
  const [, , sid, ...inJob] = path.replace('/search/v2/', '/search/').slice(1).split('/');
  // `export` is an endpoint beside the jobs.
  if (!/^\/search\/(?:v2\/)?jobs\//.test(path) || !sid || sid === 'export') return [];
  return [['Link', `<${'../'.repeat(inJob.length)}${sid}>; rel=info`]];
}
