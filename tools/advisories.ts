/** Known vulnerabilities, or why they are unknown. */
export type Audit = { isAnswered: true; found: Vulnerability[] } | { isAnswered: false; why: string };

export interface Vulnerability {
  name: string;
  severity: string;
  /** Affected versions. */
  range: string;
  /** Title and URL of each advisory, or the dependencies that bring it in. */
  about: string[];
  /** The fix that npm proposes. */
  fix: string;
}

export interface Outdated {
  name: string;
  current: string;
  latest: string;
}

interface RawVulnerability {
  name?: string;
  severity?: string;
  range?: string;
  via?: (string | { title?: string; url?: string })[];
  fixAvailable?: boolean | { name?: string; version?: string; isSemVerMajor?: boolean };
}

interface RawOutdated {
  /** Absent if not installed. */
  current?: string;
  wanted?: string;
  latest?: string;
}

const SEVERITIES = ['critical', 'high', 'moderate', 'low', 'info'];

/** @param text what `npm audit --json` printed */
export function readAudit(text: string): Audit {
  const answer = parsed(text);
  if (answer === undefined) return { isAnswered: false, why: 'npm audit printed no JSON' };
  const { vulnerabilities, auditReportVersion, message, error } = answer as {
    vulnerabilities?: Record<string, RawVulnerability>;
    auditReportVersion?: number;
    message?: string;
    error?: { summary?: string; code?: string };
  };
  // A report without its list must not count as free of vulnerabilities.
  if (auditReportVersion !== 2 || typeof vulnerabilities !== 'object' || vulnerabilities === null)
    return { isAnswered: false, why: message || error?.summary || error?.code || 'unknown report format' };
  const found = Object.entries(vulnerabilities).map(([name, one]) => vulnerability(name, one));
  const rank = ({ severity }: Vulnerability) => SEVERITIES.indexOf(severity);
  return { isAnswered: true, found: found.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name)) };
}

function vulnerability(name: string, { severity = 'unknown', range = '*', via = [], fixAvailable }: RawVulnerability) {
  const about = via.map((one) => {
    if (typeof one === 'string') return `through ${one}`;
    return [one.title, one.url].filter(Boolean).join(': ');
  });
  return { name, severity, range, about, fix: fixOf(fixAvailable) };
}

function fixOf(fix: RawVulnerability['fixAvailable']): string {
  if (fix === undefined || fix === false) return 'no fixed version yet';
  if (fix === true) return 'npm audit fix';
  return `${fix.name} ${fix.version}${fix.isSemVerMajor ? ', a new major version' : ''}`;
}

/**
 * @param text what `npm outdated --json` printed
 * @returns undefined if it is not a report
 */
export function readOutdated(text: string): Outdated[] | undefined {
  const answer = text.trim() === '' ? {} : parsed(text);
  if (answer === undefined || 'error' in answer || 'message' in answer) return undefined;
  const entries = Object.entries(answer as Record<string, RawOutdated | RawOutdated[]>);
  return entries.flatMap(([name, places]) => {
    const { current, wanted, latest = '?' } = [places].flat()[0] ?? {};
    // Packages for other platforms are not installed.
    const pinned = current ?? wanted ?? 'unknown';
    return pinned === latest ? [] : [{ name, current: pinned, latest }];
  });
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
