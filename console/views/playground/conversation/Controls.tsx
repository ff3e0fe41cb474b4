import ControlGroup from '@splunk/react-ui/ControlGroup';
import Select from '@splunk/react-ui/Select';
import type { Approval } from '../../../../src/contract/families/agents.ts';
import { Stack } from '../../../app/styles.ts';
import { NumberBox, TextBox } from '../../../parts/boxes.tsx';
import { ReadState } from '../../../parts/work.tsx';
import { useModels } from '../servers.ts';
import type { Settings } from './settings.ts';
import { Tools } from './Tools.tsx';
import { setSystem, useConversation } from './turns.ts';

interface ControlsProps {
  settings: Settings;
  hasRuns: boolean;
  onChange(change: Partial<Settings>): void;
}

const APPROVAL_WORDS: Readonly<Record<Approval, string>> = {
  never: 'None',
  destructive: 'Those that may destroy something',
  writes: 'All but those that only read',
  always: 'All',
};

/** The model, what it is told first, and how it answers. */
export function Controls({ settings, hasRuns, onChange }: ControlsProps) {
  const { model, max_tokens, temperature, tools, stores, searches, approve } = settings;
  const { system } = useConversation();
  return (
    <Stack as="section" aria-label="Settings of the conversation">
      <ModelChoice model={model} onChange={(chosen) => onChange({ model: chosen })} />
      <TextBox
        label="Instructions"
        help="The system prompt; not part of the address"
        value={system}
        rows={[2, 10]}
        onChange={setSystem}
      />
      <NumberBox
        label="Max output tokens"
        help="Leave empty for the limit of the model"
        value={max_tokens}
        min={1}
        onChange={(next) => onChange({ max_tokens: next })}
      />
      <NumberBox
        label="Temperature"
        help="0 (most predictable) to 1; leave empty for the value of the model"
        value={temperature}
        min={0}
        max={1}
        step={0.1}
        onChange={(next) => onChange({ temperature: next })}
      />
      {hasRuns && <Tools tools={tools} stores={stores} searches={searches} onChange={onChange} />}
      {hasRuns && tools.length + searches.length > 0 && (
        <ControlGroup label="Calls to approve" labelPosition="top">
          <Select value={approve} onChange={(_event, change) => onChange({ approve: change.value as Approval })}>
            {Object.entries(APPROVAL_WORDS).map(([value, label]) => (
              <Select.Option key={value} label={label} value={value} />
            ))}
          </Select>
        </ControlGroup>
      )}
    </Stack>
  );
}

function ModelChoice({ model, onChange }: { model: string; onChange(model: string): void }) {
  const read = useModels();
  const listed = (read.data ?? []).map(({ id, owned_by }) => ({ id, words: `${id} (${owned_by})` }));
  const isListed = model === '' || listed.some(({ id }) => id === model);
  const options = isListed ? listed : [{ id: model, words: `${model} (not listed)` }, ...listed];
  if (!read.data && !read.error) return <ReadState read={read} what="the models" />;
  return (
    <>
      {read.error !== null && <ReadState read={read} what="the models" />}
      <ControlGroup
        label="Model"
        labelPosition="top"
        help={read.data?.length === 0 ? 'No models yet. Ask an administrator to add one.' : undefined}
      >
        <Select
          filter
          value={model}
          placeholder="Choose a model"
          onChange={(_event, change) => onChange(String(change.value))}
        >
          {options.map(({ id, words }) => (
            <Select.Option key={id} label={words} value={id} />
          ))}
        </Select>
      </ControlGroup>
    </>
  );
}
