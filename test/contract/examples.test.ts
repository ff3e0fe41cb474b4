import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { type Operation, type Response, resolve } from '../../src/codegen/openapi/document.ts';
import { type Example, exampleOf, REPLIES_FILE } from '../../src/codegen/openapi/examples.ts';
import { openApi } from '../../src/codegen/openapi/openapi.ts';
import { CAPABILITIES } from '../../src/contract/capabilities.ts';
import { table } from '../../src/table.ts';
import { type Answer, MemoryApp } from '../support/memory/app.ts';

/** What one names has been made by one before it. */
const ORDER = [
  ['createMcpConnection', 'getMcpConnection', 'listMcpConnections', 'testMcpConnection', 'listMcpTools'],
  ['serveMcp', 'serveMcpConnection', 'callTool'],
  ['updateMcpConnection', 'acceptMcpTools', 'listAudit', 'getAuditEntry'],
  ['getLlmCatalogue', 'saveLlmConfiguration', 'getLlmConfiguration', 'listLlmConfigurations', 'actOnLlmProvider'],
  ['createModelAlias', 'getModelAlias', 'listModelAliases', 'updateModelAlias', 'deleteModelAlias'],
  ['createResponse', 'createMessage', 'countMessageTokens', 'probeGateway', 'probeGatewayApi'],
  ['createChatCompletion', 'createEmbedding', 'listGatewayModels', 'getGatewayModel', 'runBatch', 'getUsage'],
  ['createUsageLimit', 'getUsageLimit', 'listUsageLimits', 'getOwnUsageLimits', 'updateUsageLimit', 'deleteUsageLimit'],
  ['createMaskingPolicy', 'getMaskingPolicy', 'listMaskingPolicies', 'previewMaskingPolicy'],
  ['updateMaskingPolicy', 'deleteMaskingPolicy'],
  ['createSearchTool', 'getSearchTool', 'listSearchTools', 'testSearchTool', 'callSearchTool'],
  ['updateSearchTool', 'deleteSearchTool'],
  ['createVectorStore', 'getVectorStore', 'listVectorStores', 'testVectorStore', 'retrievePassages'],
  ['indexDocuments', 'listDocuments', 'deleteDocuments', 'updateVectorStore'],
  ['startRun', 'stepRun', 'listRuns', 'approveRun', 'getRun', 'cancelRun'],
  ['createAgent', 'retryAgent', 'followAgent', 'getAgent', 'listAgents', 'updateAgent', 'deleteAgent'],
  ['saveContainerConnection', 'testContainerConnection', 'getContainerConnection', 'listContainerConnections'],
  ['listTestedConnections', 'listConnections', 'getImageCatalog', 'getStartForm', 'startContainer'],
  ['listConnectionHealth', 'checkConnectionHealth'],
  ['getContainerData', 'readContainerLogs', 'getContainerLogs', 'stopContainer', 'deleteContainer'],
  ['uploadModel', 'listModels', 'createExperiment', 'getExperiment', 'listExperiments', 'updateExperiment'],
  ['addExperimentHistory', 'listExperimentHistory', 'cloneExperimentModels', 'deleteExperiment', 'deleteModel'],
  ['registerModel', 'getRegistration', 'predict', 'beginPrediction', 'endPrediction'],
  ['updateRegistration', 'deleteRegistration'],
  ['setCtsmFeature', 'getCtsmFeature', 'acknowledgeCtsm', 'getFeatureFlags', 'getAgentFeatureFlag'],
  ['exportConfiguration', 'importConfiguration'],
  ['deleteMcpConnection', 'deleteVectorStore', 'deleteLlmConfiguration', 'deleteContainerConnection'],
  ['getHealth', 'getOpenApi'],
].flat();

const document = openApi(table);
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

/** The schema of a reply, and its example. */
function replyOf({ responses }: Operation): { schema: object; example?: unknown } {
  const { content } = resolve(document.components.responses, responses['200'] as Response);
  if (!content) throw new Error('a reply has no content');
  return content['application/json'];
}

/** Why a value does not fit a schema of the document; empty if it fits. */
function misfit(where: string, schema: object, value: unknown): string[] {
  const validate = ajv.compile({ ...schema, components: document.components });
  return validate(value) ? [] : [`${where}: ${ajv.errorsText(validate.errors)}`];
}

