import type { Random } from '../../support/random.ts';
import type { Finding } from '../history/checker.ts';
import { type Answer, isAnswer } from '../site/client.ts';
import { DockerStub } from '../site/dockerStub.ts';
import type { Site } from '../site/site.ts';

const AT_ONCE = 6;
/**
 * What a start or stop may answer when others start and stop the same model. A start whose container is taken away under
 * its hands may fail in the engine's words (contract 3.2), as long as it leaves nothing: that is looked at below.
 */
const ALLOWED = new Set(['502 upstream_error', '200 ', '409 already_running', '409 invalid_state', '404 not_found']);

/** Starts and stops of one model at once: never two containers, and after a last stop nothing of it. */
export async function raceToStart(site: Site, random: Random, rounds: number): Promise<Finding[]> {
  const engine = await DockerStub.start();
  const payload = { container_type: 'docker', connection_name: 'stub', docker_url: engine.url };
  const made = await site.ml(0, 'admin', { method: 'POST', path: '/container_connection', body: { payload } });
  if (!isAnswer(made) || made.status !== 200) throw new Error(`no connection to an engine: ${JSON.stringify(made)}`);
  const start = () => ({
    method: 'POST',
    path: '/start_container',
    body: { payload: { image: 'golden-cpu', model: 'raced', cluster: 'docker', connection_name: 'stub' } },
  });
  const stop = () => ({ method: 'POST', path: '/stop_container', body: { payload: { model: 'raced' } } });
  for (let round = 1; round <= rounds; round++) {
    const calls = Array.from({ length: AT_ONCE }, () => (random.chance(0.6) ? start() : stop()));
    const replies = await Promise.all(calls.map((call, index) => site.ml(index, 'admin', call)));
    const told = replies.map(
      (reply, index) => `${calls[index]?.path}: ${isAnswer(reply) ? line(reply) : reply.because}`,
    );
    const odd = replies.filter((reply) => !isAnswer(reply) || !ALLOWED.has(`${reply.status} ${codeOf(reply)}`));
    const wrong = (what: string): Finding[] => [{ what: `round ${round}: ${what}`, story: told }];
    if (odd.length > 0) return wrong(`${odd.length} answers that a race does not explain`);
    if (engine.containers.size > 1) return wrong(`${engine.containers.size} containers of one model`);
    const data = await site.ml(round, 'admin', { method: 'GET', path: '/container_data' });
    const models = isAnswer(data) && data.status === 200 ? Object.keys(data.json.config) : ['?'];
    if (models.length !== engine.containers.size) {
      return wrong(`${models.length} records (${models}), ${engine.containers.size} containers`);
    }
    const last = await site.ml(round, 'admin', stop());
    if (engine.containers.size > 0)
      return wrong(`a container is left after a stop that answered ${JSON.stringify(last)}`);
  }
  return [];
}

const codeOf = ({ json }: Answer) => String(json?.error_code ?? '');
const line = (reply: Answer) => `${reply.status} ${codeOf(reply)} ${reply.text.slice(0, 200)}`;
