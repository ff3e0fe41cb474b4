import Link from '@splunk/react-ui/Link';
import type { ResourceFamily } from '../../../client/src/index.ts';
import { FAMILIES, recordUrl } from '../../parts/families.ts';
import { FactList } from '../../parts/panel/FactList.tsx';
import type { Count } from './counts.ts';

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The counts of each kind, as links. */
export function Counts({ counts }: { counts: readonly (readonly [ResourceFamily, Count])[] }) {
  return (
    <FactList
      title="Counts"
      rows={counts.map(([family, count]) => {
        const words = FAMILIES[family].labels[1];
        return [
          capital(words),
          typeof count === 'number' ? (
            <Link
              key={family}
              to={recordUrl(family)}
              aria-label={`${count} ${count === 1 ? FAMILIES[family].labels[0] : words}`}
            >
              {count}
            </Link>
          ) : (
            count.why
          ),
        ];
      })}
    />
  );
}
