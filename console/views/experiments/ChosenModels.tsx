import Checkbox from '@splunk/react-ui/Checkbox';
import Text from '@splunk/react-ui/Text';
import type { FieldProps } from '../../parts/form/spec.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';

interface Copy {
  source: string;
  destination: string;
}

/** A model that can be copied, with the proposed name of the copy. */
export interface CopyProposal extends Copy {
  isDraft: boolean;
}

/** Drafts of the experiment come first. */
export function proposed(id: string, names: readonly string[]): CopyProposal[] {
  const draft = `_exp_draft_${id}`;
  const files = [...new Set(names)].sort().map((source) => {
    const isDraft = source.startsWith(draft);
    return { source, isDraft, destination: isDraft ? `_exp_${id}${source.slice(draft.length)}` : `${source}_copy` };
  });
  return [...files.filter(({ isDraft }) => isDraft), ...files.filter(({ isDraft }) => !isDraft)];
}

export function ChosenModels({ known, value, onChange }: FieldProps & { known: readonly CopyProposal[] }) {
  const chosen = Array.isArray(value) ? (value as readonly Copy[]) : [];
  const copyOf = (source: string) => chosen.find((copy) => copy.source === source);
  const toggle = ({ source, destination }: CopyProposal) =>
    onChange(copyOf(source) ? chosen.filter((copy) => copy.source !== source) : [...chosen, { source, destination }]);
  const rename = (source: string, destination: string) =>
    onChange(chosen.map((copy) => (copy.source === source ? { source, destination } : copy)));
  return (
    <DataTable
      label="Models of the experiment"
      heads={[{ label: 'Clone' }, { label: 'Model' }, { label: 'Name of the copy' }]}
      rows={known.map((file) => {
        const { source, destination } = file;
        const copy = copyOf(source);
        return {
          key: source,
          cells: [
            <Checkbox
              key="chosen"
              checked={copy !== undefined}
              aria-label={`Clone ${source}`}
              onChange={() => toggle(file)}
            />,
            source,
            <div key="name" style={{ minWidth: 200 }}>
              <Text
                value={copy?.destination ?? destination}
                disabled={copy === undefined}
                aria-label={`Name of the copy of ${source}`}
                onChange={(_event, change) => rename(source, change.value)}
              />
            </div>,
          ],
        };
      })}
    />
  );
}
