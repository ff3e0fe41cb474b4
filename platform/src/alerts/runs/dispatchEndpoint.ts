import { parseBoolean, type Stanza } from '../../confs/conf.ts';
import type { SeenStanza } from '../../confs/view.ts';
import { onlyArguments } from '../../eai/routes.ts';
import type { PlatformReply } from '../../http/reply.ts';
import type { PlatformCaller, PlatformRequest } from '../../http/request.ts';
import type { Route } from '../../http/route.ts';
import { dispatched, searchCaller } from '../../search/endpoints/dispatchEndpoint.ts';
import { timeBound } from '../../search/pipeline/times.ts';
import { checkDispatch, refusedSearch } from '../saved/checks.ts';
import { PATH } from '../saved/entry.ts';
import { savedSearchOf } from '../saved/list.ts';
import { isOn, type SavedSearch } from '../saved/savedSearch.ts';
import type { SavedSearchRunner } from './runner.ts';
import { dispatchedSid } from './sid.ts';

export interface DispatchOptions {
  runner: SavedSearchRunner;
  /** The saved search of that name that a request sees; throws 404. */
  find(req: PlatformRequest, name: string): SeenStanza;
  /** The user as whom a search runs; undefined where there is no such user. */
  ownerOf(search: SavedSearch): PlatformCaller | undefined;
  /** Epoch milliseconds. */
  now(): number;
  /** Reports an error of the platform after the answer. */
  failed(error: Error): void;
}

const ARGUMENTS = ['dispatch.now', 'dispatchAs', 'force_dispatch', 'now', 'replay_speed', 'trigger_actions'];
const GROUPS = /^(?:args|dispatch)\.[\w.-]+$/;

/** `saved/searches/{name}/dispatch`: runs a saved search; with `trigger_actions` its alert actions as well. */
export function dispatchRoute(options: DispatchOptions): Route {
  return {
    method: 'POST',
    pattern: `${PATH}/{name}/dispatch`,
    handle: (req, { name = '' }) => dispatch(options, req, name),
  };
}

async function dispatch(options: DispatchOptions, req: PlatformRequest, name: string): Promise<PlatformReply> {
  const requester = searchCaller(req);
  const given = [...req.form, ...req.query].filter(([key]) => GROUPS.test(key));
  onlyArguments(req, [...ARGUMENTS, ...given.map(([key]) => key)]);
  const stanza = options.find(req, name);
  const saved = savedSearchOf(stanza);
  if (isOn(saved.keys, 'disabled'))
    throw refusedSearch(`Saved search "${saved.name}" cannot be executed because it is disabled.`);
  const keys: Stanza = { ...saved.keys, ...Object.fromEntries(given) };
  const now = options.now();
  checkDispatch(keys, now);
  const caller = callerOf(options, req, { ...saved, keys }, requester);
  // As if that user owned it, where it does not run as its owner.
  const search = { ...saved, keys, owner: caller === requester ? requester.user : saved.owner };
  const isTriggering = switchOf(req, 'trigger_actions');
  switchOf(req, 'force_dispatch');
  const text = req.arg('dispatch.now') ?? req.arg('now') ?? '';
  const time = text === '' ? Math.floor(now / 1000) : timeBound('now', text, now);
  const sid = dispatchedSid(search, requester.user, now / 1000);
  const run = { search, caller, sid, time, requester: requester.user };
  const job = await options.runner.start(run);
  if (isTriggering) options.runner.finish(run, job).catch(options.failed);
  return dispatched(req, sid);
}

/** A search that is shared runs as its owner unless `dispatchAs` is `user`. */
function callerOf(
  options: DispatchOptions,
  req: PlatformRequest,
  search: SavedSearch,
  requester: PlatformCaller,
): PlatformCaller {
  const as = req.arg('dispatchAs') ?? search.keys.dispatchAs?.trim() ?? 'owner';
  if (as !== 'owner' && as !== 'user') throw refusedSearch(`Invalid dispatchAs="${as}".`);
  if ((as === 'user' && !search.isPrivate) || search.owner === requester.user) return requester;
  const owner = options.ownerOf(search);
  if (owner === undefined) throw refusedSearch(`Failed to set user context for saved search with id '${search.name}'.`);
  return owner;
}

function switchOf(req: PlatformRequest, name: string): boolean {
  const text = req.arg(name);
  if (text === undefined || text === '') return false;
  const value = parseBoolean(text);
  if (value === undefined) throw refusedSearch(`Invalid ${name}="${text}".`);
  return value;
}
