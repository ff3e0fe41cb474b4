// Writes the generated files without building the app, unlike npm run generate.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generators } from '../src/codegen/generators.ts';

for (const [path, make] of Object.entries(generators)) writeFileSync(join(import.meta.dirname, '..', path), make());
