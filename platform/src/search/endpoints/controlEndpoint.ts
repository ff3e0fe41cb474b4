import { integer } from '../../eai/paging.ts';
import { messagesReply } from '../../eai/replies.ts';
import { PlatformError, type PlatformReply } from '../../http/reply.ts';
import type { PlatformRequest } from '../../http/request.ts';
import type { SearchJob } from '../jobs/job.ts';
import { DEFAULT_TTL, SAVE_TTL } from '../jobs/jobEntry.ts';
import type { SearchJobs } from '../jobs/jobs.ts';

/** splunkd's message for each action. */
type Action = (job: SearchJob, req: PlatformRequest, jobs: SearchJobs) => string;

const ACTIONS: Record<string, Action> = {
  cancel: (job, _req, jobs) => {
    jobs.remove(job);
    return 'Search job cancelled.';
  },
  pause: (job) => {
    job.pause();
    return 'Search job paused.';
  },
  unpause: (job) => {
    job.unpause();
    return 'Search job continued.';
  },
  finalize: (job) => {
    if (!job.done) job.message('INFO', 'Search finalized.');
    job.finalize();
    return 'Search job finalized.';
  },
  touch: (job) => {
    job.touch();
    return 'Search job touched.';
  },
  setttl: (job, req) => {
    required(req, 'ttl');
    job.ttl = integer(req, 'ttl', DEFAULT_TTL, 0);
    job.touch();
    return `The ttl of the search job was changed to ${job.ttl}.`;
  },
  setpriority: (job, req) => {
    required(req, 'priority');
    const priority = integer(req, 'priority', 5, 0);
    if (priority > 10)
      throw new PlatformError(400, 'Invalid value for argument "priority": must be from 0 to 10.', 'FATAL');
    job.priority = priority;
    return `The search job's priority was set to ${priority}.`;
  },
  save: (job) => {
    job.saved = true;
    job.ttl = SAVE_TTL;
    return 'Search job saved.';
  },
  unsave: (job) => {
    job.saved = false;
    job.ttl = DEFAULT_TTL;
    job.touch();
    return 'Search job unsaved.';
  },
  enablepreview: (job) => {
    job.previewEnabled = true;
    return 'Previews of the search job enabled.';
  },
  disablepreview: (job) => {
    job.previewEnabled = false;
    return 'Previews of the search job disabled.';
  },
};

function required(req: PlatformRequest, name: string): void {
  if ((req.arg(name) ?? '') === '')
    throw new PlatformError(400, `The following required arguments are missing: ${name}.`, 'FATAL');
}

export function control(jobs: SearchJobs, job: SearchJob, req: PlatformRequest): PlatformReply {
  required(req, 'action');
  const name = req.arg('action') ?? '';
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) throw new PlatformError(400, 'Unknown action.', 'FATAL');
  return messagesReply(req, 200, [{ type: 'INFO', text: action(job, req, jobs) }]);
}
