import { expect } from 'chai';
import { endpointOverride } from '../../../src/adapters/aws/endpoints.ts';
import { awsError } from '../../../src/adapters/aws/errors.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { REGION_PATTERN, ROLE_ARN_PATTERN } from '../../../src/contract/schemas/awsSyntax.ts';

const { signal } = new AbortController();
const context = { peer: 'Amazon Test', secrets: ['a-secret-of-ours'], signal };

/** The exception that the SDK throws for an error of the service. */
function exception(name: string, status: number, message = 'said so', headers: Record<string, string> = {}): Error {
  const error = Object.assign(new Error(message), { name, $fault: 'client', $metadata: { httpStatusCode: status } });
  Object.defineProperty(error, '$response', { value: { statusCode: status, headers } });
  return error;
}

describe('AWS errors', () => {
  const CODES: Record<string, [number, string[]]> = {
    auth_failed: [
      403,
      [
        'UnrecognizedClientException',
        'InvalidClientTokenId',
        'InvalidSignatureException',
        'SignatureDoesNotMatch',
        'ExpiredToken',
        'ExpiredTokenException',
        'IncompleteSignature',
        'MissingAuthenticationTokenException',
        'RequestTimeTooSkewed',
      ],
    ],
    permission_denied: [403, ['AccessDenied', 'AccessDeniedException', 'OptInRequired', 'SomethingNew']],
    rate_limited: [400, ['Throttling', 'ThrottlingException', 'TooManyRequestsException', 'RequestLimitExceeded']],
    quota_exceeded: [402, ['ServiceQuotaExceededException']],
    bad_request: [400, ['ValidationException', 'MalformedPolicyDocument']],
    timeout: [408, ['ModelTimeoutException', 'RequestTimeout']],
    upstream_error: [500, ['InternalServerException', 'ServiceUnavailableException', 'ModelErrorException']],
  };
  for (const [code, [status, names]] of Object.entries(CODES)) {
    for (const name of names) {
      it(`${name} (${status}) is ${code}`, () => {
        const error = awsError(exception(name, status), context);
        expect(error).to.include({ code, httpStatus: status });
        expect(error.message).to.equal(`Amazon Test answered ${status} ${name}: said so`);
      });
    }
  }

  it('a name outweighs its status', () => {
    expect(awsError(exception('ExpiredTokenException', 400), context).code).to.equal('auth_failed');
    expect(awsError(exception('AccessDeniedException', 400), context).code).to.equal('permission_denied');
    expect(awsError(exception('SomethingNew', 429), context).code).to.equal('rate_limited');
  });

  it('keep Retry-After', () => {
    const error = awsError(exception('ThrottlingException', 429, 'slow', { 'retry-after': '7' }), context);
    expect(error.retryAfter).to.equal(7);
  });

  it('contain no secret and are short', () => {
    const text = `line one\nAKIAIOSFODNN7EXAMPLE a-secret-of-ours ${'x'.repeat(5000)}`;
    const { message } = awsError(exception('InvalidSignatureException', 403, text), context);
    expect(message).to.not.match(/AKIAIOSFODNN7EXAMPLE|a-secret-of-ours|\n/);
    expect(message.length).to.be.below(400);
  });

  it('an answer that cannot be read is upstream_error, without the hint of the SDK', () => {
    const hint =
      '\n  Deserialization error: to see the raw response, inspect the hidden field {error}.$response on this object.';
    const unread = Object.assign(new SyntaxError(`Unexpected token '<', "<secret>"${hint}`), {
      $metadata: { httpStatusCode: 200 },
    });
    expect(awsError(unread, context)).to.include({
      code: 'upstream_error',
      message: 'Amazon Test answered 200 with something that is not an AWS reply',
    });
    const ours = new OutboundError('upstream_error', `too large${hint}`, { httpStatus: 200 });
    expect(awsError(ours, context)).to.include({ message: 'too large', httpStatus: 200 });
  });

  it('missing credentials and addresses are the configuration', () => {
    for (const name of ['CredentialsProviderError', 'TokenProviderError', 'EndpointError']) {
      const error = awsError(Object.assign(new Error('none found'), { name }), context);
      expect(error.code, name).to.equal('configuration_invalid');
    }
  });

  it('whatever breaks after the deadline is a timeout', () => {
    const aborted = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    for (const name of ['AbortError', 'CredentialsProviderError', 'Error']) {
      const error = awsError(Object.assign(new Error('x'), { name }), { ...context, signal: aborted });
      expect(error.code, name).to.equal('timeout');
    }
  });
});

