const HEADING = '## Unreleased\n';

/** Splits the changelog at the Unreleased section. @throws Error without that heading */
function unreleased(changelog: string): { before: string; section: string; after: string } {
  const start = changelog.indexOf(HEADING);
  if (start < 0) throw new Error('CHANGELOG.md has no heading "## Unreleased"');
  const from = start + HEADING.length;
  const next = changelog.indexOf('\n## ', from - 1);
  const to = next < 0 ? changelog.length : next + 1;
  return { before: changelog.slice(0, start), section: changelog.slice(from, to), after: changelog.slice(to) };
}

export const hasNews = (changelog: string): boolean => /^- /m.test(unreleased(changelog).section);

/** Whether anything but fixes is unreleased. */
export const hasMoreThanFixes = (changelog: string): boolean =>
  /^### (?!Fixed|Security)/m.test(unreleased(changelog).section);

/** Moves the unreleased entries under a version and its date. */
export function withRelease(changelog: string, version: string, day: string): string {
  const { before, section, after } = unreleased(changelog);
  return `${before}${HEADING}\n## ${version} - ${day}\n${section}${after}`;
}
