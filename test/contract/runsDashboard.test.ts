import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readXml, type XmlElement } from '../../platform/src/web/pages/xmlReader.ts';

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const root = readXml(file('default/data/ui/views/ml_agent_runs_dashboard.xml'));

/** Texts of all elements of that name. */
const textsOf = (wanted: string, { name, text, children }: XmlElement = root): string[] =>
  name === wanted ? [text.trim()] : children.flatMap((child) => textsOf(wanted, child));

describe('the dashboard of agent runs, as it ships', () => {
  it('is a hidden form in no navigation', () => {
    expect([root.name, root.attributes]).to.deep.equal(['form', { version: '1.1', isVisible: 'false' }]);
    expect(file('default/data/ui/nav/default.xml')).to.not.include('ml_agent_runs_dashboard');
  });

  it('reads the indexes and the agent of its form, and lists the agents that the viewer may use', () => {
    const [agents, ...panels] = textsOf('query');
    expect(agents).to.match(/^\| mllist kind=agents\b/);
    expect(panels.length).to.be.above(0);
    for (const query of panels) {
      const indexes = [...query.matchAll(/\bindex=(\S+)/g)].map(([, index]) => index);
      expect(indexes, query).to.not.be.empty;
      for (const index of indexes) expect(index, query).to.be.oneOf(['$index|s$', '$answers|s$']);
    }
  });

  it('quotes all that its form and its rows give to searches and addresses', () => {
    const tokens = (text: string) => [...text.matchAll(/\$([^$]*)\$/g)].map(([, token]) => token);
    for (const query of textsOf('query')) for (const token of tokens(query)) expect(token).to.match(/^\w+\|s$/);
    const links = textsOf('link');
    expect(links).to.deep.equal(['/app/ml_extension/agents?tab=runs&name=$row.run_id|u$']);
  });

  it('has no command before which Splunk Web asks each viewer', () => {
    expect(textsOf('query').join()).to.not.match(
      /\|\s*(ml(chat|retrieve|predict|agent|tool|embed)|collect|sendalert)\b/,
    );
  });
});