describe('AWS addresses and names', () => {
  it('an override is looked for in the order of the contract', () => {
    const conf = { endpoint_url_bedrock_agent: 'https://a.example/x', endpoint_url: 'https://b.example' };
    const env = { AWS_ENDPOINT_URL_BEDROCK_AGENT: 'https://c.example', AWS_ENDPOINT_URL: 'https://d.example' };
    const found = (sources: Parameters<typeof endpointOverride>[1]) => endpointOverride('bedrock_agent', sources);
    expect(found({ conf, env })).to.equal('https://a.example/x');
    expect(found({ conf: { ...conf, endpoint_url_bedrock_agent: ' ' }, env })).to.equal('https://b.example/');
    expect(found({ conf: {}, env })).to.equal('https://c.example/');
    expect(
      found({ conf: { endpoint_url_bedrock: 'https://x.example' }, env: { AWS_ENDPOINT_URL: 'https://d.example' } }),
    ).to.equal('https://d.example/');
    expect(found({ conf: {}, env: {} })).to.equal(undefined);
  });

  it('an override that cannot be called names its setting', () => {
    expect(() => endpointOverride('sts', { conf: {}, env: { AWS_ENDPOINT_URL_STS: 'file:///etc/passwd' } })).to.throw(
      OutboundError,
      'AWS_ENDPOINT_URL_STS',
    );
  });

  it('regions have the syntax of any partition', () => {
    const good =
      'us-east-1 eu-central-2 ap-southeast-7 us-gov-west-1 cn-north-1 eusc-de-east-1 us-iso-east-1 us-isob-east-1 us-isof-south-1 eu-isoe-west-1 mx-central-1 il-central-1';
    for (const region of good.split(' ')) expect(region).to.match(new RegExp(REGION_PATTERN));
    const bad = [
      '',
      'us-east',
      'us-east-',
      'us-east-0',
      'us-east-123',
      'US-EAST-1',
      'us-east-1.',
      'us-east-1\n',
      'us.east.1',
      'us-east-1/x',
      'a-b-1',
      '-us-east-1',
      'us--east-1',
      'us-east-1@x',
      'localhost',
      'us-a-b-c-east-1',
    ];
    for (const region of bad) expect(region).to.not.match(new RegExp(REGION_PATTERN));
  });

  it('roles are IAM roles', () => {
    const good = [
      'arn:aws:iam::123456789012:role/x',
      'arn:aws-cn:iam::123456789012:role/a/b/x+=,.@-_',
      'arn:aws-us-gov:iam::123456789012:role/x',
      'arn:aws-iso-b:iam::123456789012:role/x',
    ];
    for (const arn of good) expect(arn).to.match(new RegExp(ROLE_ARN_PATTERN));
    const bad = [
      'arn:aws:iam::123456789012:user/x',
      'arn:aws:iam::12345678901:role/x',
      'arn:aws:iam::123456789012:role/',
      'arn:aws:s3:::b',
      'arn:aws:iam::123456789012:role/x y',
      'role/x',
      'arn:aws:iam::123456789012:role/x\n',
    ];
    for (const arn of bad) expect(arn).to.not.match(new RegExp(ROLE_ARN_PATTERN));
  });
});
