import type { ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import { append } from '../../contract/basics.ts';
import { type OutboundCode, OutboundError } from '../../contract/codes/outbound.ts';
import { stringifyWellFormed } from '../../contract/exactJson.ts';
import { codeOfWords } from '../../domain/net/modelRefusals.ts';
import type { CloudModels } from '../../ports/cloud/cloudModels.ts';
import { causeOf, isNotFound } from './errors.ts';
import { type AwsOptions, AwsSession } from './session.ts';

const MAX_PAGES = 20;

export function awsModels(options: AwsOptions): CloudModels {
  return {
    async list(access, deadline) {
      using session = new AwsSession(options, access, deadline);
      const [models, profiles] = await Promise.all([
        listModels(session),
        listProfiles(session).catch((error: unknown) => {
          // Listing profiles is a separate permission; without it the list has models only.
          if (error instanceof OutboundError && error.code === 'permission_denied') return [];
          throw error;
        }),
      ]);
      return [...new Set([...models, ...profiles])].sort();
    },
    async converse(access, model, input, deadline) {
      using session = new AwsSession(options, access, deadline);
      const { $metadata, ...output } = await session
        .send('bedrock_runtime', async (client, sending) => {
          const { ConverseCommand } = await import('@aws-sdk/client-bedrock-runtime');
          const command = new ConverseCommand({
            ...(wellFormed(input) as Partial<ConverseCommandInput>),
            modelId: model,
          });
          return client.send(command, sending);
        })
        .catch((error: unknown) => {
          throw toModelError(error);
        });
      return { httpStatus: $metadata.httpStatusCode ?? 200, output: withDecimals(output) };
    },
    async invoke(access, model, input, deadline) {
      using session = new AwsSession(options, access, deadline);
      let inputTokens: number | undefined;
      const { $metadata, body } = await session
        .send('bedrock_runtime', async (client, sending) => {
          const { InvokeModelCommand } = await import('@aws-sdk/client-bedrock-runtime');
          const json = 'application/json';
          const text = stringifyWellFormed(input);
          const command = new InvokeModelCommand({ modelId: model, body: text, contentType: json, accept: json });
          command.middlewareStack.add(
            (next) => async (args) => {
              const answer = await next(args);
              inputTokens = tokensOf(answer.response);
              return answer;
            },
            { step: 'deserialize', priority: 'low' },
          );
          return client.send(command, sending);
        })
        .catch((error: unknown) => {
          throw toModelError(error);
        });
      const httpStatus = $metadata.httpStatusCode ?? 200;
      return { httpStatus, output: parseBody(body, httpStatus), inputTokens };
    },
  };
}

/** With U+FFFD for halves of surrogate pairs, which the service refuses. */
function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)])) as T;
}

/** The SDK reads fractions with more digits than a number has as objects of its own, and large integers as bigints. */
function withDecimals<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(withDecimals) as T;
  if (isDecimal(value)) return Number(value.string) as T;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDecimals(inner)])) as T;
}

/** Not a plain object of a tool's arguments. */
const isDecimal = (value: object): value is { string: string } =>
  'string' in value &&
  'type' in value &&
  value.type === 'bigDecimal' &&
  Object.getPrototypeOf(value) !== Object.prototype;

function tokensOf(response: unknown): number | undefined {
  const { headers } = response as { headers?: Record<string, string> };
  const tokens = Number(headers?.['x-amzn-bedrock-input-token-count']);
  return tokens > 0 ? tokens : undefined;
}

function parseBody(body: { transformToString(): string } | undefined, httpStatus: number): Record<string, unknown> {
  try {
    // A byte order mark counts as white space.
    const reply: unknown = JSON.parse(body?.transformToString().trim() ?? '');
    if (typeof reply === 'object' && reply !== null) return reply as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new OutboundError('upstream_error', 'Amazon Bedrock answered with something that is not JSON', { httpStatus });
}

async function listModels(session: AwsSession): Promise<string[]> {
  const { modelSummaries } = await session.send('bedrock', async (client, sending) => {
    const { ListFoundationModelsCommand } = await import('@aws-sdk/client-bedrock');
    return client.send(new ListFoundationModelsCommand({ byOutputModality: 'TEXT' }), sending);
  });
  return (modelSummaries ?? []).flatMap(({ modelId }) => modelId ?? []);
}

/** Many models can only be called through a profile. */
async function listProfiles(session: AwsSession): Promise<string[]> {
  const profiles: string[] = [];
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const nextToken = token;
    const answer = await session.send('bedrock', async (client, sending) => {
      const { ListInferenceProfilesCommand } = await import('@aws-sdk/client-bedrock');
      return client.send(new ListInferenceProfilesCommand({ maxResults: 1000, nextToken }), sending);
    });
    append(
      profiles,
      (answer.inferenceProfileSummaries ?? []).flatMap((profile) => profile.inferenceProfileId ?? []),
    );
    if (answer.nextToken === undefined || answer.nextToken === token) break;
    token = answer.nextToken;
  }
  return profiles;
}

/** Bedrock reports a wrong model id in three ways, two of them only in the message text. */
function toModelError(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  const { code, httpStatus, retryAfter } = error;
  const errorWith = (code: OutboundCode, message = error.message) =>
    new OutboundError(code, message, { httpStatus, retryAfter, cause: error });
  if (isNotFound(error)) return errorWith('model_not_found');
  if (code !== 'bad_request') return error;
  const said = codeOfWords({ asked: 'chat', status: httpStatus ?? 400, message: causeOf(error)?.message ?? '' });
  if (said !== 'model_not_invokable') return said === undefined ? error : errorWith(said);
  const hint = 'use the id of an inference profile (us., eu., apac. or global. before the model id)';
  return errorWith(said, `${error.message} — ${hint}`);
}
