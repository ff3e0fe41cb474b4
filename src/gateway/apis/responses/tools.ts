import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault, type Problem } from '../../../contract/codes/faults.ts';
import type { ChatTool } from '../../../families/llm-providers/public.ts';
import { schemaSizeProblems } from '../../models/chatParts.ts';
import { flatToolName } from '../../tools/toolNames.ts';

const MAX_NAME = 128;
const MAX_TOOLS = 512;

/** Tools that OpenAI runs itself, or whose form only its models know. Each has suffixes, such as `_preview` and dates. */
const HOSTED =
  /^(?:web_search|file_search|mcp|code_interpreter|image_generation|computer|tool_search|local_shell|shell|apply_patch|programmatic_tool_calling)(?:_|$)/;

export const isNothing = (value: unknown): value is null | undefined => value === undefined || value === null;

export const isHosted = (type: unknown): type is string => typeof type === 'string' && HOSTED.test(type);

/** How a client calls a tool. */
export interface OwnName {
  namespace?: string | undefined;
  name: string;
  kind: 'function' | 'custom';
}

export interface NamedTool extends OwnName {
  /** With the name that the model knows. */
  tool: ChatTool;
}

interface HostedTool {
  type: string;
  field: string;
}

/** A list of tools and where it stands in the request. */
export interface ToolList {
  tools: readonly unknown[];
  field: string;
}

type ReadTool = OwnName & { tool: Omit<ChatTool, 'name'>; description: string };

/** The tools of a request, by the names of the client and by those that the model knows. */
export class ToolSet {
  readonly callable: readonly NamedTool[];
  readonly hosted: readonly HostedTool[];
  private readonly flatNames: ReadonlyMap<string, string>;
  private readonly byFlatName: ReadonlyMap<string, NamedTool>;

  constructor(tools: readonly ReadTool[], hosted: readonly HostedTool[]) {
    const flatNames = new Map(tools.flatMap(({ namespace, name }) => (namespace === undefined ? [[name, name]] : [])));
    const isTaken = (name: string) => flatNames.has(name);
    const described = new Set<string>();
    this.callable = tools.map(({ description, ...read }) => {
      const { namespace, name, tool } = read;
      if (namespace === undefined) return { ...read, tool: { ...tool, name } };
      const flatName = flatToolName(namespace, name, isTaken);
      flatNames.set(flatName, name);
      // The model reads what a namespace is for once, before its first tool.
      const texts = [described.has(namespace) ? '' : description, tool.description ?? ''].filter((text) => text !== '');
      described.add(namespace);
      return { ...read, tool: { ...tool, name: flatName, description: texts.join('\n\n') || undefined } };
    });
    this.hosted = hosted;
    this.flatNames = new Map(this.callable.map((each) => [keyOf(each), each.tool.name]));
    this.byFlatName = new Map(this.callable.map((each) => [each.tool.name, each]));
  }

  /** The name under which the model knows a call of the history, whose tool may be gone. */
  flatNameOf(called: Pick<OwnName, 'namespace' | 'name'>): string {
    const { namespace, name } = called;
    return (
      this.flatNames.get(keyOf(called)) ?? (namespace === undefined ? name : flatToolName(namespace, name, () => false))
    );
  }

  /** Models also call tools that there are none of. */
  ownNameOf(flatName: string): OwnName {
    return this.byFlatName.get(flatName) ?? { name: flatName, kind: 'function' };
  }
}

const keyOf = ({ namespace, name }: Pick<OwnName, 'namespace' | 'name'>): string =>
  JSON.stringify([namespace ?? null, name]);

/** @throws Fault `not_supported` for hosted tools without a tool that the client runs */
export function readTools(lists: readonly ToolList[], problems: Problem[], warnings: string[]): ToolSet {
  const reader = new ToolReader(problems, warnings);
  for (const { tools, field } of lists) {
    for (const [index, tool] of tools.entries()) reader.read(tool, `${field}.${index}`);
  }
  const { hosted } = reader;
  // A list that is sent again in the middle of the conversation replaces its tools.
  const callable = [...new Map(reader.callable.map((tool) => [keyOf(tool), tool])).values()];
  if (callable.length > MAX_TOOLS) {
    problems.push({
      field: 'tools',
      message: `must not have more than ${MAX_TOOLS} tools, those of namespaces included`,
    });
  }
  const [first] = hosted;
  if (first && callable.length === 0 && problems.length === 0) throw notHosted(first.type, first.field);
  for (const { type, field } of hosted) {
    warnings.push(`${field} was left out: the gateway runs no tools, and ${type} is one of the provider`);
  }
  return new ToolSet(callable, hosted);
}

