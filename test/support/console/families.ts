import type { Locator, Page } from 'playwright-core';
import type { Hands } from './hands.ts';

/** What a form is filled in with. */
export interface Filling {
  hands: Hands;
  page: Page;
  form: Locator;
  /** The name of the new record. */
  name: string;
  /** A server that is served with `secret` alone. */
  url: string;
  secret: string;
}

/** A kind of record, as somebody at the console meets it. */
export interface Family {
  one: string;
  many: string;
  /** The view, with its tab. */
  view: string;
  /** Path of the list of the API. */
  api: string;
  /** Names that the kind takes. */
  nameOf(word: string): string;
  /** What the panel of a record is called. */
  titleOf(name: string): string;
  /** Path of one record, without the API's prefix. @param address what the page calls it */
  pathOf(address: string): string;
  /** The button that saves without asking anybody else. */
  save: string;
  create(filling: Filling): Promise<void>;
  /** Gives a clone its own name, and its secret. */
  clone(filling: Filling): Promise<void>;
  /** One field: its label, what is typed, where it is stored. */
  edit: { label: string; value: string; path: string; shown?: string };
  hasSecret: boolean;
  /** A test shows the secret to its server. */
  showsSecret: boolean;
}

const field = (form: Locator, label: string) => form.getByLabel(label, { exact: true });
const select = (form: Locator, path: string) => form.locator(`[data-place="${path}"] button`).first();

const DESCRIPTION = { label: 'Description', value: 'changed by hand', path: 'description' };
const asIs = (name: string) => name;

const MCP: Family = {
  one: 'MCP connection',
  many: 'MCP connections',
  view: 'connections',
  api: '/mcp_connection',
  nameOf: (word) => `Desk (${word})`,
  titleOf: asIs,
  pathOf: (address) => `/mcp_connection/${encodeURIComponent(address)}`,
  save: 'Save',
  async create({ hands, form, name, url, secret }) {
    await hands.type(field(form, 'Name'), name);
    await hands.type(field(form, 'Address'), `${url}/mcp`);
    await hands.type(field(form, 'Token'), secret);
  },
  async clone({ hands, form, name }) {
    await hands.type(field(form, 'Name'), name);
  },
  edit: DESCRIPTION,
  hasSecret: true,
  showsSecret: true,
};

const LLM: Family = {
  one: 'LLM configuration',
  many: 'LLM configurations',
  view: 'connections?tab=llm',
  api: '/aicommander',
  nameOf: (word) => `desk ${word}`,
  titleOf: (name) => `gpt-4o-mini (${name})`,
  pathOf: (address) => `/aicommander/${address.split('/').map(encodeURIComponent).join('/')}`,
  save: 'Save',
  async create({ hands, form, name, url, secret }) {
    await hands.choose(select(form, 'service'), 'General Chat (OpenAI)');
    await hands.type(field(form, 'Connection'), name);
    await hands.type(field(form, 'Endpoint'), `${url}/v1`);
    await hands.type(field(form, 'Access token'), secret);
    await hands.type(field(form, 'Model'), 'gpt-4o-mini');
  },
  async clone({ hands, form, name }) {
    await hands.type(field(form, 'Connection'), name);
    await field(form, 'Endpoint').waitFor();
  },
  edit: { label: 'Request timeout', value: '77', path: 'servicesettings.request_timeout.value' },
  hasSecret: true,
  showsSecret: true,
};

/** What an alias stands for. */
export const POOL = { service: 'Local_Runtime', connection_name: 'pool', model: 'llama3.2' };

const ALIASES: Family = {
  one: 'alias',
  many: 'aliases',
  view: 'connections?tab=aliases',
  api: '/model_aliases',
  nameOf: (word) => `fast (${word})`,
  titleOf: asIs,
  pathOf: (address) => `/model_aliases/${encodeURIComponent(address)}`,
  save: 'Save',
  async create({ hands, form, name }) {
    await hands.type(field(form, 'Name'), name);
    await hands.press(form.getByRole('button', { name: 'Add target' }));
    await hands.choose(form.getByLabel('Saved model'), /^llama3\.2/);
  },
  async clone({ hands, form, name }) {
    await hands.type(field(form, 'Name'), name);
  },
  edit: DESCRIPTION,
  hasSecret: false,
  showsSecret: false,
};

const containers = (
  engine: 'Docker' | 'Kubernetes',
): Pick<Family, 'one' | 'many' | 'view' | 'api' | 'titleOf' | 'save' | 'pathOf'> => ({
  one: 'container connection',
  many: 'container connections',
  view: 'connections?tab=containers',
  api: `/container_connection/${engine.toLowerCase()}`,
  titleOf: asIs,
  pathOf: (address) => `/container_connection/${address.split('/').map(encodeURIComponent).join('/')}`,
  save: 'Save without test',
});

const DOCKER: Family = {
  ...containers('Docker'),
  nameOf: (word) => `engine ${word}`,
  async create({ hands, form, name, secret }) {
    await hands.type(field(form, 'Name'), name);
    await hands.type(field(form, 'Docker URL'), 'tcp://127.0.0.1:1');
    await hands.type(field(form, 'API token'), secret);
  },
  async clone({ hands, form, name }) {
    await hands.type(field(form, 'Name'), name);
  },
  edit: { label: 'External host', value: 'ml.example.com', path: 'endpoint_hostname_external' },
  hasSecret: true,
  showsSecret: false,
};

