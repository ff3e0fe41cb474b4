import { createServer } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { listen, sendJson } from '../peers/listen.ts';

const BANNER = JSON.stringify({ app: 'Splunk App for Data Science and Deep Learning' });

/** The connection that the containers belong to. */
const MANY = 'many';

/** Container applications: one answers with the expected banner, one never answers. */
export async function startApplications() {
  const good = await listen(createServer((_, response) => response.end(JSON.stringify(BANNER))));
  const silent = await listen(createTcp(() => {}));
  return {
    good: good.port,
    silent: silent.port,
    close: async () => {
      await good.close();
      await silent.close();
    },
  };
}

/** An engine that reports a container for each port; real containers would take too much memory. */
export async function startManyEngine(ports: readonly number[]) {
  let installation = '';
  const { port, close } = await listen(
    createServer((request, response) => {
      if (!request.url?.startsWith('/containers/json')) return sendJson(response, 404, { message: 'no such endpoint' });
      const containers = ports.map((published, index) => ({
        Id: `id-${index}`,
        Names: [`/ml-${index}`],
        State: 'running',
        Ports: [{ PrivatePort: 5000, PublicPort: published, Type: 'tcp' }],
        Labels: {
          'ml_extension.installation': installation,
          'ml_extension.connection': `docker.${MANY}`,
          'ml_extension.model': `model-${index}`,
          'ml_extension.start': `mark-${index}`,
          'ml_extension.settings': '{"mode":"PROD"}',
        },
      }));
      return sendJson(response, 200, installation === '' ? [] : containers);
    }),
  );
  return {
    connection: { container_type: 'docker', connection_name: MANY, docker_url: `tcp://127.0.0.1:${port}` },
    /** The installation that the containers belong to; before that there are none. */
    belongsTo(id: string) {
      installation = id;
    },
    close,
  };
}
