import { join } from 'node:path';
import { takeLock } from '../../../src/codegen/package/lock.ts';

const project = join(import.meta.dirname, '../../..');

/** Takes what processes of this checkout share (the Python environment, for example); gives the function that releases it. */
export const lock = (name: string): (() => void) => takeLock(join(project, 'node_modules/.cache', `${name}.lock`));
