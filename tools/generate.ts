// Writes the generated files and does nothing else; npm run generate builds the app as well.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generators } from '../src/codegen/generators.ts';

for (const [path, make] of Object.entries(generators)) writeFileSync(join(import.meta.dirname, '..', path), make());
