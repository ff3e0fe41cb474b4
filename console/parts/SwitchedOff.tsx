import Link from '@splunk/react-ui/Link';
import Message from '@splunk/react-ui/Message';
import type { OperationId } from '../../client/src/index.ts';
import { useSwitchedOff, useWho } from '../api/rights.ts';
import { StatusArea } from '../app/styles.ts';
import { viewUrl } from '../app/url.ts';
import { FEATURES, type Flag } from './features.ts';

const WHO = 'admin_all_objects';

/** Names the disabled features of a view. @param operations of the view */
export function SwitchedOff({ operations }: { operations: readonly (OperationId | undefined)[] }) {
  const flags = useSwitchedOff(operations.filter((id) => id !== undefined));
  const { data: who } = useWho();
  const maySwitch = who?.capabilities.includes(WHO) ?? false;
  return (
    <StatusArea>
      {flags.map((flag) => (
        <Message key={flag} type="warning" appearance="fill">
          <strong>
            {FEATURES[flag as Flag]?.[0] ?? 'This feature'}: switched off (the feature flag {flag})
          </strong>
          <div>
            Existing records can be read but not changed.{' '}
            {maySwitch ? 'You can switch it on in the ' : `Users with the capability ${WHO} can switch it on in the `}
            <Link to={viewUrl('settings')}>settings</Link>.
          </div>
        </Message>
      ))}
    </StatusArea>
  );
}