const KUBERNETES: Family = {
  ...containers('Kubernetes'),
  nameOf: (word) => `cluster ${word}`,
  async create({ hands, form, name, url, secret }) {
    await hands.choose(select(form, 'payload.container_type'), 'Kubernetes');
    await hands.type(field(form, 'Name'), name);
    await hands.choose(select(form, 'payload.auth_mode'), 'Bearer token');
    await hands.type(field(form, 'Cluster URL'), url);
    await hands.type(form.locator('[data-place="payload.user_token"] input'), secret);
  },
  async clone({ hands, form, name, secret }) {
    await hands.type(field(form, 'Name'), name);
    await hands.type(form.locator('[data-place="payload.user_token"] input'), secret);
  },
  edit: { label: 'Storage class', value: 'fast', path: 'storage_class' },
  hasSecret: true,
  showsSecret: true,
};

const VECTORS: Family = {
  one: 'vector store',
  many: 'vector stores',
  view: 'connections?tab=vectors',
  api: '/vector_stores',
  nameOf: (word) => `Runbooks (${word})`,
  titleOf: asIs,
  pathOf: (address) => `/vector_stores/${encodeURIComponent(address)}`,
  save: 'Save',
  async create({ hands, form, name, secret }) {
    await hands.choose(select(form, 'type'), 'Amazon Bedrock knowledge base');
    await hands.type(field(form, 'Name'), name);
    await hands.type(field(form, 'Region'), 'eu-central-1');
    await hands.type(field(form, 'Knowledge base id'), 'ABCDE12345');
    await hands.type(field(form, 'Access key id'), 'AKIAEXAMPLE');
    await hands.type(field(form, 'Secret access key'), secret);
  },
  async clone({ hands, form, name, secret }) {
    await hands.type(field(form, 'Name'), name);
    await hands.type(field(form, 'Secret access key'), secret);
  },
  edit: DESCRIPTION,
  hasSecret: true,
  showsSecret: true,
};

const SEARCHES: Family = {
  one: 'search tool',
  many: 'search tools',
  view: 'connections?tab=searches',
  api: '/search_tools',
  nameOf: (word) => `search_${word}`,
  titleOf: asIs,
  pathOf: (address) => `/search_tools/${address}`,
  save: 'Save',
  async create({ hands, form, name }) {
    await hands.type(field(form, 'Name'), name);
    await hands.type(field(form, 'SPL'), '| makeresults');
  },
  async clone({ hands, form, name }) {
    await hands.type(field(form, 'Name'), name);
  },
  edit: DESCRIPTION,
  hasSecret: false,
  showsSecret: false,
};

const AGENTS: Family = {
  one: 'agent',
  many: 'agents',
  view: 'agents',
  api: '/agents',
  nameOf: (word) => `agent_${word}`,
  titleOf: asIs,
  pathOf: (address) => `/agents/${address}`,
  save: 'Save',
  async create({ hands, form, name }) {
    await hands.type(field(form, 'Name'), name);
    await hands.type(field(form, 'System prompt'), 'You are careful.');
  },
  async clone({ hands, form, name }) {
    await hands.type(field(form, 'Name'), name);
  },
  edit: DESCRIPTION,
  hasSecret: false,
  showsSecret: false,
};

const EXPERIMENTS: Family = {
  one: 'experiment',
  many: 'experiments',
  view: 'experiments',
  api: '/experiments',
  nameOf: (word) => `Disks (${word})`,
  titleOf: asIs,
  pathOf: (address) => `/experiments/${address}`,
  save: 'Save',
  async create({ hands, form, name }) {
    await hands.type(field(form, 'Title'), name);
    await hands.choose(select(form, 'type'), 'Smart forecast');
  },
  async clone({ hands, form, name }) {
    await hands.type(field(form, 'Title'), name);
  },
  edit: DESCRIPTION,
  hasSecret: false,
  showsSecret: false,
};

const LIMITS: Family = {
  one: 'limit',
  many: 'limits',
  view: 'usage?tab=limits',
  api: '/usage_limits',
  nameOf: (word) => `daily (${word})`,
  titleOf: asIs,
  pathOf: (address) => `/usage_limits/${encodeURIComponent(address)}`,
  save: 'Save',
  async create({ hands, form, name }) {
    await hands.type(field(form, 'Name'), name);
    await hands.type(field(form, 'Requests'), '100');
  },
  async clone({ hands, form, name }) {
    await hands.type(field(form, 'Name'), name);
  },
  edit: DESCRIPTION,
  hasSecret: false,
  showsSecret: false,
};

const MASKING: Family = {
  ...LIMITS,
  ...{ one: 'masking policy', many: 'masking policies', view: 'connections?tab=masking', api: '/masking_policies' },
  nameOf: (word) => `outside (${word})`,
  pathOf: (address) => `/masking_policies/${encodeURIComponent(address)}`,
  create: ({ hands, form, name }) => hands.type(field(form, 'Name'), name),
};

/** Every kind that can be made, changed and deleted in the console. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  'MCP connections': MCP,
  'LLM configurations': LLM,
  aliases: ALIASES,
  'Docker connections': DOCKER,
  'Kubernetes connections': KUBERNETES,
  'vector stores': VECTORS,
  'search tools': SEARCHES,
  agents: AGENTS,
  experiments: EXPERIMENTS,
  'usage limits': LIMITS,
  'masking policies': MASKING,
};
