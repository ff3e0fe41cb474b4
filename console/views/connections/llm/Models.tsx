import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import { useQueryClient } from '@tanstack/react-query';
import { useRefusal } from '../../../api/rights.ts';
import { Row, Spacer, Stack } from '../../../app/styles.ts';
import { useForm, useUrl } from '../../../app/url.ts';
import { Action } from '../../../parts/Action.tsx';
import { lazyPart } from '../../../parts/lazyPart.tsx';
import { createSpec, TEST_OPTIONS, withDefaults } from './form.tsx';
import { create } from './perform.ts';
import { Refresh } from './Refresh.tsx';
import { type Catalogue, type Configuration, nameOf } from './record.ts';
import { test } from './test.tsx';

const FormDialog = lazyPart(() => import('../../../parts/form/FormDialog.tsx'));

interface ModelsProps {
  record: Configuration;
  catalogue: Catalogue | undefined;
}

/** The models of the connection. */
export default function Models({ record, catalogue }: ModelsProps) {
  const { service, connection_name, model, models = [] } = record;
  const client = useQueryClient();
  const refusal = useRefusal();
  const [url, go] = useUrl();
  const adding = useForm('add');
  const addressOf = (other: string) => {
    const query = new URLSearchParams(url);
    query.set('name', nameOf({ service, connection_name, model: other }));
    return `?${query}`;
  };
  return (
    <section aria-label="Models of the connection">
      <Stack>
        <Row>
          <Heading level={3} style={{ margin: 0 }}>
            Models of {connection_name}
          </Heading>
          <Spacer />
          {catalogue && <Action label="Add model" onClick={adding.open} refusal={refusal('saveLlmConfiguration')} />}
        </Row>
        <ul style={{ margin: 0, paddingLeft: 20 }}>
          {models.map((other) => (
            <li key={other}>
              {other === model ? (
                <strong>{other}</strong>
              ) : (
                <Link
                  to={addressOf(other)}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    go({ name: nameOf({ service, connection_name, model: other }) });
                  }}
                >
                  {other}
                </Link>
              )}
            </li>
          ))}
        </ul>
        <Refresh target={async () => ({ service, connection_name })} />
      </Stack>
      {catalogue && adding.isOpen && (
        <FormDialog
          title={`Add a model to ${connection_name}`}
          operation="saveLlmConfiguration"
          spec={createSpec(catalogue)}
          record={withDefaults(catalogue, {
            ...record,
            model: '',
            modelsettings: {},
            servicesettings: {},
            is_model_saved: true,
          })}
          isClone
          save={(body) => create(body, undefined)}
          test={(body, signal, chosen) => test(undefined, body, signal, chosen)}
          testOptions={{ operation: 'actOnLlmProvider', fields: TEST_OPTIONS }}
          onClose={adding.close}
          onSaved={async (name) => {
            await client.invalidateQueries({ queryKey: ['llm'] });
            adding.closeFor(String(name));
          }}
        />
      )}
    </section>
  );
}
