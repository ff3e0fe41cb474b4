import { type OutboundCode, OutboundError } from '../../contract/codes/outbound.ts';
import { redact } from '../../domain/net/redact.ts';
import type { EndpointVisit, Invocation, InvocationRequest } from '../../ports/cloud/cloudEndpoints.ts';
import { AWS_PEERS } from './clients.ts';
import { causeOf, isMissingEndpoint } from './errors.ts';
import type { AwsSession } from './session.ts';

const PEER = AWS_PEERS.sagemaker_runtime;

/** Calls of SageMaker endpoints with one session. */
export function endpointVisit(session: AwsSession): EndpointVisit {
  return {
    async invoke(name, request) {
      try {
        return await invoke(session, name, request);
      } catch (error) {
        return explain(error, name, session.secrets);
      }
    },
    close: () => session.close(),
  };
}

async function invoke(session: AwsSession, name: string, request: InvocationRequest): Promise<Invocation> {
  const { ContentType = '', Body } = await session.send('sagemaker_runtime', async (client, sending) => {
    const { InvokeEndpointCommand } = await import('@aws-sdk/client-sagemaker-runtime');
    const { body, contentType, accept } = request;
    const input = { EndpointName: name, Body: Buffer.from(body), ContentType: contentType, Accept: accept };
    return client.send(new InvokeEndpointCommand(input), sending);
  });
  return { kind: 'answered', contentType: ContentType, body: new TextDecoder().decode(Buffer.from(Body ?? [])) };
}

/** Members of `ModelError` about the model's own answer. */
interface ModelErrorDetails {
  OriginalStatusCode?: unknown;
  OriginalMessage?: unknown;
}

/** @throws the error where it concerns neither the endpoint's name nor the body */
function explain(error: unknown, name: string, secrets: readonly string[]): Invocation {
  const cause = causeOf(error);
  if (!(error instanceof OutboundError) || !cause) throw error;
  if (cause.name === 'ModelError') return { kind: 'refused', error: modelError(error, cause, secrets) };
  if (isMissingEndpoint(error)) return { kind: 'missing' };
  // An endpoint may be called like a part of a request.
  const said = cause.message.replaceAll(name, '');
  if (error.httpStatus === 413) return { kind: 'refused', error: tooLarge(error, cause, secrets) };
  if (error.httpStatus === 400 && ABOUT_BODY.test(said)) return { kind: 'refused', error };
  throw error;
}

/** A ValidationError is about the body, the endpoint or a header; its text alone tells which. */
const ABOUT_BODY = /\bbody\b|payload|content[- ]?length|\binputs?\b|\binstances?\b|\brows?\b|too (large|long|big)/i;

/** The endpoint is in order: fewer or smaller rows pass. */
function tooLarge(error: OutboundError, cause: Error, secrets: readonly string[]): OutboundError {
  const said = redact(cause.message, secrets);
  const text = `${PEER}: the request is too large for the endpoint${said === '' ? '' : `: ${said}`}`;
  return new OutboundError('bad_request', text, { httpStatus: error.httpStatus, cause });
}

/** The status of the model's own answer decides whether the rows or the model are at fault. */
function modelError(error: OutboundError, cause: Error, secrets: readonly string[]): OutboundError {
  const { OriginalStatusCode: status, OriginalMessage: message } = cause as ModelErrorDetails;
  const isClient = typeof status === 'number' && status >= 400 && status < 500;
  const code: OutboundCode = isClient ? 'bad_request' : 'upstream_error';
  const said = typeof message === 'string' && message !== '' ? message : cause.message;
  const what = typeof status === 'number' ? `answered ${status}` : 'failed';
  const text = redact(said, secrets);
  return new OutboundError(code, `${PEER}: the model ${what}${text === '' ? '' : `: ${text}`}`, {
    httpStatus: error.httpStatus,
    cause,
  });
}
