import { useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../../client/src/index.ts';
import { MASKED_SERVICES } from '../../../../src/contract/families/masking.ts';
import { ml } from '../../../api/client.ts';
import { useRefusal } from '../../../api/rights.ts';
import { Row, Stack } from '../../../app/styles.ts';
import { useUrl } from '../../../app/url.ts';
import { Action } from '../../../parts/Action.tsx';
import { useWork, WorkState } from '../../../parts/work.tsx';
import { USUAL_KINDS } from './words.ts';

const NAME = 'Usual policy';

const USUAL: Input<'createMaskingPolicy'>['body'] = {
  name: NAME,
  description: 'Secrets, ids, mail addresses and users are masked for every service but the local runtime.',
  // Each is named, so that it can be seen and taken away.
  applies_to: { services: MASKED_SERVICES.filter((service) => service !== 'Local_Runtime') },
  kinds: USUAL_KINDS,
};

/** One click creates the policy that most sites want. */
export function UsualPolicy({ changed }: { changed: string }) {
  const [, go] = useUrl();
  const client = useQueryClient();
  const work = useWork<'create'>();
  const create = () =>
    work.start('create', async (signal) => {
      await ml.call('createMaskingPolicy', { body: USUAL }, { signal });
      await client.invalidateQueries({ queryKey: [changed] });
      go({ name: NAME });
    });
  return (
    <Stack>
      <Row>
        <Action
          label="Use the usual policy"
          busy={work.running !== undefined}
          refusal={useRefusal()('createMaskingPolicy')}
          onClick={create}
        />
        <small>{USUAL.description}</small>
      </Row>
      <WorkState work={work} what="the usual policy" />
    </Stack>
  );
}
