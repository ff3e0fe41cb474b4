import { quoted } from '../../../parts/text/format.ts';
import { definitionOf, hasTools, type Settings } from './settings.ts';

const BASE = '/servicesNS/nobody/ml_extension/ai_gateway';

/** A question as a program or a search asks it. */
export interface Snippets {
  curl: string;
  Python: string;
  Node: string;
  SPL: string;
}

/** The same question with other clients. With tools it is a run, else a chat in OpenAI's format. */
export function snippetsOf(question: string, settings: Settings, system: string): Snippets {
  return {
    ...(hasTools(settings) ? runSnippets(question, settings, system) : chatSnippets(question, settings, system)),
    SPL: searchOf(question, settings, system),
  };
}

/** JSON for a person to read; it is also a literal of Python and JavaScript, since it has neither booleans nor null. */
const literal = (value: unknown): string => JSON.stringify(value, null, 2);

const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curlOf = (path: string, body: object): string =>
  [
    `curl -sS "$SPLUNK${BASE}${path}"`,
    `  -H "Authorization: Bearer $SPLUNK_TOKEN" -H 'Content-Type: application/json'`,
    `  -d ${shellText(literal(body))}`,
  ].join(' \\\n');

function chatSnippets(question: string, { model, max_tokens, temperature }: Settings, system: string) {
  const messages = [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: question },
  ];
  const body = { model, messages, max_tokens, temperature };
  return {
    curl: curlOf('/v1/chat/completions', body),
    Python: `import os
from openai import OpenAI

client = OpenAI(base_url=os.environ["SPLUNK"] + "${BASE}/v1", api_key=os.environ["SPLUNK_TOKEN"])
answer = client.chat.completions.create(**${literal(body)})
print(answer.choices[0].message.content)
`,
    Node: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: process.env.SPLUNK + '${BASE}/v1', apiKey: process.env.SPLUNK_TOKEN });
const answer = await client.chat.completions.create(${literal(body)});
console.log(answer.choices[0].message.content);
`,
  };
}

function runSnippets(question: string, settings: Settings, system: string) {
  const body = { definition: definitionOf(settings, system), input: question, wait_s: 20 };
  return {
    curl: curlOf('/runs', body),
    Python: `import json, os, urllib.request

request = urllib.request.Request(
    os.environ["SPLUNK"] + "${BASE}/runs",
    data=json.dumps(${literal(body)}).encode(),
    headers={"Authorization": "Bearer " + os.environ["SPLUNK_TOKEN"], "Content-Type": "application/json"},
)
run = json.load(urllib.request.urlopen(request))
print(run["run_id"], run["state"], run.get("output"))
`,
    Node: `const response = await fetch(process.env.SPLUNK + '${BASE}/runs', {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.SPLUNK_TOKEN}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify(${literal(body)}),
});
const run = await response.json();
console.log(run.run_id, run.state, run.output);
`,
  };
}

/** Braces of an option name fields; doubled they stay text. */
const optionOf = (text: string): string => quoted(text.replace(/[{}]/g, '$&$&'));

/** A search has no tools: for these it needs a saved agent. */
function searchOf(question: string, { model, max_tokens, temperature }: Settings, system: string): string {
  const options = [
    `prompt=${optionOf(question)}`,
    `model=${quoted(model)}`,
    ...(system === '' ? [] : [`system=${optionOf(system)}`]),
    ...(max_tokens === undefined ? [] : [`max_tokens=${max_tokens}`]),
    ...(temperature === undefined ? [] : [`temperature=${temperature}`]),
  ];
  return `| makeresults | mlchat ${options.join(' ')}`;
}
