import Heading from '@splunk/react-ui/Heading';
import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useRefusal, useWho } from '../../api/rights.ts';
import { Stack } from '../../app/styles.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { Empty } from '../../parts/table/States.tsx';
import { ReadState } from '../../parts/work.tsx';

export default function Images() {
  const { isPending } = useWho();
  const why = useRefusal()('getImageCatalog');
  const read = useRead({
    queryKey: ['images'],
    queryFn: async ({ signal }) => (await ml.call('getImageCatalog', {}, { signal })).docker_images,
    enabled: !isPending && why === undefined,
  });
  if (why) return <Empty title="Container images">{`${why} to see them.`}</Empty>;
  return (
    <Stack>
      <Heading level={2}>Container images</Heading>
      <div>Images that containers can run. Administrators change the list in ml_images.conf.</div>
      <ReadState read={read} what="the images" />
      {read.data && (
        <DataTable
          label="Container images"
          heads={[{ label: 'Name' }, { label: 'Key' }, { label: 'Image' }]}
          rows={Object.entries(read.data).map(([key, { label, image }]) => ({ key, cells: [label, key, image] }))}
        />
      )}
    </Stack>
  );
}
