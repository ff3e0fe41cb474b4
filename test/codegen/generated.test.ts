import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { Type } from 'typebox';
import { tsType } from '../../src/codegen/client/clientTypes.ts';
import { endpointsMd, errorsMd } from '../../src/codegen/docs.ts';
import { generators } from '../../src/codegen/generators.ts';
import { type Document, type Parameter, resolve } from '../../src/codegen/openapi/document.ts';
import { openApi } from '../../src/codegen/openapi/openapi.ts';
import { codesOf, statusOf } from '../../src/codegen/openapi/statuses.ts';
import { required } from '../../src/contract/capabilities.ts';
import { allCodes, CODES, type FaultCode } from '../../src/contract/codes/codes.ts';
import { version } from '../../src/contract/version.ts';
import { table } from '../../src/table.ts';
import { row } from '../rest/rows.ts';

type Schema = Record<string, unknown>;
/** A reference, and what is less than in the schema that it names. */
type Narrower = { $ref: string; enum?: unknown[]; properties?: object; required?: string[] };

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** A schema, or what it refers to. */
function resolved(document: Document, schema: Schema): Schema {
  const { $ref, ...beside } = schema;
  const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : '';
  return name === '' ? schema : { ...document.components.schemas[name], ...beside };
}

const inDocument = (path: string) => path.replace('...}', '}');

