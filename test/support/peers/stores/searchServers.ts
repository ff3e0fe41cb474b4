import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureInstalled, type Installation } from '../../programs/installation.ts';
import { eventually } from '../../time.ts';
import { freePort, type Peer } from '../listen.ts';
import { give, ServerProgram, serverFolder } from './unprivileged.ts';

const run = promisify(execFile);
const INSTALLATIONS = join(import.meta.dirname, '../../../../.venv');
const PROGRAMS = join(import.meta.dirname, 'java');
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
const HEAP = ['-Xms256m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

interface Make {
  /** Parts from Maven Central, with what they need: the newest that run on Java 17, OpenSearch with its k-NN module. */
  parts: readonly string[];
  /** Starts a node without the scripts and checks of the distribution. */
  program: string;
  /** Arranges what was fetched into `lib`. */
  arrange(folder: string): Promise<void>;
}

const OPENSEARCH = '2.19.1';
const ELASTICSEARCH = '8.19.5';
const NETTY = 'transport-netty4';

const MAKES = {
  openSearch: {
    parts: [
      `org.opensearch:opensearch:${OPENSEARCH}`,
      `org.opensearch.plugin:transport-netty4-client:${OPENSEARCH}`,
      `org.opensearch.plugin:lang-painless:${OPENSEARCH}`,
      `org.opensearch.plugin:opensearch-knn:${OPENSEARCH}.0:zip`,
      'org.apache.logging.log4j:log4j-core:2.21.0',
    ],
    program: 'OpenSearchNode.java',
    async arrange(folder) {
      await run('jar', ['xf', `opensearch-knn-${OPENSEARCH}.0.zip`], { cwd: join(folder, 'lib') });
    },
  },
  elasticsearch: {
    parts: [`org.elasticsearch:elasticsearch:${ELASTICSEARCH}`, `org.elasticsearch.plugin:${NETTY}:${ELASTICSEARCH}`],
    program: 'ElasticsearchNode.java',
    async arrange(folder) {
      const [lib, module] = [join(folder, 'lib'), join(folder, 'modules', NETTY)];
      mkdirSync(module, { recursive: true });
      for (const name of readdirSync(lib).filter((file) => /^(?:netty|transport-netty4)/.test(file))) {
        renameSync(join(lib, name), join(module, name));
      }
      const descriptor = `META-INF/es-plugins/${NETTY}/plugin-descriptor.properties`;
      await run('jar', ['xf', `${NETTY}-${ELASTICSEARCH}.jar`, descriptor], { cwd: module });
      // The server stands on the class path, where modules do not find it.
      const lines = readFileSync(join(module, descriptor), 'utf8').split('\n');
      const kept = lines.filter((line) => !line.startsWith('modulename='));
      writeFileSync(join(module, 'plugin-descriptor.properties'), kept.join('\n'));
    },
  },
} as const satisfies Record<string, Make>;

export type SearchServerMake = keyof typeof MAKES;

function installationOf(make: SearchServerMake): Installation {
  const { parts, arrange, program } = MAKES[make];
  const folder = join(INSTALLATIONS, make);
  return {
    folder,
    pinned: parts.join('\n'),
    program: join(folder, 'lib'),
    async install() {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'pom.xml'), projectOf(program, parts));
      const output = `-DoutputDirectory=${join(folder, 'lib')}`;
      await run('mvn', ['--batch-mode', '--quiet', '-f', join(folder, 'pom.xml'), COPY, output]);
      await arrange(folder);
    },
  };
}

function projectOf(name: string, parts: readonly string[]): string {
  const dependencies = parts.map((part) => {
    const [group, artifact, version, type = 'jar'] = part.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version><type>${type}</type></dependency>`;
  });
  const identity = `<groupId>test</groupId><artifactId>${name}</artifactId><version>1</version>`;
  return `<project><modelVersion>4.0.0</modelVersion>${identity}<dependencies>${dependencies.join('')}</dependencies></project>`;
}

/** Fetches a server unless it is there. @returns why it cannot be had on this machine; undefined when it is there */
export const prepareSearchServer = (make: SearchServerMake): Promise<string | undefined> =>
  ensureInstalled(installationOf(make));

/** A server of its own on loopback, with one node and a small heap. */
export async function startSearchServer(make: SearchServerMake): Promise<Peer & { pid: number }> {
  const folder = serverFolder(make.toLowerCase());
  // The folder of the tests may be closed to others.
  cpSync(installationOf(make).folder, folder, { recursive: true });
  for (const name of ['config', 'tmp', 'modules']) mkdirSync(join(folder, name), { recursive: true });
  const { program } = MAKES[make];
  cpSync(join(PROGRAMS, program), join(folder, program));
  give(folder);
  const port = await freePort(2);
  const options = [...HEAP, `-Djava.io.tmpdir=${join(folder, 'tmp')}`, `-Duser.home=${folder}`];
  const classes = ['-cp', join(folder, 'lib/*'), join(folder, program)];
  const server = new ServerProgram('java', [...options, ...classes, folder, String(port), String(port + 1)], folder);
  const close = () => server.stop('SIGKILL');
  try {
    await eventually(async () => !server.isRunning || /^started$/m.test(server.output), 120_000, `${make} to be up`);
    if (!server.isRunning) throw new Error(`${make} ended: ${server.output}`);
    return { url: `http://127.0.0.1:${port}`, pid: server.pid, close };
  } catch (error) {
    await close();
    throw error;
  }
}
