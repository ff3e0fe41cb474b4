/** What a build reads, beside the dependencies: a copy of these beside `node_modules` can be built. */
export const NEEDED = [
  ...['src', 'bin', 'default', 'app', 'docs', 'client', 'console'],
  ...['build.mjs', 'buildConsole.mjs', 'aliases.ts', 'package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE'],
];
