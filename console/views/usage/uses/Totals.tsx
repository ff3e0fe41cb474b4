import { variables } from '@splunk/themes';
import styled from 'styled-components';
import { useUrl } from '../../../app/url.ts';
import { costWords, formatCount } from '../../../parts/text/format.ts';
import { FIRST_PAGES } from './Controls.tsx';
import { MEASURES, type MeasureName, type Sums } from './measures.ts';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** The totals, and the choice of what the charts show. */
export function Totals({ total, show }: { total: Sums; show: MeasureName }) {
  const [, go] = useUrl();
  const { requests, failed, input_tokens, output_tokens, cost, unpriced } = total;
  const texts: Readonly<Record<MeasureName, readonly [value: string, about: string]>> = {
    requests: [formatCount(requests), `${formatCount(requests - failed)} without a failure`],
    failed: [formatCount(failed), requests === 0 ? '–' : `${percent.format(failed / requests)} of the requests`],
    tokens: [
      formatCount(input_tokens + output_tokens),
      `${formatCount(input_tokens)} in, ${formatCount(output_tokens)} out`,
    ],
    cost: [costWords(cost), unpriced === 0 ? 'US dollars' : `${formatCount(unpriced)} without a price`],
  };
  return (
    <Tiles role="radiogroup" aria-label="Shown in the charts">
      {(Object.keys(MEASURES) as MeasureName[]).map((name) => (
        <label key={name}>
          <span>
            <input
              type="radio"
              name="show"
              checked={name === show}
              onChange={() => go({ ...FIRST_PAGES, show: name }, 'replace')}
            />
            {MEASURES[name].label}
          </span>
          <strong>{texts[name][0]}</strong>
          <small>{texts[name][1]}</small>
        </label>
      ))}
    </Tiles>
  );
}

const Tiles = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(170px, 100%), 1fr));
  gap: 12px;

  label {
    display: flex;
    flex-direction: column;
    gap: 2px;
    padding: 12px;
    cursor: pointer;
    background: ${variables.backgroundColorSection};
    border: 1px solid ${variables.interactiveColorBorder};
    border-radius: 3px;
  }
  label:has(:checked) {
    outline: 2px solid ${variables.contentColorInfo};
    outline-offset: -2px;
  }
  label:has(:focus-visible) {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 2px;
  }
  input {
    margin: 0 6px 0 0;
    accent-color: ${variables.contentColorInfo};
  }
  strong {
    font-size: 22px;
    font-weight: 500;
    color: ${variables.contentColorActive};
  }
`;
