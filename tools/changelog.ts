const HEADING = '## Unreleased\n';

/** What stands under Unreleased, without its heading. @throws Error where there is no such heading */
function unreleased(changelog: string): { before: string; section: string; after: string } {
  const at = changelog.indexOf(HEADING);
  if (at < 0) throw new Error('CHANGELOG.md has no heading "## Unreleased"');
  const from = at + HEADING.length;
  const next = changelog.indexOf('\n## ', from - 1);
  const to = next < 0 ? changelog.length : next + 1;
  return { before: changelog.slice(0, at), section: changelog.slice(from, to), after: changelog.slice(to) };
}

/** Whether there is anything to release. */
export const hasNews = (changelog: string): boolean => /^- /m.test(unreleased(changelog).section);

/** More than repairs: something was added, changed or removed. */
export const hasMoreThanFixes = (changelog: string): boolean =>
  /^### (?!Fixed|Security)/m.test(unreleased(changelog).section);

/** The changelog with what was unreleased under a version and its day; Unreleased stays at the top for what comes next. */
export function withRelease(changelog: string, version: string, day: string): string {
  const { before, section, after } = unreleased(changelog);
  return `${before}${HEADING}\n## ${version} - ${day}\n${section}${after}`;
}
