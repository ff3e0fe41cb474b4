import { readFileSync, writeFileSync } from 'node:fs';
import { differences, snapshot } from './snapshot.ts';

/**
 * Compares the interface of records with that of another commit: `compare.ts --write <file>` there, `compare.ts <file>` here. For
 * changes to how records are defined, which must change neither document, messages nor stored documents.
 */
const [option, file] = process.argv.slice(2);
if (option === '--write' && file) {
  writeFileSync(file, JSON.stringify(await snapshot()));
} else if (option) {
  const found = [
    ...differences(JSON.parse(readFileSync(option, 'utf8')), JSON.parse(JSON.stringify(await snapshot()))),
  ];
  process.stdout.write(`${[...found, `${found.length} differences`].join('\n')}\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
} else {
  process.stdout.write('Usage: compare.ts --write <file> | compare.ts <file>\n');
  process.exitCode = 2;
}
process.exit();