describe('generated files', () => {
  for (const [path, make] of Object.entries(generators)) {
    it(`${path} matches its generator`, () => {
      expect(read(path) === make(), 'run npm run generate').to.equal(true);
    });
  }

  it('the client knows the type of every field that has one', () => {
    expect(read('client/src/operations.ts').match(/: unknown;/g) ?? []).to.deep.equal([]);
    for (const file of ['operations', 'schemas'])
      expect(read(`client/src/${file}.ts`).match(/^[^/*]*[:<|] *(unknown|any)\b/gm) ?? [], file).to.deep.equal([]);
    expect(tsType({ type: ['string', 'null'] })).to.equal('string | null');
    expect([tsType({}), tsType({ type: 'object' })]).to.deep.equal(['JsonValue', 'Record<string, JsonValue>']);
  });

  it('the client knows which queries are required', () => {
    const operationType = (id: string) =>
      new RegExp(`^  ${id}: \\{\n([^]*?)^  \\};`, 'm').exec(read('client/src/operations.ts'))?.[1] ?? '';
    expect(operationType('getRegistration')).to.match(/^ {4}query: \{$/m);
    expect(operationType('updateMcpConnection')).to.match(/^ {4}query\?: \{$/m);
  });
});

describe('OpenAPI document', () => {
  const document = JSON.parse(read('docs/openapi.json')) as Document;
  const { responses: shared, parameters: sharedParameters } = document.components;
  const operation = (path: string, method: string) => document.paths[inDocument(path)]?.[method.toLowerCase()];
  const parametersOf = (path: string, method: string): Parameter[] =>
    (operation(path, method)?.parameters ?? []).map((one) => resolve(sharedParameters, one));

  it('is valid 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>);
    expect(result.errors ?? []).to.deep.equal([]);
    expect([result.valid, validator.version]).to.deep.equal([true, '3.1']);
  });

  it('is checked by a validator that finds faults', async () => {
    const broken = structuredClone(document) as unknown as Record<string, unknown>;
    delete broken.info;
    expect((await new Validator().validate(broken)).valid).to.equal(false);
  });

  it('has only valid schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const replies = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, responses }) =>
        Object.entries(responses).map(([status, response]) => ({
          name: `${operationId} ${status}`,
          schema: resolve(shared, response).content?.['application/json'].schema ?? {},
        })),
      ),
    );
    const named = Object.entries(document.components.schemas).map(([name, schema]) => ({ name, schema }));
    for (const { name, schema } of [...named, ...replies]) {
      expect(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`).to.equal(true);
    }
  });

  it('carries the version of the package and paths from the mount', () => {
    expect(document.info.version).to.equal(JSON.parse(read('package.json')).version);
    expect(document.info.version).to.equal(version);
    for (const path of Object.keys(document.paths)) expect(path).to.match(/^\/(ml|ai_gateway)(\/|$)/);
  });

  it('uses patterns that ECMA-262, RE2 and Python interpret alike', () => {
    const patterns = new Set<string>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { pattern, patternProperties } = value as { pattern?: unknown; patternProperties?: object };
      if (typeof pattern === 'string') patterns.add(pattern);
      for (const key of Object.keys(patternProperties ?? {})) patterns.add(key);
      // Examples may have a member `pattern` of their own.
      for (const [name, item] of Object.entries(value)) if (!/^examples?$/.test(name)) visit(item);
    };
    visit(document);
    expect(patterns.size).to.be.greaterThan(10);
    for (const pattern of patterns) {
      expect(pattern).to.not.match(/\\[pPukdDwWsSbB]|\(\?|\\[1-9]/);
      expect(pattern).to.match(/^\^.*\$$/);
      new RegExp(pattern);
    }
  });

  it('has each row and no other, with id, summary, security, 200 and every status it can answer', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(operations.map((each) => each.operationId)).to.have.members(table.map((each) => each.id));
    for (const each of table) {
      const found = operation(each.path, each.method);
      expect(found?.operationId, each.path).to.equal(each.id);
      expect(found?.summary, each.id).to.be.a('string').and.not.equal('');
      expect(found?.security, each.id).to.have.length.above(0);
      const own = each.rawBody ? ['202', '400', '404'] : each.overloadStatus ? ['529'] : [];
      const statuses = new Set(['200', '401', ...own, ...codesOf(each).map((code) => String(statusOf(each, code)))]);
      expect(Object.keys(found?.responses ?? {}), each.id).to.have.members([...statuses]);
      for (const [status, one] of Object.entries(found?.responses ?? {})) {
        const { content, description, 'x-error-codes': named } = resolve(shared, one);
        if (!content) continue;
        const { schema } = content['application/json'];
        if (Number(status) >= 400 && status !== '401') {
          const isOverload = status === '529';
          const codes = codesOf(each).filter((code) =>
            isOverload ? code === 'rate_limited' : statusOf(each, code) === Number(status),
          );
          expect(named, `${each.id} ${status}`).to.have.members(codes);
          for (const code of codes) expect(description).to.include(`\`${code}\``);
          const failure = { $ref: '#/components/schemas/Failure' };
          if (each.rawBody && own.includes(status)) {
            const answer = { $ref: '#/components/schemas/McpAnswer' };
            expect(schema).to.deep.equal({ anyOf: [answer, ...(codes.length > 0 ? [failure] : [])] });
          } else expect(schema).to.deep.equal(failure);
        }
        if (status === '200' && !each.bare) {
          expect(resolved(document, schema).required, each.id).to.include('status');
        }
      }
      const inPath = [...each.path.matchAll(/\{(\w+)/g)].map((match) => match[1]);
      const parameters = parametersOf(each.path, each.method).filter((parameter) => parameter.in === 'path');
      expect(
        parameters.map((parameter) => parameter.name),
        each.id,
      ).to.deep.equal(inPath);
      expect(found?.requestBody !== undefined, each.id).to.equal(each.body !== undefined);
    }
  });

  it('has one schema of failures, with all codes', () => {
    const { Failure, ErrorCode } = document.components.schemas;
    expect(Failure?.properties?.error_code).to.deep.equal({ $ref: '#/components/schemas/ErrorCode' });
    expect(ErrorCode?.enum).to.deep.equal(allCodes().map(({ code }) => code));
    expect(Failure?.required).to.deep.equal(['status', 'error_code', 'message', 'remedy', 'request_id', 'messages']);
    expect(Failure?.properties).to.include.keys('errors', 'required', 'current_version', 'used_by', 'retry_after');
  });

  it('writes no failure and no parameter twice', () => {
    const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const used = new Set(
      all
        .flatMap(({ parameters = [], responses }) => [...parameters, ...Object.values(responses)])
        .flatMap((one) => ('$ref' in one ? [one.$ref] : [])),
    );
    const named = Object.entries({ responses: shared, parameters: sharedParameters }).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...used]).to.have.members(named);
    const written = [
      ...Object.values(shared),
      ...Object.values(sharedParameters),
      // A reply is a reference to its schema, and the first of a schema has an example.
      ...all.flatMap(({ parameters = [], responses: { 200: _, ...failures } }) => [
        ...parameters,
        ...Object.values(failures),
      ]),
    ].filter((one) => !('$ref' in one));
    expect(new Set(written.map((one) => JSON.stringify(one))).size).to.equal(written.length);
    for (const name of [...Object.keys(shared), ...Object.keys(sharedParameters)])
      expect(name).to.match(/^[A-Z][A-Za-z0-9]{1,59}$/);
  });

  it('names every object and enumeration once, with identifiers for generators', () => {
    const { schemas } = document.components;
    const known = new Map<string, string>();
    const narrower: Narrower[] = [];
    for (const [name, schema] of Object.entries(schemas)) {
      expect(name).to.match(/^[A-Z][A-Za-z0-9]{1,39}$/);
      const text = JSON.stringify(schema);
      expect(known.get(text), `${name} is the same as`).to.equal(undefined);
      known.set(text, name);
    }
    const inline: string[] = [];
    const visit = (value: unknown, where: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { $ref, properties, enum: values } = value as { $ref?: string; properties?: object; enum?: unknown[] };
      // What narrows something named stands beside its name.
      if ($ref !== undefined) narrower.push(value as Narrower);
      else if (properties || values) inline.push(where);
      for (const [key, inner] of Object.entries(value)) if (key !== 'example') visit(inner, `${where}/${key}`);
    };
    visit(document.paths, 'paths');
    visit(shared, 'responses');
    visit(sharedParameters, 'parameters');
    for (const [name, { properties = {}, enum: _, ...rest }] of Object.entries(schemas)) {
      for (const [key, inner] of Object.entries(properties as object)) visit(inner, `${name}/${key}`);
      visit(rest, name);
    }
    expect(inline).to.deep.equal([]);
    const beside = narrower.filter(({ enum: values, properties, required }) => values ?? properties ?? required);
    expect(beside).to.have.length.above(20);
    for (const { $ref, enum: values = [], properties = {}, required = [] } of beside) {
      const named = schemas[$ref.replace('#/components/schemas/', '')] ?? {};
      expect((named.enum as unknown[] | undefined) ?? [], $ref).to.include.members(values);
      expect(Object.keys(named.properties ?? {}), $ref).to.include.members([...Object.keys(properties), ...required]);
    }
  });

  it('documents 503 everywhere and 403 for each gate or flag', () => {
    for (const each of table) {
      const statuses = Object.keys(operation(each.path, each.method)?.responses ?? {});
      expect(statuses, each.id).to.include.members(['200', '401', '500', '503']);
      if (each.gate !== 'session' || each.flag) expect(statuses, each.id).to.include('403');
      if (each.body) expect(statuses, each.id).to.include.members(['400', '413']);
    }
  });

  it('puts the body of the container families under payload', () => {
    const Body = Type.Object({ model: Type.String() });
    const made = openApi([row({ body: Body, wrapped: true })]);
    const schema = made.paths['/ml/thing']?.post?.requestBody?.content['application/json'].schema;
    expect(schema).to.deep.equal({ $ref: '#/components/schemas/ThingInputPayload' });
    expect(made.components.schemas.ThingInput?.required).to.deep.equal(['model']);
    for (const each of table.filter((other) => other.wrapped)) {
      const body = operation(each.path, each.method)?.requestBody?.content['application/json'].schema;
      expect(resolved(document, body ?? {}).required, each.id).to.deep.equal(['payload']);
    }
  });

  it('documents a condition at every DELETE, or says why there is none', () => {
    for (const each of table.filter(({ method }) => method === 'DELETE')) {
      const description = operation(each.path, each.method)?.description;
      const isVersioned = parametersOf(each.path, each.method).some(
        ({ name, in: location }) => name === 'version' && location === 'query',
      );
      expect(isVersioned, each.id).to.not.equal(description?.includes('Takes no version: '));
    }
  });

  it('documents If-Match where it is honoured', () => {
    for (const each of table) {
      const headers = parametersOf(each.path, each.method).filter((one) => one.in === 'header');
      expect(
        headers.map((one) => one.name),
        each.id,
      ).to.deep.equal(each.conditional ? ['If-Match'] : []);
    }
  });

  it('contains no internal annotation but x-secret', () => {
    const text = JSON.stringify(document);
    expect(text).not.to.include('x-trim');
    expect(text).not.to.include('x-message');
    expect(text).not.to.include('x-form');
    expect(text).not.to.include('x-narrows');
    expect(text).to.include('x-secret');
  });
});

describe('documents', () => {
  const codes = (text: string) => new Set([...text.matchAll(/`([a-z0-9_]+)`/g)].map((match) => match[1] as string));

  it('endpoints.md has a line for each row and no other, with its capability', () => {
    const lines = [...endpointsMd(table).matchAll(/^\| (\w+) \| `(\S+)` \| `(\w+)` \| (.*) \|$/gm)];
    expect(lines.map((match) => match.slice(1, 4).join(' '))).to.have.members(
      table.map((each) => `${each.method} ${inDocument(each.path)} ${each.id}`),
    );
    for (const [, , , id, capability = ''] of lines) {
      const gate = table.find((each) => each.id === id)?.gate;
      expect([...codes(capability)], id).to.deep.equal(gate === undefined ? [] : required(gate));
    }
  });

  it('errors.md has each code once, with its status, and no other', () => {
    const rows = [...errorsMd().matchAll(/^\| (\d{3}) \| `([a-z0-9_]+)` \| (.+) \|$/gm)];
    expect(rows.map((match) => match[2])).to.have.members(allCodes().map((fault) => fault.code));
    expect(new Set(rows.map((match) => match[2])).size).to.equal(rows.length);
    for (const [, status, code] of rows) expect(Number(status), code).to.equal(CODES[code as FaultCode].status);
  });

  it('every code that a row can answer is in errors.md', () => {
    const documented = codes(read('docs/errors.md'));
    for (const each of table) for (const code of codesOf(each)) expect(documented.has(code), code).to.equal(true);
  });
});