describe('examples of the document', () => {
  it('are all accepted, and the first reply of each schema stands there', async () => {
    const site = new Site();
    const replies = new Map<string, unknown>();
    for (const id of ORDER) {
      const { status, json } = await site.send(id);
      expect(status, `${id} ${JSON.stringify(json).slice(0, 400)}`).to.equal(200);
      expect(json.warnings ?? [], id).to.deep.equal([]);
      replies.set(id, site.steady(id === 'getLlmCatalogue' ? shortened(json) : json));
    }
    const misfits = operations.flatMap((operation) =>
      misfit(operation.operationId, replyOf(operation).schema, replies.get(operation.operationId)),
    );
    expect(misfits).to.deep.equal([]);
    const bySchema = new Map<string, string>();
    for (const operation of [...operations].reverse())
      bySchema.set(JSON.stringify(replyOf(operation).schema), operation.operationId);
    const shown = new Set(bySchema.values());
    // A line each: docs/openapi.json shows them with indents.
    const lines = [...replies]
      .filter(([id]) => shown.has(id))
      .map(([id, reply]) => `"${id}": ${JSON.stringify(reply)}`);
    const text = `{\n${lines.join(',\n')}\n}\n`;
    if (process.env.UPDATE_EXAMPLES) writeFileSync(REPLIES_FILE, text);
    expect(
      text === readFileSync(REPLIES_FILE, 'utf8'),
      'run UPDATE_EXAMPLES=1 npx mocha test/contract/examples',
    ).to.equal(true);
  });

  it('are what the document itself allows, one of each reply', () => {
    const misfits: string[] = [];
    const unseen = new Set(operations.map((operation) => JSON.stringify(replyOf(operation).schema)));
    for (const operation of operations) {
      const { operationId, parameters = [], requestBody } = operation;
      for (const parameter of parameters) {
        const { name, schema, example } = resolve(document.components.parameters, parameter);
        if (example !== undefined) misfits.push(...misfit(`${operationId} ${name}`, schema, example));
      }
      const body = requestBody?.content['application/json'];
      if (body) misfits.push(...misfit(operationId, body.schema, body.example));
      const { schema, example } = replyOf(operation);
      const isFirst = unseen.delete(JSON.stringify(schema));
      expect(example !== undefined, operationId).to.equal(isFirst);
      if (isFirst) misfits.push(...misfit(operationId, schema, example));
    }
    expect(misfits).to.deep.equal([]);
  });

  it('are there for every operation', () => {
    expect([...ORDER].sort()).to.deep.equal(table.map(({ id }) => id).sort());
    for (const { id, params, query, body } of table) {
      if (params || query || body) expect(exampleOf(id), id).to.not.equal(undefined);
    }
  });
});

/** One field of each service: the others look the same. */
function shortened({ config, ...envelope }: Answer['json']): object {
  const first = (fields: object) => Object.fromEntries(Object.entries(fields).slice(0, 1));
  const services = Object.entries<{ fields: object }>(config.services).map(([name, service]) => [
    name,
    { ...service, fields: first(service.fields), model_fields: {} },
  ]);
  return { ...envelope, config: { ...config, services: Object.fromEntries(services) } };
}

/** A greeting, or a call of the tool that closes incidents if there is one. */
function answerTo(body = '{}'): object {
  const { tools = [], messages = [] } = JSON.parse(body) as {
    tools?: { function: { name: string } }[];
    messages?: { role: string }[];
  };
  const tool = tools.find(({ function: { name } }) => name.includes('close_incident'));
  if (!tool || messages.at(-1)?.role === 'tool') return { content: 'Hello!' };
  const call = { id: 'call_1', type: 'function', function: { name: tool.function.name, arguments: '{"id":17}' } };
  return { content: null, tool_calls: [call] };
}

const inputsOf = (body = '{}'): unknown[] => (JSON.parse(body) as { input: unknown[] }).input;

/** A platform of which everything that the examples name is a part. */
class Site {
  readonly #app = new MemoryApp();
  #experiment = '';
  #entry = '';
  #use = '';
  #run = '';
  /** Ids of replies, in the order in which they appear: how many others the app makes depends on the time. */
  readonly #ids: string[] = [];

