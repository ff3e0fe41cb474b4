interface Room {
  purpose: string;
  /** Rooms that this one may import besides itself. */
  mayImport: readonly string[];
}

/**
 * The folders of `src`, and the table as a room of its own. The layer test enforces what they import; CONTRIBUTING and the
 * architecture page print this table (`npm run generate`).
 */
export const ROOMS: Readonly<Record<string, Room>> = {
  contract: { purpose: 'The API as data: schemas, capabilities, error codes, settings. No I/O', mayImport: [] },
  ports: {
    purpose: 'Interfaces to splunkd, stores, engines, clouds, models and MCP servers',
    mayImport: ['contract'],
  },
  domain: {
    purpose: 'Code that several families use: records with secrets, leases, access lists, lists, audit',
    mayImport: ['ports', 'contract'],
  },
  metering: {
    purpose: 'Counting and limiting of uses: slots, limits and their counters, prices, records of use and their sums',
    mayImport: ['domain', 'ports', 'contract'],
  },
  predictions: {
    purpose:
      'Predictions for rows: values, CSV, slices, and the protocols of SageMaker endpoints, containers and uploaded models',
    mayImport: ['masking', 'domain', 'ports', 'contract'],
  },
  spl: {
    purpose: 'Searches as text: the guard of searches that only read, and templates with typed arguments. No I/O',
    mayImport: [],
  },
  evidence: {
    purpose: 'What an answer claims, looked up in the data of its run. No I/O',
    mayImport: ['domain', 'ports', 'contract'],
  },
  masking: {
    purpose: 'Values that identify people and machines, and secrets: replaced in texts, and put back. No I/O',
    mayImport: ['domain', 'contract'],
  },
  adapters: {
    purpose: 'Implementations of the ports',
    mayImport: ['evidence', 'masking', 'domain', 'ports', 'contract'],
  },
  resources: {
    purpose: 'Create, read, update, delete, test and access of all records with secrets',
    mayImport: ['domain', 'ports', 'contract'],
  },
  families: {
    purpose: 'A folder for each family (MCP connections, containers, agents …): rows, schemas, records, handlers',
    mayImport: ['resources', 'metering', 'predictions', 'spl', 'masking', 'domain', 'ports', 'contract'],
  },
  gateway: {
    purpose:
      'Use of what is managed, below `/ai_gateway`: chats, embeddings, retrieval, predictions, tools, batches, MCP, runs of agents',
    mayImport: ['families', 'metering', 'predictions', 'spl', 'masking', 'domain', 'ports', 'contract'],
  },
  'table.ts': { purpose: 'Every endpoint and collection', mayImport: ['families', 'gateway', 'contract'] },
  rest: { purpose: 'Routing, checks, reply', mayImport: ['ports', 'contract'] },
  driver: { purpose: "splunkd's protocol on stdin and stdout", mayImport: ['rest', 'ports', 'contract'] },
  search: {
    purpose: 'The search commands, of which `gateway/` has those that use the gateway, and the alert action',
    mayImport: ['predictions', 'domain', 'ports', 'contract'],
  },
  app: {
    purpose: 'Passes adapters to families and to the gateway',
    mayImport: [
      ...[
        'rest',
        'families',
        'gateway',
        'adapters',
        'masking',
        'metering',
        'predictions',
        'domain',
        'ports',
        'contract',
      ],
      'table.ts',
    ],
  },
  main: {
    purpose: 'The programs',
    mayImport: ['app', 'driver', 'rest', 'search', 'families', 'ports', 'contract'],
  },
  codegen: {
    purpose: 'Generates conf files, OpenAPI document, client and console tables from the rows; makes packages',
    mayImport: ['table.ts', 'driver', 'search', 'contract', 'rooms.ts'],
  },
  'rooms.ts': { purpose: 'This table', mayImport: [] },
};

/**
 * Folders within a folder, in order: a file may import its own folder and those before it. `.` stands for the files beside the
 * folders; without it they may import every folder and be imported by each.
 */
export const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  contract: ['families', '.', 'settings', 'codes', 'schemas', 'rows'],
  ports: ['platform', 'stores', 'engines', 'cloud', 'knowledge', 'oauth', 'llm', 'onnx', 'mcp'],
  domain: ['values', 'async', 'net', 'access', 'lists', 'locks', 'audit', 'secrets', 'records'],
  predictions: ['rows', 'endpoints', 'containers', '.'],
  masking: ['text', 'policy', 'spans', 'placeholders', 'recognisers', '.'],
  evidence: ['data', 'values', 'reading', 'index', 'claims', '.'],
  families: [
    ...['feature-flags', 'service', 'audit', 'usage', 'containers', 'llm-providers', 'mcp-connections'],
    ...[
      'model-aliases',
      'vector-stores',
      'sagemaker-endpoints',
      'model-files',
      'experiments',
      'search-tools',
      'agents',
      'masking-policies',
    ],
    ...['usage-limits', 'connection-inventory', 'connection-health', 'configuration'],
  ],
  app: ['.', 'dependencies', 'request', 'gateway'],
  resources: ['record', '.', 'crud'],
  'adapters/splunkd': ['.', 'stores', 'own', 'searches'],
  'families/mcp-connections': ['tokens', 'calls', 'tools'],
  'families/vector-stores': ['documents', 'queries', 'builtIn', 'external', 'openSearch', 'pgVector', 'kinds'],
  'families/containers': ['engines', 'connections', 'runtime'],
  'families/agents': ['records', 'tracking'],
  'families/llm-providers': ['chat', 'tokens', 'providers', 'credentials', 'records', 'calls'],
  codegen: ['bundle', 'spl', 'package', 'openapi', 'client', 'conf'],
  metering: ['usage', 'limits', 'prices', '.'],
  gateway: [
    'masking',
    'models',
    'retrieval',
    'predict',
    'tools',
    'apis',
    'knowledge',
    'search',
    'operations',
    'mcp',
    'batch',
    'runs',
  ],
};
