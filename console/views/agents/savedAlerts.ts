import { ALERT_ACTION } from '../../../src/contract/families/alerts.ts';
import type { PlatformEntry } from '../../api/platform.ts';

/** A saved search whose alert action starts an agent. */
export interface SavedAlert {
  name: string;
  app: string;
  /** In the path of the saved search: `nobody` if it is shared. */
  owner: string;
  /** Undefined if it is not scheduled. */
  cron: string | undefined;
  isDisabled: boolean;
}

const AGENT = `action.${ALERT_ACTION}.param.agent`;

const FIELDS = ['actions', AGENT, 'cron_schedule', 'disabled', 'is_scheduled'];

/** Arguments of the platform's list of saved searches. The filter also finds actions whose names contain this one. */
export const ALERT_TERMS = new URLSearchParams([
  ['search', `actions=*${ALERT_ACTION}*`],
  ...FIELDS.map((name) => ['f', name]),
]).toString();

type Settings = Readonly<Partial<Record<string, unknown>>>;

/** The platform writes a boolean as such, or as `1`. */
const isOn = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true';

const actionsOf = ({ actions }: Settings): string[] =>
  String(actions ?? '')
    .split(',')
    .map((action) => action.trim());

/** The alerts that start this agent, by name. */
export function alertsOf(agent: string, searches: readonly PlatformEntry[]): SavedAlert[] {
  return searches
    .map(({ name, acl, content }) => ({ name, acl, settings: (content ?? {}) as Settings }))
    .filter(({ settings }) => actionsOf(settings).includes(ALERT_ACTION) && settings[AGENT] === agent)
    .map(({ name, acl: { app, owner, sharing }, settings }) => ({
      name,
      app,
      owner: sharing === 'user' ? owner : 'nobody',
      cron: isOn(settings.is_scheduled) ? String(settings.cron_schedule ?? '') : undefined,
      isDisabled: isOn(settings.disabled),
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
