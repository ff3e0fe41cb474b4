import { drivers } from '../../driver/table.ts';
import { confFile, stanza } from './conf.ts';

export function restmapConf(): string {
  return confFile(
    ...drivers.map(({ name, stanza: own, match }) =>
      stanza(`script:${own}`, {
        match,
        scripttype: 'persist',
        driver: `${name}.sh`,
        script: `${name}.mjs`,
        output_modes: 'json',
        // Bytes, not text: an upload must arrive as it was sent.
        passPayload: 'base64',
        passHttpHeaders: 'true',
        passSystemAuth: 'true',
        requireAuthentication: 'true',
      }),
    ),
  );
}

export function webConf(): string {
  return confFile(
    ...drivers.flatMap(({ stanza: own, match, webMethods }) => [
      stanza(`expose:${own}`, { pattern: match.slice(1), methods: 'GET' }),
      stanza(`expose:${own}_sub`, { pattern: `${match.slice(1)}/**`, methods: webMethods.join(', ') }),
    ]),
  );
}

const SHELL = `#!/bin/sh
# Generated from the table of drivers (npm run generate).
case $0 in */*) . "\${0%/*}/driver.sh" ;; *) . ./driver.sh ;; esac
`;

/** An older runtime could not even read the bundle. */
const program = (name: string): string => `// Generated from the table of drivers (npm run generate).
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(\`ml_extension: needs Node 24 or newer, found \${process.versions.node} at \${process.execPath}\\n\`);
  process.exit(126);
}
const { main } = await import('./lib/${name}.mjs');
await main();
`;

/** The programs that restmap.conf names. */
export const driverLaunchers: Readonly<Record<string, () => string>> = Object.fromEntries(
  drivers.flatMap(({ name }) => [
    [`bin/${name}.sh`, () => SHELL],
    [`bin/${name}.mjs`, () => program(name)],
  ]),
);
