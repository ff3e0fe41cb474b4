import { problemsOfAll } from './patternReport.ts';

/** `npm run check:patterns`: every regular expression of src/ and platform/src/, in the code and in the schemas of requests. */
const { problems, patterns, fields } = problemsOfAll();
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${patterns} patterns and ${fields} text fields looked at, ${problems.length} to mend\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
