import Link from '@splunk/react-ui/Link';
import { ml } from '../../api/client.ts';
import { viewUrl } from '../../app/url.ts';
import FormDialog from '../../parts/form/FormDialog.tsx';
import { showWarnings } from '../../parts/LastWarnings.tsx';
import { Dialog } from '../../parts/panel/Dialog.tsx';
import type { Body } from '../../parts/panel/resource.ts';
import { Empty } from '../../parts/table/States.tsx';
import { invalidateContainers, type ModelContainer } from './data.ts';
import { connectionKey, connectionOf, type Offer, startSpec } from './form.ts';

interface StartDialogProps {
  offer: Offer;
  /** Started with the same settings. */
  from?: ModelContainer;
  onClose(): void;
  onStarted(model: string): void;
}

/** Starts a container; the table shows the progress. */
export default function StartDialog({ offer, from, onClose, onStarted }: StartDialogProps) {
  const title = from ? `Start ${from.model} again` : 'Start a container';
  if (offer.connections.length === 0)
    return (
      <Dialog title={title} onClose={onClose}>
        <Empty title="No container connections">
          Add a <Link to={viewUrl('connections', { tab: 'containers' })}>container connection</Link> first.
        </Empty>
      </Dialog>
    );
  return (
    <FormDialog
      title={title}
      operation="startContainer"
      spec={startSpec(offer)}
      {...(from ? { record: valuesOf(from), isClone: true } : {})}
      saving="Starting …"
      save={start}
      onClose={onClose}
      onSaved={(model) => onStarted(String(model))}
    />
  );
}

async function start(body: Body): Promise<string> {
  const { connection_name: key, hpa_enabled, ...payload } = (body.payload ?? {}) as Body;
  const scaling = hpa_enabled === undefined ? {} : { hpa_enabled: hpa_enabled ? '1' : '0' };
  const request = { payload: { ...payload, ...scaling, ...connectionOf(String(key)) } };
  try {
    const { updated_config } = showWarnings(await ml.call('startContainer', { body: request as never }));
    return String(updated_config.model);
  } finally {
    // A failed or unanswered start may have created a record.
    void invalidateContainers();
  }
}

const valuesOf = (container: ModelContainer): object => ({
  payload: {
    ...container,
    connection_name: connectionKey(container.cluster, container.connection_name),
    hpa_enabled: container.hpa_enabled === '1',
  },
});