  constructor() {
    const app = this.#app;
    app.user('anna', { roles: ['ml_admin'], capabilities: Object.keys(CAPABILITIES) });
    app.roles.define(['ml_admin', 'user'], {});
    app.peers.tools = [
      { name: 'search_incidents', description: 'Incidents that hold these words' },
      { name: 'close_incident', description: 'Closes an incident' },
    ];
    app.cloud.newborn = 'CREATE_FAILED';
    app.llm.answer = ({ url, body }) => ({
      json: url.endsWith('/embeddings')
        ? { data: inputsOf(body).map((_, index) => ({ index, embedding: [0.25, -0.5] })), usage: { prompt_tokens: 8 } }
        : {
            choices: [{ message: { role: 'assistant', ...answerTo(body) } }],
            usage: { prompt_tokens: 12, completion_tokens: 2 },
          },
    });
    app.containers.images.stanzas = {
      'golden-cpu': { title: 'Golden image (CPU)', image: 'ml-toolkit:5.2.0', repo: 'registry.example.com/' },
    };
  }

  async send(id: string): Promise<Answer> {
    const row = table.find((each) => each.id === id);
    if (!row) throw new Error(`no row is called ${id}`);
    const example = { ...exampleOf(id) } as Example;
    if (row.wrapped) example.body = { payload: example.body };
    if (id === 'deleteContainer') await this.send('startContainer');
    if (id === 'endPrediction') example.body = { ...example.body, use_id: this.#use };
    if (id === 'indexDocuments') await this.#makeManuals();
    if (id === 'cancelRun') await this.send('startRun');
    // What was approved is done by two more steps.
    if (id === 'getRun') for (const step of ['stepRun', 'stepRun']) await this.send(step);
    // What failed once can be tried again; the second try goes well.
    if (id === 'retryAgent') {
      await this.send('followAgent');
      this.#app.cloud.newborn = 'READY';
    }
    const query = new URLSearchParams(
      Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const reply = await this.#app.call('anna', row.method, `${this.#pathOf(row.path, example)}?${query}`, example.body);
    if (id === 'listAudit') this.#entry = reply.json.result[0].audit_id;
    if (id === 'beginPrediction') this.#use = reply.json.use_id;
    if (id === 'startRun') this.#run = reply.json.run_id;
    if (id === 'createExperiment') this.#experiment = reply.json.experiment_id;
    if (id !== 'followAgent' || reply.json.done === 1) return reply;
    this.#app.site.clock.advance(10_000);
    return this.send(id);
  }

  /** A store that documents can be written to. */
  async #makeManuals(): Promise<void> {
    const details = { embedding_model: 'Team account/gpt-4.1-mini' };
    const store = { name: 'Manuals', type: 'BUILT_IN', details };
    const { status, json } = await this.#app.call('anna', 'POST', '/vector_stores', store);
    expect(status, JSON.stringify(json)).to.equal(200);
  }

  #pathOf(path: string, { params }: Example): string {
    return path
      .replace('/ml', '')
      .replaceAll(/\{(\w+)(?:\.\.\.)?\}/g, (_, name: string) =>
        name === 'audit_id'
          ? this.#entry
          : name === 'experiment_id'
            ? this.#experiment
            : name === 'run_id'
              ? this.#run
              : encodeURIComponent(String(params?.[name])),
      );
  }

  /** The same at every run: ids and measured times are as good as any. */
  steady(json: unknown): unknown {
    const text = JSON.stringify(withTimes(json), (key, value) =>
      key === 'created'
        ? 1_700_000_000
        : /^((response_time|duration)(_ms)?|ms|upstream_ms|overhead_ms)$/.test(key)
          ? 12
          : value,
    );
    const id = String(exampleOf('getExperiment')?.params?.experiment_id);
    return JSON.parse(
      text
        .replaceAll(/(?<![0-9a-z])[0-9a-f]{32}\b/g, id)
        .replaceAll(/-[0-9a-f]{8}"/g, '-0f8fad5b"')
        .replaceAll(/(0{8}-0000-4000-8000-)(\d{12})/g, (_, head, number) => `${head}${this.#orderOf(number)}`),
    );
  }

  #orderOf(number: string): string {
    if (!this.#ids.includes(number)) this.#ids.push(number);
    return String(this.#ids.indexOf(number) + 1).padStart(12, '0');
  }
}

/** Responses have the time of the machine, as OpenAI's. */
const withTimes = (json: unknown): unknown =>
  (json as Record<string, unknown>).object === 'response'
    ? { ...(json as Record<string, unknown>), created_at: 1_700_000_000, completed_at: 1_700_000_001 }
    : json;
