import { ml } from '../../../api/client.ts';
import { Row } from '../../../app/styles.ts';
import type { Body, TestResult } from '../../../parts/panel/resource.ts';
import { requestBody } from './perform.ts';
import { type Configuration, withChange } from './record.ts';

/** A saved record is tested by its identity; a form is tested with the stored secrets. */
export async function test(
  record: Configuration | undefined,
  body: Body | undefined,
  signal: AbortSignal,
  options: Body,
): Promise<TestResult> {
  const { service, connection_name, model } = record ?? {};
  const draft = record && body ? withChange(record, body) : body && (await requestBody(body, signal));
  const request = { ...(draft ?? { service, connection_name, model }), ...options };
  const answer = await ml.call('actOnLlmProvider', { body: request as never }, { signal });
  const { success, message, error_code, remedy, response_time, response_content, hosting } = answer;
  return {
    success,
    message,
    error_code,
    remedy,
    ms: response_time === undefined ? undefined : response_time * 1000,
    details: (response_content || hosting) && (
      <>
        {hosting && <div>{hosting}</div>}
        {response_content && (
          <Row>
            <span>Answer:</span> <q>{response_content}</q>
          </Row>
        )}
      </>
    ),
  };
}
