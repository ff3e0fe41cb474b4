// Program of `npm start` once the app is built: the embedded platform, with --demo also examples and what they talk to.
import { DEMO_HELP } from './demo/tour.ts';

const { argv } = process;
if (argv.includes('--help') || argv.includes('-h')) process.stdout.write(DEMO_HELP);
const index = argv.indexOf('--demo');
if (index < 0) {
  await import('../platform/src/main.ts');
} else {
  argv.splice(index, 1);
  const { runDemo } = await import('./demo/main.ts');
  await runDemo().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
}
