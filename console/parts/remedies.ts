import { rolesUrl, viewUrl } from '../app/url.ts';
import { FAMILIES } from './families.ts';

/** The record that a failed call was about. */
export interface RecordPlace {
  family: keyof typeof FAMILIES;
  name: string;
}

interface RemedyLink {
  label: string;
  to: string;
}

/** Failures that a change of the connection resolves: its address, secret, certificate or settings. */
const IN_ITS_FORM: ReadonlySet<string> = new Set([
  ...['auth_failed', 'configuration_invalid', 'masked_value_without_stored_secret', 'secret_required_for_new_host'],
  ...['dns_failed', 'connection_refused', 'blocked_by_policy', 'endpoint_not_found', 'kb_not_found', 'model_not_found'],
  ...['tls_expired', 'tls_hostname_mismatch', 'tls_protocol', 'tls_untrusted'],
]);

/** Whether the form of the record that was tested resolves the failure. */
export const isResolvedInForm = (code: string | undefined): boolean => code !== undefined && IN_ITS_FORM.has(code);

/** The page where a failure can be resolved; undefined if the console has none. @param code documented error code */
export function remedyLink(code: string | undefined, record?: RecordPlace): RemedyLink | undefined {
  if (code === 'feature_disabled') return { label: 'Open the features', to: viewUrl('settings') };
  if (code === 'limit_exceeded') return { label: 'Open the usage limits', to: viewUrl('usage', { tab: 'limits' }) };
  if (code === 'unreadable_record') return { label: 'Open the health of the app', to: viewUrl('overview') };
  if (code === 'missing_capability') return { label: 'Open the roles of the platform', to: rolesUrl() };
  if (code === undefined || record === undefined) return undefined;
  const { family, name } = record;
  const { view, tab, hasPanel } = FAMILIES[family];
  if (!hasPanel) return undefined;
  if (code === 'tool_changed') return { label: `Review the tools of ${name}`, to: viewUrl(view, { tab, name }) };
  if (code === 'acl_denied') return { label: `See who may use ${name}`, to: viewUrl(view, { tab, name }) };
  return isResolvedInForm(code) ? { label: `Edit ${name}`, to: viewUrl(view, { tab, name, edit: '1' }) } : undefined;
}
