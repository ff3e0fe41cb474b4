import { drivers } from '../../driver/table.ts';
import { confFile, stanza } from './conf.ts';

export function restmapConf(): string {
  return confFile(
    ...drivers.map(({ name, stanza: title, match }) =>
      stanza(`script:${title}`, {
        match,
        scripttype: 'persist',
        driver: `${name}.sh`,
        script: `${name}.mjs`,
        output_modes: 'json',
        // Uploads are binary.
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
    ...drivers.flatMap(({ stanza: title, match, webMethods }) => [
      stanza(`expose:${title}`, { pattern: match.slice(1), methods: 'GET' }),
      stanza(`expose:${title}_sub`, { pattern: `${match.slice(1)}/**`, methods: webMethods.join(', ') }),
    ]),
  );
}

const SHELL = `#!/bin/sh
# Generated from the table of drivers (npm run generate).
case $0 in */*) . "\${0%/*}/driver.sh" ;; *) . ./driver.sh ;; esac
`;

/** An older runtime cannot parse the bundle. */
const program = (name: string): string => `// Generated from the table of drivers (npm run generate).
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(\`ml_extension: needs Node 24 or newer, found \${process.versions.node} at \${process.execPath}\\n\`);
  process.exit(126);
}
const { main } = await import('./lib/${name}.mjs');
await main();
`;

/** Launchers named in restmap.conf. */
export const driverLaunchers: Readonly<Record<string, () => string>> = Object.fromEntries(
  drivers.flatMap(({ name }) => [
    [`bin/${name}.sh`, () => SHELL],
    [`bin/${name}.mjs`, () => program(name)],
  ]),
);
