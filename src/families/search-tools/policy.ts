import { confBoolean } from '../../contract/settings/flags.ts';
import { integerSetting } from '../../contract/settings/integerSetting.ts';
import { setting, splitList } from '../../contract/settings/settings.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import type { SearchPolicy } from '../../spl/guard.ts';

/** `[search_tools]` of the settings. */
export interface SearchRules extends SearchPolicy {
  /** Whether automatic lookups run. */
  enableLookups: boolean;
}

export async function readSearchRules(settings: Settings, log: Log): Promise<SearchRules> {
  const stanzas = await settings.recent();
  const commands = (name: 'allow_commands' | 'deny_commands') =>
    splitList(setting(stanzas, 'search_tools', name)).map((command) => command.toLowerCase());
  const isOn = (name: 'require_index' | 'enable_lookups') =>
    confBoolean(setting(stanzas, 'search_tools', name)) ?? true;
  return {
    allowCommands: commands('allow_commands'),
    denyCommands: commands('deny_commands'),
    maxSpanDays: integerSetting(stanzas, 'search_tools', 'max_span_days', log),
    requireIndex: isOn('require_index'),
    enableLookups: isOn('enable_lookups'),
  };
}
