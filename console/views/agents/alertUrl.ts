import { site } from '../../app/url.ts';

/** The page of the platform with an alert. @param owner `nobody` if it is shared */
export function alertUrl(owner: string, app: string, name: string): string {
  // Splunk Web takes the path of the record, which encodes a slash in a name twice, as a part of the query.
  const parts = ['servicesNS', owner, app, 'saved', 'searches', name].map(encodeURIComponent);
  const path = `/${parts.map((part) => part.replaceAll('%2F', '%252F')).join('/')}`;
  return `${site()}/app/${encodeURIComponent(app)}/alert?s=${encodeURIComponent(path)}`;
}