export const notHosted = (type: string, param: string): Fault =>
  new Fault('not_supported', `The gateway runs no tools of providers: leave out ${type}`, { param });

class ToolReader {
  readonly callable: ReadTool[] = [];
  readonly hosted: HostedTool[] = [];
  private readonly problems: Problem[];
  private readonly warnings: string[];

  constructor(problems: Problem[], warnings: string[]) {
    this.problems = problems;
    this.warnings = warnings;
  }

  read(tool: unknown, field: string): void {
    if (!isObject(tool)) this.add(field, 'must be an object with a type');
    else if (tool.type === 'namespace') this.namespace(tool, field);
    else if (isHosted(tool.type)) this.hosted.push({ type: tool.type, field });
    else this.tool(tool, field, undefined);
  }

  private add(field: string, message: string): void {
    this.problems.push({ field, message });
  }

  private namespace(namespace: Json, field: string): void {
    const name = this.name(namespace, field);
    const description = this.description(namespace, field);
    const { tools } = namespace;
    if (!Array.isArray(tools)) this.add(`${field}.tools`, 'must be a list of tools');
    else if (name !== undefined) {
      for (const [index, tool] of tools.entries()) {
        const place = `${field}.tools.${index}`;
        if (isObject(tool)) this.tool(tool, place, { name, description });
        else this.add(place, 'must be an object with a type');
      }
    }
  }

  private tool(tool: Json, field: string, within: { name: string; description: string } | undefined): void {
    const { type } = tool;
    if (type === 'function' || type === 'custom') {
      const name = this.name(tool, field);
      if (name === undefined) return;
      const read = type === 'function' ? this.function(tool, field) : this.custom(tool, field);
      const { name: namespace, description = '' } = within ?? {};
      this.callable.push({ namespace, name, kind: type, description, tool: read });
    } else this.add(`${field}.type`, within ? 'must be function or custom' : 'must be function, custom or namespace');
  }

  private name({ name }: Json, field: string): string | undefined {
    if (typeof name === 'string' && name !== '' && name.length <= MAX_NAME) return name;
    this.add(`${field}.name`, `must be a text of 1 to ${MAX_NAME} characters`);
    return undefined;
  }

  private description({ description = null }: Json, field: string): string {
    if (typeof description === 'string') return description;
    if (description !== null) this.add(`${field}.description`, 'must be a text');
    return '';
  }

  private function(tool: Json, field: string): Omit<ChatTool, 'name'> {
    const { parameters = null, strict = null, async: isAsync } = tool;
    if (isAsync === true) {
      const message = 'The gateway has no calls whose outputs come later: set async to false';
      throw new Fault('not_supported', message, { param: `${field}.async` });
    }
    if (parameters !== null && !isObject(parameters)) this.add(`${field}.parameters`, 'must be a JSON schema');
    else this.problems.push(...schemaSizeProblems(parameters, `${field}.parameters`));
    if (strict !== null && typeof strict !== 'boolean') this.add(`${field}.strict`, 'must be true or false');
    return {
      description: this.description(tool, field) || undefined,
      parameters: isObject(parameters) ? parameters : { type: 'object', properties: {} },
      strict: typeof strict === 'boolean' ? strict : undefined,
    };
  }

  /** A function of one text, since no other API has tools that take a bare text. */
  private custom(tool: Json, field: string): Omit<ChatTool, 'name'> {
    const texts = [this.description(tool, field), this.grammar(tool.format ?? undefined, field)];
    return {
      description: texts.filter((text) => text !== '').join('\n\n') || undefined,
      parameters: {
        type: 'object',
        properties: { input: { type: 'string' } },
        required: ['input'],
        additionalProperties: false,
      },
    };
  }

  private grammar(format: unknown, field: string): string {
    const {
      type = 'text',
      syntax,
      definition,
    } = isObject(format) || format === undefined ? (format ?? {}) : { type: '' };
    if (type === 'text') return '';
    if (type === 'grammar' && typeof syntax === 'string' && typeof definition === 'string') {
      this.warnings.push(`The grammar of ${field} was put into its description, and does not bind the model`);
      return `The input must match this grammar (${syntax}):\n${definition}`;
    }
    this.add(`${field}.format`, 'must be {type: text} or {type: grammar, syntax, definition}');
    return '';
  }
}
